// libsystemd is loaded only when a service manager is there to be told: it pulls five more libraries into
// every start otherwise. Each function finds its symbol once and returns -ENOSYS without the library.
#pragma once
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>

static inline void *systemd_symbol(const char *name) {
    static void *library;
    if (!library)
        library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : (void *)0;
}
/// sd_notify(3)
static inline int systemd_notify(const char *state) {
    int (*f)(int, const char *) = (int (*)(int, const char *))systemd_symbol("sd_notify");
    return f ? f(0, state) : -ENOSYS;
}
/// sd_watchdog_enabled(3)
static inline int systemd_watchdog_enabled(uint64_t *microseconds) {
    int (*f)(int, uint64_t *) = (int (*)(int, uint64_t *))systemd_symbol("sd_watchdog_enabled");
    return f ? f(0, microseconds) : -ENOSYS;
}
/// sd_listen_fds_with_names(3); the caller frees the array and each name.
static inline int systemd_listen_fds_with_names(char ***names) {
    int (*f)(int, char ***) = (int (*)(int, char ***))systemd_symbol("sd_listen_fds_with_names");
    return f ? f(1, names) : -ENOSYS;
}
/// sd_pid_notify_with_fds(3) of this process
static inline int systemd_notify_with_fds(const char *state, const int *fds, unsigned count) {
    int (*f)(int, int, const char *, const int *, unsigned) =
        (int (*)(int, int, const char *, const int *, unsigned))systemd_symbol("sd_pid_notify_with_fds");
    return f ? f(0, 0, state, fds, count) : -ENOSYS;
}
/// sd_notify_barrier(3)
static inline int systemd_notify_barrier(uint64_t microseconds) {
    int (*f)(int, uint64_t) = (int (*)(int, uint64_t))systemd_symbol("sd_notify_barrier");
    return f ? f(0, microseconds) : -ENOSYS;
}
