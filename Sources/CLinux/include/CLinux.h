// Linux functions that Swift's Glibc module does not provide: memfd_create, mremap, the CMSG_* macros, signal handlers that
// receive the fault address.
#pragma once
#include <features.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

// MARK: Files and memory

/// memfd_create(2)
int linux_memfd_create(const char *name, unsigned flags);
/// mremap(2), which may move the mapping; MAP_FAILED with errno.
void *linux_mremap(void *old, size_t size, size_t new_size);
/// fcntl(2) with an integer argument; it is variadic and cannot be called from Swift.
int linux_fcntl(int fd, int command, int argument);

/// The device of a file, like st_dev, without querying its file system, which may be FUSE and block.
/// Returns 0, or -1 with errno.
int linux_device(int fd, unsigned *major, unsigned *minor);
/// Whether a memfd is on hugetlbfs. Call it only for descriptors with seals: other file systems may block.
int linux_has_huge_pages(int fd);

/// Whether a descriptor is a pipe or a socket; never waits, whatever the descriptor is.
int linux_is_pipe_or_socket(int fd);

// MARK: Relays

/// Starts a copy of this process that moves bytes from `socket` to `stranger`, or with `reads` the other way, until one of the
/// two ends, and closes all its other descriptors. It begins when it receives a byte on `socket`, and ends when there is none.
/// It also ends when writing to `stranger` waits for more than `patience` seconds. Returns its id, or -1 with errno.
int linux_start_relay(int socket, int stranger, int reads, unsigned patience);
/// Waits for the end of such a process; collects it, or leaves that to another call. Returns 0, or -1 with errno.
int linux_wait_for_relay(int process, int collects);

// MARK: Threads

/// Raises the nice value of the calling thread by 10, so that the other threads of this process run first. Ignores failure.
void linux_give_way(void);

/// gettid(2)
int linux_thread(void);
/// Microseconds of processor time that a thread of this process has used; 0 when it is gone.
uint64_t linux_thread_time(int thread);
/// Whether a thread of this process sleeps or waits for a device; 0 when it is running or runnable.
int linux_thread_waits(int thread);

// MARK: Processes

/// fork(2), for processes with one thread.
int linux_fork(void);
/// pipe2(2) with close-on-exec ends. Returns 0, or -1 with errno.
int linux_pipe(int ends[2]);
/// posix_spawn_file_actions_addclosefrom_np(3)
int linux_close_when_spawned(posix_spawn_file_actions_t *actions, int first);
/// Makes this process the parent of its descendants whose parents end (PR_SET_CHILD_SUBREAPER). Returns 0, or -1 with errno.
int linux_adopt_orphans(void);
/// pidfd_open(2): a close-on-exec descriptor of a process, readable once it has ended, or -1 with errno.
int linux_process_descriptor(int process);
/// Keeps a process from writing files, core dumps too, and from opening more descriptors than this number (RLIMIT_FSIZE,
/// RLIMIT_CORE, RLIMIT_NOFILE). Returns 0, or -1 with errno.
int linux_limit_files(int process, uint64_t descriptors);
/// The version of Landlock in the kernel; below 1 without it.
int linux_landlock_version(void);
/// Takes from the calling thread, and from what it starts, the means to gain privileges (PR_SET_NO_NEW_PRIVS) and, as far as
/// the kernel has Landlock, to change files, serve TCP and signal others. Returns 0, or -1 with errno.
int linux_confine_thread(void);
/// Makes the kernel send this process a signal when its parent ends (PR_SET_PDEATHSIG). Returns 0, or -1 with errno.
int linux_signal_when_parent_ends(int number);
/// The name of this process in lists, up to 15 bytes (PR_SET_NAME).
void linux_set_process_name(const char *name);
/// posix_spawn_file_actions_addchdir_np(3): the program's working directory. Returns 0, or an error.
int linux_spawn_in_directory(posix_spawn_file_actions_t *actions, const char *path);
/// SIGRTMIN, which is a function call in C.
int linux_first_realtime_signal(void);
/// signalfd(2): a close-on-exec descriptor that is readable while one of these blocked signals is pending, or -1 with errno.
int linux_signal_descriptor(const sigset_t *signals);

// MARK: Sockets

/// The most descriptors sent in one message (libwayland's limit).
enum { LINUX_MAX_DESCRIPTORS = 28 };
/// The most descriptors the kernel allows in one message (SCM_MAX_FD).
enum { LINUX_MANY_DESCRIPTORS = 253 };

