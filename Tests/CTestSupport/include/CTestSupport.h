// What tests need of Linux and Swift's Glibc module does not offer.
#pragma once
#include <stdint.h>

/// Connects to a Unix stream socket as another user: the calling thread takes on the user and group while it connects, so
/// that SO_PEERCRED names them. Needs root. Returns a blocking, close-on-exec descriptor, or -1 with errno.
int test_connect_as(const char *path, uint32_t user, uint32_t group);
