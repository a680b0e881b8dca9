#pragma once
#include <features.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <xkbcommon/xkbcommon.h>
#include <xkbcommon/xkbcommon-compose.h>
#include <xkbcommon/xkbcommon-keysyms.h>

// Results and limits of a process that compiles a keymap.
enum {
    XKB_APART_COMPILED = 0,
    XKB_APART_REFUSED = 1,
    /// The processor time allowed per keymap, in milliseconds.
    XKB_APART_TIME = 200,
    /// The real time allowed per keymap, in seconds, for slow machines.
    XKB_APART_PATIENCE = 10,
    /// The additional memory allowed per keymap, in bytes.
    XKB_APART_MEMORY = 128 << 20,
    /// The number of evdev key codes; the highest is KEY_MAX.
    XKB_APART_KEYS = 0x300,
};

/// Writes XKB's first error message to standard error.
static inline void xkb_apart_log(
    struct xkb_context *context, enum xkb_log_level level, const char *format, va_list arguments
) {
    if (xkb_context_get_user_data(context) || level > XKB_LOG_LEVEL_ERROR) return;
    xkb_context_set_user_data(context, context);
    vdprintf(STDERR_FILENO, format, arguments);
}

/// Limits the time and the memory of this process.
static inline void xkb_apart_limit(void) {
    // No core dumps of a crashed compiler.
    prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
    // This timer measures processor time. setitimer samples it at ticks, which on a busy machine counts other processes'
    // time too. RLIMIT_CPU, in seconds, is the fallback where there is no such timer.
    const struct itimerspec time = { .it_value = { .tv_nsec = XKB_APART_TIME * 1000000L } };
    struct sigevent death = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
    timer_t timer;
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &death, &timer) == 0) timer_settime(timer, 0, &time, NULL);
    const struct rlimit seconds = { 1, 1 };
    setrlimit(RLIMIT_CPU, &seconds);
    // The server may have ended meanwhile.
    alarm(2 * XKB_APART_PATIENCE);
    unsigned long pages = 0;
    FILE *status = fopen("/proc/self/statm", "re");
    if (status && fscanf(status, "%lu", &pages) == 1) {
        const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + XKB_APART_MEMORY;
        const struct rlimit memory = { bytes, bytes };
        setrlimit(RLIMIT_AS, &memory);
    }
}

/// Writes all bytes to standard output.
static inline int xkb_apart_write(const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return 0;
        bytes = (const char *)bytes + written;
        count -= (size_t)written;
    }
    return 1;
}

/// A context that finds XKB's data where the system has them, else in another folder.
/// Returns NULL only without memory.
static inline struct xkb_context *xkb_context_with_data(const char *folder) {
    struct xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_DEFAULT_INCLUDES);
    if (!context) return NULL;
    // A missing folder is an error in the log, but none for keymaps that include nothing.
    enum xkb_log_level level = xkb_context_get_log_level(context);
    xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL);
    xkb_context_include_path_append_default(context);
    if (folder) xkb_context_include_path_append(context, folder);
    xkb_context_set_log_level(context, level);
    return context;
}

/// Compiles the text, then compiles XKB's serialization of the result, as clients will. Writes to standard output a bit
/// for each key that repeats, and the serialization with its NUL, of at most `limit` bytes; or XKB's error message to
/// standard error. `data` is as for `xkb_context_with_data`.
static inline int xkb_apart_compile(const char *text, const char *data, size_t limit) {
    struct xkb_context *context = xkb_context_with_data(data);
    if (!context) return XKB_APART_REFUSED;
    xkb_context_set_log_fn(context, xkb_apart_log);
    struct xkb_keymap *keymap =
        xkb_keymap_new_from_string(context, text, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap) return XKB_APART_REFUSED;
    // Reports the first message again: the one before was not fatal.
    xkb_context_set_user_data(context, NULL);
    char *words = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1);
    if (!words) return XKB_APART_REFUSED;
    size_t length = strlen(words);
    if (length >= limit) {
        dprintf(STDERR_FILENO, "\nits serialization has %zu bytes; at most %zu are allowed", length, limit - 1);
        return XKB_APART_REFUSED;
    }
    keymap = xkb_keymap_new_from_string(context, words, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap) return XKB_APART_REFUSED;
    // A bit for each key that repeats, lowest key first. XKB's codes are evdev's plus 8.
    unsigned char repeating[XKB_APART_KEYS / 8] = { 0 };
    for (unsigned key = 0; key < XKB_APART_KEYS; key++) {
        if (xkb_keymap_key_repeats(keymap, key + 8)) repeating[key / 8] |= (unsigned char)(1u << (key % 8));
    }
    if (!xkb_apart_write(repeating, sizeof repeating) || !xkb_apart_write(words, length + 1)) return XKB_APART_REFUSED;
    return XKB_APART_COMPILED;
}
