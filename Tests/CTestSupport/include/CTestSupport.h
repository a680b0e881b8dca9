// What tests need of Linux and Swift's Glibc module does not offer.
#pragma once
#include <stdint.h>

/// Connects to a Unix stream socket as another user: the calling thread takes on the user and group while it connects, so
/// that SO_PEERCRED names them. Needs root. Returns a blocking, close-on-exec descriptor, or -1 with errno.
int test_connect_as(const char *path, uint32_t user, uint32_t group);

enum test_guard_case {
    /// Several guards at once, each of whose memory is gone; exits with 0, or the number of what was wrong.
    TEST_GUARD_NESTED,
    /// A fault in memory that no guard is for, while one is there.
    TEST_GUARD_OTHER_MEMORY,
    /// A fault in memory whose guard has ended.
    TEST_GUARD_ENDED,
    /// A SIGBUS that a process sends.
    TEST_GUARD_SENT,
};
/// Does this in a process of its own. Its exit status, or the negative number of the signal that ended it.
int test_guard(enum test_guard_case what);
