// libevent's headers define _GNU_SOURCE, which clashes with Swift's Glibc module unless features.h comes first.
#pragma once
#include <features.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <event2/util.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/// Microseconds of CLOCK_MONOTONIC.
static inline uint64_t loop_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}
static inline int loop_timer_new(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
/// Arms a timerfd to expire once at `microseconds` of CLOCK_MONOTONIC; 0 disarms it.
static inline int loop_timer_set(int fd, uint64_t microseconds) {
    struct itimerspec when = { .it_value = { .tv_sec = (time_t)(microseconds / 1000000u),
                                             .tv_nsec = (long)(microseconds % 1000000u) * 1000 } };
    return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}
static inline int loop_wake_new(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int loop_socket_new(int family) {
    return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}
/// Glibc hides accept4 without _GNU_SOURCE.
static inline int loop_accept(int fd) {
    return (int)syscall(SYS_accept4, fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
/// The longest path a Unix socket can be bound to, in bytes.
enum { LOOP_PATH_MAXIMUM = sizeof(((struct sockaddr_un *)0)->sun_path) - 1 };
static inline int loop_bind_unix(int fd, const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    return bind(fd, (struct sockaddr *)&address, sizeof address);
}
/// Binds a TCP socket to `text`: "127.0.0.1:80" or "[::1]:80", without the port when `any` is set.
/// Returns 0 and *fd, or -1 with errno.
static inline int loop_bind_tcp(const char *text, int any, int *fd) {
    union { struct sockaddr_storage room; struct sockaddr common; struct sockaddr_in in; } address;
    int length = sizeof address, yes = 1;
    // The port is at the same offset in both families.
    if (evutil_parse_sockaddr_port(text, &address.common, &length) < 0 || (address.in.sin_port == 0) != any) {
        errno = EINVAL;
        return -1;
    }
    if ((*fd = loop_socket_new(address.common.sa_family)) < 0)
        return -1;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    return bind(*fd, &address.common, (socklen_t)length);
}
/// The TCP port a socket is bound to; 0 for other families.
static inline int loop_port(int fd) {
    union { struct sockaddr_storage room; struct sockaddr common; struct sockaddr_in in; } address;
    socklen_t length = sizeof address;
    if (getsockname(fd, &address.common, &length) < 0 || address.common.sa_family == AF_UNIX)
        return 0;
    return ntohs(address.in.sin_port);
}
/// The path a Unix socket is bound to, with its NUL; 0 when it has none (TCP, unnamed, abstract).
static inline int loop_path(int fd, char path[LOOP_PATH_MAXIMUM + 1]) {
    struct sockaddr_un address = { .sun_family = AF_UNSPEC };
    socklen_t length = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0 || address.sun_family != AF_UNIX
        || length <= offsetof(struct sockaddr_un, sun_path) || !address.sun_path[0])
        return 0;
    // The kernel may return a length one byte larger than the buffer.
    address.sun_path[LOOP_PATH_MAXIMUM] = 0;
    memcpy(path, address.sun_path, LOOP_PATH_MAXIMUM + 1);
    return 1;
}
/// Makes a listening stream socket non-blocking and close-on-exec. Returns 1, 0 for any other descriptor, or -1 with errno.
static inline int loop_adopt(int fd) {
    int listening = 0, type = 0, flags;
    socklen_t length = sizeof listening;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &length) < 0)
        return -1;
    length = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) < 0)
        return -1;
    if (!listening || type != SOCK_STREAM)
        return 0;
    if ((flags = fcntl(fd, F_GETFL)) < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0
        || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return -1;
    return 1;
}

static inline int loop_lock_open(const char *path) { return open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600); }
static inline int loop_lock_take(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }
/// Whether `path` still names the file that is open as `fd`.
static inline int loop_same_file(int fd, const char *path) {
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino
        && ours.st_dev == there.st_dev;
}
/// Whether `path` is a socket, or -1 with errno when there is no file or lstat() fails.
static inline int loop_is_socket(const char *path) {
    struct stat there;
    return lstat(path, &there) < 0 ? -1 : S_ISSOCK(there.st_mode);
}
static inline int loop_hangups_new(void) { return epoll_create1(EPOLL_CLOEXEC); }
/// Watches a connection once for its peer to hang up and, with `finishes`, to finish sending. Returns 0, or -1 with errno.
static inline int loop_hangups_watch(int hangups, int fd, void *connection, int finishes) {
    struct epoll_event event = { .events = EPOLLONESHOT | (finishes ? EPOLLRDHUP : 0), .data = { .ptr = connection } };
    int known = epoll_ctl(hangups, EPOLL_CTL_MOD, fd, &event) == 0;
    return known ? 0 : epoll_ctl(hangups, EPOLL_CTL_ADD, fd, &event);
}
static inline void loop_hangups_forget(int hangups, int fd) { epoll_ctl(hangups, EPOLL_CTL_DEL, fd, NULL); }
/// The next connection whose peer has hung up (*gone: 1) or finished sending (*gone: 0); NULL when there is none.
static inline void *loop_hangups_next(int hangups, int *gone) {
    struct epoll_event event;
    if (epoll_wait(hangups, &event, 1, 0) != 1)
        return NULL;
    *gone = (event.events & (EPOLLHUP | EPOLLERR)) != 0;
    return event.data.ptr;
}
static inline void loop_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }
