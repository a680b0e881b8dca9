// What a thread and the processes that it starts may not do.
#define _GNU_SOURCE
#include "CLinux.h"
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock's numbers, of which older headers have only the first.
struct landlock_rules {
    uint64_t files, network, scopes;
};
enum { RULES_VERSION = 1 };
#define BIT(number) (UINT64_C(1) << (number))
enum { WRITE_FILE = 1, REMOVE_DIR = 4, MAKE_SYM = 12, REFER = 13, TRUNCATE = 14, IOCTL_DEV = 15 };
enum { BIND_TCP = 0 };
enum { SCOPE_SIGNAL = 1 };

int linux_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, RULES_VERSION);
}

/// Without a rule, what the rules mention is denied everywhere.
static void restrict_files(void) {
    int version = linux_landlock_version();
    if (version < 1) return;
    struct landlock_rules rules = { .files = BIT(WRITE_FILE) };
    for (int kind = REMOVE_DIR; kind <= MAKE_SYM; kind++) rules.files |= BIT(kind);
    if (version >= 2) rules.files |= BIT(REFER);
    if (version >= 3) rules.files |= BIT(TRUNCATE);
    if (version >= 4) rules.network = BIT(BIND_TCP);
    if (version >= 5) rules.files |= BIT(IOCTL_DEV);
    if (version >= 6) rules.scopes = BIT(SCOPE_SIGNAL);
    int descriptor = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (descriptor < 0) return;
    syscall(SYS_landlock_restrict_self, descriptor, 0);
    close(descriptor);
}

int linux_confine_thread(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    restrict_files();
    return 0;
}

int linux_limit_files(int process, uint64_t descriptors) {
    struct rlimit none = { .rlim_cur = 0, .rlim_max = 0 };
    struct rlimit few = { .rlim_cur = descriptors, .rlim_max = descriptors };
    if (prlimit(process, RLIMIT_FSIZE, &none, NULL) != 0 || prlimit(process, RLIMIT_CORE, &none, NULL) != 0) return -1;
    return prlimit(process, RLIMIT_NOFILE, &few, NULL);
}
