#define _GNU_SOURCE
#include "CTestSupport.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

// The system calls change the calling thread alone; glibc's functions would change every thread of the test program.
static int become(long user, long group, long former) {
    if (former >= 0 && syscall(SYS_setresuid, -1, former, -1) != 0) return -1;
    if (syscall(SYS_setresgid, -1, group, -1) != 0) return -1;
    return (int)syscall(SYS_setresuid, -1, user, -1);
}

int test_connect_as(const char *path, uint32_t user, uint32_t group) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    uid_t own_user = geteuid();
    gid_t own_group = getegid();
    int result = become(user, group, -1), error = errno;
    if (result == 0) {
        result = connect(fd, (struct sockaddr *)&address, sizeof address);
        error = errno;
    }
    if (become(own_user, own_group, own_user) != 0) _exit(125);
    if (result != 0) {
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}