struct linux_peer { int32_t pid; uint32_t uid, gid; };

/// Opens a blocking, close-on-exec connection to a Unix socket; also its writes end after that many seconds, if they are not
/// 0. Returns -1 with errno on failure: EAGAIN when nobody accepts in time, ENAMETOOLONG when the path is too long.
int linux_connect_unix(const char *path, int seconds);
/// The same for a name in the abstract namespace, given without the NUL at its start.
int linux_connect_abstract(const char *name);
/// SO_PEERCRED. Returns 0, or -1 with errno.
int linux_peer_credentials(int fd, struct linux_peer *peer);
/// SO_PEERGROUPS: the supplementary groups that the peer had when it connected.
/// Returns their number, or -1 with errno. If the number exceeds `count`, none are written.
int linux_peer_groups(int fd, uint32_t *groups, int count);
/// SO_PEERPIDFD (Linux 6.5): a close-on-exec descriptor of the process that connected, which stays its own when the number is
/// used again. Returns -1 with errno.
int linux_peer_process(int fd);
/// How the process of such a descriptor has ended, also after its parent has collected it (PIDFD_GET_INFO, Linux 6.15).
/// Returns 1 and sets *code as waitpid(2) does; 0 while it runs; -1 with errno when the kernel cannot tell.
int linux_process_exit(int process, int *code);
/// accept4(2): a non-blocking, close-on-exec connection, or -1 with errno.
int linux_accept4(int fd);
/// Makes a listening Unix stream socket non-blocking. Returns 1, or 0 for any other descriptor. Another process that
/// shares the socket can change the mode again.
int linux_adopt_listener(int fd);
/// The same for a connected Unix stream socket.
int linux_adopt_connection(int fd);
/// Whether a listening socket was shut down, so that nobody can connect to it.
int linux_is_shut_down(int fd);
/// Bytes available to read from a socket (SIOCINQ), or -1 with errno.
int linux_unreceived(int fd);
/// Bytes sent on a Unix socket that the peer has not read (SIOCOUTQ, kernel overhead included), or -1 with errno.
int linux_unread(int fd);
/// Reads up to `length` bytes and up to `maximum` (at most LINUX_MANY_DESCRIPTORS) descriptors, close-on-exec, without
/// blocking. Returns recvmsg's result and sets *count to the number of descriptors, *truncated if some were lost.
ssize_t linux_receive(int fd, void *bytes, size_t length, int *descriptors, int maximum, int *count, int *truncated);
/// Sends bytes with `count` (at most LINUX_MAX_DESCRIPTORS) descriptors, without blocking. Returns sendmsg's result.
ssize_t linux_send(int fd, const void *bytes, size_t length, const int *descriptors, int count);

/// Makes malloc() map blocks of at least this size individually, so that they are returned to the system when freed.
/// By default glibc raises this threshold as mapped blocks are freed, up to 32 MiB.
void linux_keep_large_memory_apart(size_t bytes);
/// Makes free() merge small pieces with their free neighbours immediately. By default glibc defers that to the next large
/// malloc(), which then takes milliseconds.
void linux_merge_memory_at_once(void);
/// The arguments of main(), the program's name first. They live as long as the process.
int linux_argument_count(void);
const char *linux_argument(int index);
/// Returns unused heap memory to the system.
void linux_trim_memory(void);
/// Unmaps the pages of the program's and its libraries' code and constants (MADV_DONTNEED), except for mappings that have
/// been written to. Those that are used again are mapped again from the page cache.
void linux_unmap_code(void);

// MARK: Memory that other processes can truncate

/// A mapped range that this thread is about to access, although its file may be truncated. The struct must not move or be
/// modified between `linux_guard_begin` and `linux_guard_end`.
///
/// A SIGBUS for an address in the range replaces the whole range by anonymous zero pages, and execution continues. Guards
/// nest: an inner one adds its range to those of the outer ones, and ends first. A SIGBUS for any other address, or one sent
/// by a process, has its default action: it terminates the process with a core dump.
struct linux_guard {
    uintptr_t base;
    size_t length;
    int protection;
    volatile int faulted;
    struct linux_guard *outer;
};
/// Begins guarding a range. `writable` makes the zero pages writable.
void linux_guard_begin(struct linux_guard *guard, void *base, size_t length, int writable);
/// Ends the guard. Returns whether the memory was truncated.
int linux_guard_end(struct linux_guard *guard);
