// What Linux has and Swift's Glibc module hides: memfd_create, accept4, the CMSG_* macros, siginfo fields.
#pragma once
#include <features.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 0x0001U
#define MFD_ALLOW_SEALING 0x0002U
#endif
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define F_SEAL_SEAL 0x0001
#define F_SEAL_SHRINK 0x0002
#define F_SEAL_GROW 0x0004
#define F_SEAL_WRITE 0x0008
#endif
#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0x40000000
#endif

/// At most this many descriptors travel in one message (libwayland's limit).
enum { LINUX_MAX_DESCRIPTORS = 28 };

struct linux_peer { int32_t pid; uint32_t uid, gid; };

static inline int linux_memfd_create(const char *name, unsigned flags) {
    return (int)syscall(SYS_memfd_create, name, flags);
}
static inline void *linux_mremap(void *old, size_t size, size_t new_size) {
    return (void *)syscall(SYS_mremap, old, size, new_size, 1 /* MREMAP_MAYMOVE */, NULL);
}
static inline int linux_accept4(int fd) {
    return (int)syscall(SYS_accept4, fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
static inline int linux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }

/// A blocking, close-on-exec connection to a Unix socket, or -1 with errno (ENAMETOOLONG for a path that does not fit).
static inline int linux_connect_unix(const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

/// SO_PEERCRED; 0 or -1 with errno.
static inline int linux_peer_credentials(int fd, struct linux_peer *peer) {
    socklen_t length = sizeof *peer;
    return getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, peer, &length);
}

/// SO_PEERGROUPS: the supplementary groups that the peer had when it connected.
/// Returns how many there are; more than `count`: none were written. -1 with errno.
static inline int linux_peer_groups(int fd, uint32_t *groups, int count) {
    socklen_t length = count * sizeof *groups;
    if (getsockopt(fd, SOL_SOCKET, 59 /* SO_PEERGROUPS */, groups, &length) != 0 && errno != ERANGE) return -1;
    return length / sizeof *groups;
}

/// Bytes sent on a Unix socket that the peer has not read (SIOCOUTQ, kernel overhead included), or -1 with errno.
static inline int linux_unread(int fd) {
    int count = 0;
    return ioctl(fd, TIOCOUTQ, &count) == 0 ? count : -1;
}

/// Reads up to `length` bytes and up to LINUX_MAX_DESCRIPTORS descriptors (close-on-exec).
/// Returns recvmsg's result; *count descriptors were received, *truncated says whether some were lost.
static inline ssize_t linux_receive(int fd, void *bytes, size_t length, int *descriptors, int *count,
                                    int *truncated) {
    union { char buffer[CMSG_SPACE(sizeof(int) * LINUX_MAX_DESCRIPTORS)]; struct cmsghdr align; } control;
    struct iovec vector = { bytes, length };
    struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.buffer,
                              .msg_controllen = sizeof control.buffer };
    ssize_t got;
    *count = 0;
    *truncated = 0;
    do {
        got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return got;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors + *count, CMSG_DATA(c), n * sizeof(int));
        *count += (int)n;
    }
    *truncated = (message.msg_flags & MSG_CTRUNC) != 0;
    return got;
}

/// As many descriptors as the kernel lets travel in one message (SCM_MAX_FD).
enum { LINUX_MANY_DESCRIPTORS = 253 };

/// Reads up to `length` bytes and up to LINUX_MANY_DESCRIPTORS descriptors (close-on-exec); recvmsg's result.
static inline ssize_t linux_receive_many(int fd, void *bytes, size_t length, int *descriptors, int *count) {
    union { char buffer[CMSG_SPACE(sizeof(int) * LINUX_MANY_DESCRIPTORS) + 64]; struct cmsghdr align; } control;
    struct iovec vector = { bytes, length };
    struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.buffer,
                              .msg_controllen = sizeof control.buffer };
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    *count = 0;
    if (got < 0)
        return got;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors + *count, CMSG_DATA(c), n * sizeof(int));
        *count += (int)n;
    }
    return got;
}

/// Sends bytes with `count` (at most LINUX_MAX_DESCRIPTORS) descriptors; sendmsg's result.
static inline ssize_t linux_send(int fd, const void *bytes, size_t length, const int *descriptors, int count) {
    union { char buffer[CMSG_SPACE(sizeof(int) * LINUX_MAX_DESCRIPTORS)]; struct cmsghdr align; } control;
    struct iovec vector = { (void *)bytes, length };
    struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
    ssize_t sent;
    if (count > 0) {
        message.msg_control = control.buffer;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
        memcpy(CMSG_DATA(c), descriptors, sizeof(int) * (size_t)count);
    }
    do {
        sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

/// The faulting address of a SIGBUS or SIGSEGV.
static inline void *linux_fault_address(const siginfo_t *info) { return info->si_addr; }
static inline int linux_on_fault(int signal, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER };
    sigemptyset(&action.sa_mask);
    return sigaction(signal, &action, NULL);
}

/// The memory that this thread is using, and how, for the SIGBUS handler. Call it from one source file only: each object
/// file that does has a variable of its own.
struct linux_guard { uintptr_t base, length; int protection, faulted; };
static inline struct linux_guard *linux_guard(void) {
    static __thread struct linux_guard guard;
    return &guard;
}
