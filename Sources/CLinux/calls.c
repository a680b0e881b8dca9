// System calls as they are.
#define _GNU_SOURCE
#include "CLinux.h"
#include <linux/magic.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

int linux_memfd_create(const char *name, unsigned flags) { return memfd_create(name, flags); }

void *linux_mremap(void *old, size_t size, size_t new_size) { return mremap(old, size, new_size, MREMAP_MAYMOVE); }

int linux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }

int linux_device(int fd, unsigned *major, unsigned *minor) {
    struct statx file;
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &file) != 0) return -1;
    *major = file.stx_dev_major;
    *minor = file.stx_dev_minor;
    return 0;
}

int linux_has_huge_pages(int fd) {
    struct statfs system;
    return fstatfs(fd, &system) != 0 || system.f_type == HUGETLBFS_MAGIC;
}

void linux_keep_large_memory_apart(size_t bytes) { mallopt(M_MMAP_THRESHOLD, (int)bytes); }

void linux_trim_memory(void) { malloc_trim(0); }
