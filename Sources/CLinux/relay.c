// Moves bytes to or from another program's pipe in a process of its own.
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int linux_is_pipe_or_socket(int fd) {
    // Neither asks a file system, which may be FUSE, nor takes the lock of a pipe, as F_GETPIPE_SZ does.
    struct statx file;
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &file) != 0) return 0;
    return S_ISFIFO(file.stx_mode) || S_ISSOCK(file.stx_mode);
}

static char buffer[1 << 16];

/// Moves everything from one descriptor to the other, until one of them ends.
static void move(int source, int sink, unsigned patience) {
    for (;;) {
        struct pollfd both[2] = { { .fd = source, .events = POLLIN }, { .fd = sink } };
        if (poll(both, 2, -1) < 0 && errno != EINTR) return;
        // The reader has gone.
        if (both[1].revents) return;
        if (!both[0].revents) continue;
        ssize_t count = read(source, buffer, sizeof buffer);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (count <= 0) return;
        for (ssize_t done = 0; done < count;) {
            // The process ends by the signal when the reader takes nothing meanwhile. In pieces, because a call that writes
            // more would return only when a slow reader has taken all of it.
            alarm(patience);
            size_t piece = (size_t)(count - done) < PIPE_BUF ? (size_t)(count - done) : PIPE_BUF;
            ssize_t written = write(sink, buffer + done, piece);
            if (written > 0) {
                done += written;
            } else if (errno == EAGAIN) {
                // Whoever shares the open file has set O_NONBLOCK.
                struct pollfd one = { .fd = sink, .events = POLLOUT };
                poll(&one, 1, -1);
            } else if (errno != EINTR) {
                return;
            }
        }
        alarm(0);
    }
}

/// The new process: keeps two descriptors, and waits until its parent has only one of them. Other threads of the parent may
/// have held any lock when it began, so it makes system calls only.
_Noreturn static void relay(int socket, int stranger, int reads, unsigned patience) {
    prctl(PR_SET_NAME, "mullion-relay");
    // All zero is the default. sigaction(3) must not be called here: since glibc 2.41 it takes a lock, which another thread of
    // the parent may have held.
    static const char initial[64];
    for (int number = 1; number < NSIG; number++) syscall(SYS_rt_sigaction, number, initial, NULL, (NSIG - 1) / 8);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    unsigned low = (unsigned)(socket < stranger ? socket : stranger), high = (unsigned)(socket ^ stranger) ^ low;
    if (low > 0) close_range(0, low - 1, 0);
    if (high > low + 1) close_range(low + 1, high - 1, 0);
    close_range(high + 1, ~0u, 0);
    char go;
    if (recv(socket, &go, 1, 0) == 1) {
        if (reads) move(stranger, socket, 0);
        else move(socket, stranger, patience);
    }
    _exit(0);
}

int linux_start_relay(int socket, int stranger, int reads, unsigned patience) {
    sigset_t all, before;
    sigfillset(&all);
    // The handlers are the parent's; they must not run in the child.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    // Like fork(2), but without a signal at its end, and invisible to waits for any child.
    long child = syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
    if (child == 0) relay(socket, stranger, reads, patience);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return (int)child;
}

int linux_wait_for_relay(int process, int collects) {
    siginfo_t end;
    return TEMP_FAILURE_RETRY(waitid(P_PID, (id_t)process, &end, WEXITED | __WALL | (collects ? 0 : WNOWAIT)));
}
