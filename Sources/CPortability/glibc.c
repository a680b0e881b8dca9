// Definitions of what newer versions of glibc have added, so that programs that were built on Debian 12, with glibc 2.36, run
// with glibc 2.34: RHEL 9, Ubuntu 22.04. Hidden, they are those of the program and not of the libraries that it loads.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

// 2.36: the random numbers of libevent.

HIDDEN void arc4random_buf(void *buffer, size_t size) {
    unsigned char *rest = buffer;
    while (size > 0) {
        ssize_t count = getrandom(rest, size, 0);
        if (count < 0 && errno != EINTR) abort();
        if (count > 0) {
            rest += count;
            size -= (size_t)count;
        }
    }
}

HIDDEN uint32_t arc4random(void) {
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}

// 2.35: a variant that does not set errno. Every glibc has the older one; the linker option --wrap leads calls here.

#if defined(__x86_64__)
__asm__(".symver first_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver first_hypotf, hypotf@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver first_hypot, hypot@GLIBC_2.17");
__asm__(".symver first_hypotf, hypotf@GLIBC_2.17");
#endif
double first_hypot(double x, double y);
float first_hypotf(float x, float y);
double __wrap_hypot(double x, double y);
float __wrap_hypotf(float x, float y);

double __wrap_hypot(double x, double y) { return first_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return first_hypotf(x, y); }

// 2.35: finds the unwinding tables of C++ exceptions, which libgcc does in vain here: nothing in these programs catches one,
// so that it ends the process in any case.

struct dl_find_object;
HIDDEN int _dl_find_object(void *address, struct dl_find_object *result) {
    (void)address;
    (void)result;
    return -1;
}
