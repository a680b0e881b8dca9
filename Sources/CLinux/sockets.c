// Unix sockets: peer credentials, and messages with descriptors.
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

static int connect_unix(const struct sockaddr_un *address, socklen_t size, int seconds) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval time = { .tv_sec = seconds };
    if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)address, size) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

int linux_connect_unix(const char *path, int seconds) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    return connect_unix(&address, sizeof address, seconds);
}

int linux_connect_abstract(const char *name) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    size_t length = strlen(name);
    if (length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    // The name begins with a NUL and ends without one.
    memcpy(address.sun_path + 1, name, length);
    return connect_unix(&address, offsetof(struct sockaddr_un, sun_path) + 1 + length, 0);
}

int linux_peer_credentials(int fd, struct linux_peer *peer) {
    socklen_t length = sizeof *peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &length);
}

int linux_peer_groups(int fd, uint32_t *groups, int count) {
    socklen_t length = (socklen_t)count * sizeof *groups;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &length) != 0 && errno != ERANGE) return -1;
    return (int)(length / sizeof *groups);
}

int linux_peer_process(int fd) {
    int process = -1;
    socklen_t length = sizeof process;
    return getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &length) == 0 ? process : -1;
}

// struct pidfd_info of <linux/pidfd.h>, which Debian 12 does not have; its first version has 64 bytes.
struct process_info {
    uint64_t mask, cgroup;
    uint32_t ids[11];
    int32_t exit_code;
};
enum { PROCESS_INFO_EXIT = 1 << 3 };
#define PROCESS_GET_INFO _IOWR(0xff, 11, struct process_info)

int linux_process_exit(int process, int *code) {
    struct process_info info = { .mask = PROCESS_INFO_EXIT };
    if (ioctl(process, PROCESS_GET_INFO, &info) != 0) return -1;
    // Older kernels know the request, but not this part of it.
    if (!(info.mask & PROCESS_INFO_EXIT)) return 0;
    *code = info.exit_code;
    return 1;
}

int linux_accept4(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

static int option(int fd, int name) {
    int value = 0;
    socklen_t length = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &length) == 0 ? value : -1;
}

int linux_adopt_listener(int fd) {
    return option(fd, SO_ACCEPTCONN) == 1 && option(fd, SO_TYPE) == SOCK_STREAM && option(fd, SO_DOMAIN) == AF_UNIX
        && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0;
}

int linux_adopt_connection(int fd) {
    struct sockaddr_un peer;
    socklen_t length = sizeof peer;
    return option(fd, SO_ACCEPTCONN) == 0 && option(fd, SO_TYPE) == SOCK_STREAM && option(fd, SO_DOMAIN) == AF_UNIX
        && getpeername(fd, (struct sockaddr *)&peer, &length) == 0
        && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0;
}

int linux_is_shut_down(int fd) {
    struct pollfd socket = { .fd = fd, .events = POLLRDHUP };
    return poll(&socket, 1, 0) == 1 && (socket.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

int linux_unreceived(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

int linux_unread(int fd) {
    int count = 0;
    return ioctl(fd, TIOCOUTQ, &count) == 0 ? count : -1;
}

/// SCM_PIDFD, which older headers lack.
#define LINUX_SCM_PIDFD 0x04

ssize_t linux_receive(int fd, void *bytes, size_t length, int *descriptors, int maximum, int *count, int *truncated) {
    union {
        // Credentials and a process can arrive in addition to descriptors, if a holder of the socket enabled them.
        char buffer[CMSG_SPACE(sizeof(int) * LINUX_MANY_DESCRIPTORS) + CMSG_SPACE(sizeof(struct ucred))
                    + CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec vector = { bytes, length };
    struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.buffer,
                              .msg_controllen = sizeof control.buffer };
    *count = 0;
    *truncated = 0;
    ssize_t got = TEMP_FAILURE_RETRY(recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT));
    if (got < 0) return got;
    *truncated = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET) continue;
        // Any process that shares the socket can set SO_PASSPIDFD, at any time; each message then has a new descriptor.
        if (c->cmsg_type == LINUX_SCM_PIDFD && c->cmsg_len >= CMSG_LEN(sizeof(int))) {
            int process;
            memcpy(&process, CMSG_DATA(c), sizeof(int));
            if (process >= 0) close(process);
            continue;
        }
        if (c->cmsg_type != SCM_RIGHTS) continue;
        size_t received = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < received; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(c) + index * sizeof(int), sizeof(int));
            if (*count < maximum) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
                *truncated = 1;
            }
        }
    }
    return got;
}

ssize_t linux_send(int fd, const void *bytes, size_t length, const int *descriptors, int count) {
    union { char buffer[CMSG_SPACE(sizeof(int) * LINUX_MAX_DESCRIPTORS)]; struct cmsghdr align; } control;
    struct iovec vector = { (void *)bytes, length };
    struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
    if (count > 0) {
        message.msg_control = control.buffer;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
        memcpy(CMSG_DATA(c), descriptors, sizeof(int) * (size_t)count);
    }
    return TEMP_FAILURE_RETRY(sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT));
}
