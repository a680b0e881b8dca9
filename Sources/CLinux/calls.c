// Thin wrappers of system calls.
#define _GNU_SOURCE
#include "CLinux.h"
#include <linux/magic.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

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

void linux_merge_memory_at_once(void) { mallopt(M_MXFAST, 0); }

void linux_trim_memory(void) { malloc_trim(0); }

void linux_give_way(void) { (void)nice(10); }

int linux_thread(void) { return gettid(); }

uint64_t linux_thread_time(int thread) {
    // The clock id that pthread_getcpuclockid(3) computes: CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED.
    clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | 6);
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

int linux_thread_waits(int thread) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    // The state follows the process name, which is in parentheses and may itself contain any character.
    char *end = strrchr(text, ')');
    return end && (end[2] == 'S' || end[2] == 'D');
}

int linux_fork(void) { return fork(); }

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_close_when_spawned(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int linux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int linux_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int linux_signal_when_parent_ends(int number) { return prctl(PR_SET_PDEATHSIG, number, 0, 0, 0); }

void linux_set_process_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int linux_spawn_in_directory(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int linux_first_realtime_signal(void) { return SIGRTMIN; }

int linux_signal_descriptor(const sigset_t *signals) { return signalfd(-1, signals, SFD_CLOEXEC); }

static int argument_count;
static char **argument_words;

// glibc calls constructors with main()'s arguments.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    argument_words = words;
}

int linux_argument_count(void) { return argument_count; }
const char *linux_argument(int index) { return argument_words[index]; }

void linux_unmap_code(void) {
    FILE *maps = fopen("/proc/self/smaps", "re");
    if (!maps) return;
    char line[512];
    unsigned long start = 0, end = 0, copied = 0;
    int isStart = 1;
    while (fgets(line, sizeof line, maps)) {
        const int isWhole = isStart;
        // A long path is read in parts.
        isStart = strchr(line, '\n') != NULL;
        if (!isWhole) continue;
        unsigned long from, to, inode, swapped;
        char rights[5];
        if (sscanf(line, "%lx-%lx %4s %*x %*s %lu", &from, &to, rights, &inode) == 4) {
            const int isConstant = (strcmp(rights, "r-xp") == 0 || strcmp(rights, "r--p") == 0) && inode != 0;
            start = isConstant ? from : 0;
            end = isConstant ? to : 0;
        } else if (end > 0 && sscanf(line, "Anonymous: %lu", &copied) == 1) {
            continue;
        } else if (end > 0 && sscanf(line, "Swap: %lu", &swapped) == 1) {
            // Pages that a debugger, a probe or a relocation has changed would lose that.
            if (copied == 0 && swapped == 0) madvise((void *)start, end - start, MADV_DONTNEED);
            end = 0;
        }
    }
    fclose(maps);
}
