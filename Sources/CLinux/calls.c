// System calls as they are.
#define _GNU_SOURCE
#include "CLinux.h"
#include <sys/mman.h>

int linux_memfd_create(const char *name, unsigned flags) { return memfd_create(name, flags); }

void *linux_mremap(void *old, size_t size, size_t new_size) { return mremap(old, size, new_size, MREMAP_MAYMOVE); }

int linux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }
