// What Linux has and Swift's Glibc module hides: memfd_create, mremap, the CMSG_* macros, handlers that know the address
// of a fault.
#pragma once
#include <features.h>
#include <fcntl.h>
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
/// fcntl(2) with a number, which Swift cannot call.
int linux_fcntl(int fd, int command, int argument);

/// Of which device a file is, as st_dev, without asking its file system, which may be FUSE; 0 or -1 with errno.
int linux_device(int fd, unsigned *major, unsigned *minor);
/// Whether memory is on hugetlbfs. Ask only what has seals: another file system may not answer.
int linux_has_huge_pages(int fd);

// MARK: Threads

/// Raises the nice value of the calling thread by 10, so that the other threads of this process run first. Does nothing where
/// the system refuses it.
void linux_give_way(void);

/// gettid(2)
int linux_thread(void);
/// Microseconds of processor time that a thread of this process has used; 0 when it is gone.
uint64_t linux_thread_time(int thread);
/// Whether a thread of this process sleeps or waits for a device; 0 when it runs, or could.
int linux_thread_waits(int thread);

// MARK: Sockets

/// At most this many descriptors travel in one message of ours (libwayland's limit).
enum { LINUX_MAX_DESCRIPTORS = 28 };
/// As many descriptors as the kernel lets travel in one message (SCM_MAX_FD).
enum { LINUX_MANY_DESCRIPTORS = 253 };

struct linux_peer { int32_t pid; uint32_t uid, gid; };

/// A blocking, close-on-exec connection to a Unix socket, or -1 with errno (ENAMETOOLONG for a path that does not fit).
int linux_connect_unix(const char *path);
/// SO_PEERCRED; 0 or -1 with errno.
int linux_peer_credentials(int fd, struct linux_peer *peer);
/// SO_PEERGROUPS: the supplementary groups that the peer had when it connected.
/// Returns how many there are; more than `count`: none were written. -1 with errno.
int linux_peer_groups(int fd, uint32_t *groups, int count);
/// accept4(2): a non-blocking, close-on-exec connection, or -1 with errno.
int linux_accept4(int fd);
/// 1: a Unix stream socket that listens; it is made non-blocking, until somebody else who has it changes that. Else 0.
int linux_adopt_listener(int fd);
/// Whether nobody can connect to a listening socket any more.
int linux_is_shut_down(int fd);
/// Bytes that wait on a socket to be received (SIOCINQ), or -1 with errno.
int linux_unreceived(int fd);
/// Bytes sent on a Unix socket that the peer has not read (SIOCOUTQ, kernel overhead included), or -1 with errno.
int linux_unread(int fd);
/// Reads up to `length` bytes and up to `maximum` (at most LINUX_MANY_DESCRIPTORS) descriptors, close-on-exec, without
/// waiting. Returns recvmsg's result; *count descriptors were received, *truncated says whether some were lost.
ssize_t linux_receive(int fd, void *bytes, size_t length, int *descriptors, int maximum, int *count, int *truncated);
/// Sends bytes with `count` (at most LINUX_MAX_DESCRIPTORS) descriptors, without waiting; sendmsg's result.
ssize_t linux_send(int fd, const void *bytes, size_t length, const int *descriptors, int count);

/// From now on pieces of at least that size are mapped on their own and go back to the system as soon as they are freed.
/// By itself glibc raises that size with what is freed, up to 32 MiB.
void linux_keep_large_memory_apart(size_t bytes);
/// Makes free() merge small pieces with their free neighbours immediately. By default glibc defers that to the next large
/// malloc(), which then takes milliseconds.
void linux_merge_memory_at_once(void);
/// Gives free memory in between back to the system.
void linux_trim_memory(void);

// MARK: Memory that others can take away

/// A range of mapped memory that this thread is about to use, although its file may have become too short for it. It stays
/// where it is, and belongs to these functions, from `linux_guard_begin` to `linux_guard_end`.
///
/// A SIGBUS for an address in the range replaces the whole range by anonymous pages of zeros, and the use goes on. Guards
/// nest: an inner one adds its range to those of the outer ones, and ends first. A SIGBUS for any other address, or one that
/// another process sent, has its default action: it ends the process with a core.
struct linux_guard {
    uintptr_t base;
    size_t length;
    int protection;
    volatile int faulted;
    struct linux_guard *outer;
};
/// `writable`: the pages of zeros can be written.
void linux_guard_begin(struct linux_guard *guard, void *base, size_t length, int writable);
/// Returns whether the memory was gone.
int linux_guard_end(struct linux_guard *guard);
