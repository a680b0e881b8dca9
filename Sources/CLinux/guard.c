// The SIGBUS handler and the thread-local variable it reads.
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

// Per thread, because the handler runs on the thread that faulted. The initial-exec model allocates nothing on first
// use, even in a signal handler.
static _Thread_local struct linux_guard *volatile innermost __attribute__((tls_model("initial-exec")));

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void on_bus_error(int number, siginfo_t *info, void *context) {
    (void)context;
    const int error = errno;
    // Signals from the kernel have positive codes; one sent by a process can name any address.
    const int is_fault = info->si_code > 0;
    const uintptr_t address = (uintptr_t)info->si_addr;
    int is_replaced = 0;
    for (struct linux_guard *guard = innermost; is_fault && guard; guard = guard->outer) {
        if (address - guard->base >= guard->length) continue;
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
        if (mmap((void *)guard->base, guard->length, guard->protection, flags, -1, 0) == MAP_FAILED) {
            is_replaced = 0;
            break;
        }
        guard->faulted = 1;
        is_replaced = 1;
    }
    errno = error;
    if (is_replaced) return;
    // A real fault recurs on return and dumps core at the right place; a signal that was sent has to be raised again.
    signal(number, SIG_DFL);
    if (!is_fault) raise(number);
}

static void install(void) {
    struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER };
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

void linux_guard_begin(struct linux_guard *guard, void *base, size_t length, int writable) {
    pthread_once(&once, install);
    guard->base = (uintptr_t)base;
    guard->length = length;
    guard->protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    guard->faulted = 0;
    guard->outer = innermost;
    // The handler must see a completely initialized guard.
    atomic_signal_fence(memory_order_seq_cst);
    innermost = guard;
    atomic_signal_fence(memory_order_seq_cst);
}

int linux_guard_end(struct linux_guard *guard) {
    atomic_signal_fence(memory_order_seq_cst);
    innermost = guard->outer;
    return guard->faulted;
}
