#define _GNU_SOURCE
#include "CTestSupport.h"
#include <CLinux.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { pages = 2, page = 4096 };

// A shared mapping whose file is empty: each access is a SIGBUS.
static volatile char *missing(void) {
    int file = linux_memfd_create("mullion-test", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, pages * page) != 0) _exit(99);
    void *memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED || ftruncate(file, 0) != 0) _exit(99);
    return memory;
}

static int nested(void) {
    volatile char *first = missing(), *second = missing(), *third = missing();
    struct linux_guard outer, inner, both;
    linux_guard_begin(&outer, (void *)first, pages * page, 0);
    linux_guard_begin(&inner, (void *)second, pages * page, 1);
    // The outer guard's memory, while an inner one is there.
    if (first[page] != 0) return 1;
    if (linux_guard_end(&inner) != 0) return 2;
    if (first[0] != 0) return 3;
    // A second use, after another; this time it is written, to the last byte.
    linux_guard_begin(&inner, (void *)second, pages * page, 1);
    second[pages * page - 1] = 7;
    if (second[0] != 0 || second[pages * page - 1] != 7) return 4;
    if (linux_guard_end(&inner) == 0) return 5;
    // Two guards of the same memory both learn of it.
    linux_guard_begin(&inner, (void *)third, pages * page, 0);
    linux_guard_begin(&both, (void *)third, pages * page, 0);
    if (third[0] != 0) return 6;
    if (linux_guard_end(&both) == 0 || linux_guard_end(&inner) == 0) return 7;
    if (linux_guard_end(&outer) == 0) return 8;
    return 0;
}

static int elsewhere(int is_guarded) {
    volatile char *memory = missing(), *other = missing();
    struct linux_guard guard;
    linux_guard_begin(&guard, (void *)memory, pages * page, 0);
    if (!is_guarded) linux_guard_end(&guard);
    (void)(is_guarded ? other : memory)[0];
    return 1;
}

static int sent(void) {
    volatile char *memory = missing();
    struct linux_guard guard;
    linux_guard_begin(&guard, (void *)memory, pages * page, 0);
    kill(getpid(), SIGBUS);
    return 1;
}

int test_guard(enum test_guard_case what) {
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
        alarm(20);
        // Threads of the test runner block signals.
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        switch (what) {
        case TEST_GUARD_NESTED: _exit(nested());
        case TEST_GUARD_OTHER_MEMORY: _exit(elsewhere(1));
        case TEST_GUARD_ENDED: _exit(elsewhere(0));
        case TEST_GUARD_SENT: _exit(sent());
        }
        _exit(98);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
