// libsystemd's functions, loaded when first called.
#include "CSystemd.h"
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

static void *library(void) {
    static void *library;
    if (!library) library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    return library;
}

static void *symbol(const char *name) {
    return library() ? dlsym(library(), name) : NULL;
}

const char *systemd_load(void) { return library() ? NULL : dlerror(); }

int systemd_notify(const char *state) {
    int (*f)(int, const char *) = (int (*)(int, const char *))symbol("sd_notify");
    return f ? f(0, state) : -ENOSYS;
}

int systemd_journal_sendv(const struct iovec *fields, int count) {
    int (*f)(const struct iovec *, int) = (int (*)(const struct iovec *, int))symbol("sd_journal_sendv");
    return f ? f(fields, count) : -ENOSYS;
}

int systemd_watchdog_enabled(uint64_t *microseconds) {
    int (*f)(int, uint64_t *) = (int (*)(int, uint64_t *))symbol("sd_watchdog_enabled");
    return f ? f(0, microseconds) : -ENOSYS;
}

int systemd_listen_fds_with_names(char ***names) {
    int (*f)(int, char ***) = (int (*)(int, char ***))symbol("sd_listen_fds_with_names");
    return f ? f(1, names) : -ENOSYS;
}

int systemd_notify_with_fds(const char *state, const int *fds, unsigned count) {
    int (*f)(int, int, const char *, const int *, unsigned) =
        (int (*)(int, int, const char *, const int *, unsigned))symbol("sd_pid_notify_with_fds");
    return f ? f(0, 0, state, fds, count) : -ENOSYS;
}

int systemd_notify_barrier(uint64_t microseconds) {
    int (*f)(int, uint64_t) = (int (*)(int, uint64_t))symbol("sd_notify_barrier");
    return f ? f(0, microseconds) : -ENOSYS;
}
