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
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xkbcommon/xkbcommon.h>
#include <xkbcommon/xkbcommon-compose.h>
#include <xkbcommon/xkbcommon-keysyms.h>

// Results and limits of compiling a keymap in a separate process.
enum {
    XKB_APART_COMPILED = 0,
    XKB_APART_REFUSED = 1,
    /// The process crashed or exceeded one of its limits.
    XKB_APART_DIED = 2,
    /// fork() or wait4() failed with errno.
    XKB_APART_IMPOSSIBLE = 3,
    /// The processor time allowed per keymap, in milliseconds.
    XKB_APART_TIME = 200,
    /// The real time allowed per keymap, in seconds, for slow machines.
    XKB_APART_PATIENCE = 10,
    /// The additional memory allowed per keymap, in bytes.
    XKB_APART_MEMORY = 128 << 20,
    /// The number of evdev key codes; the highest is KEY_MAX.
    XKB_APART_KEYS = 0x300,
};

/// Writes XKB's first error message to the file given by the context's user data.
static inline void xkb_apart_log(
    struct xkb_context *context, enum xkb_log_level level, const char *format, va_list arguments
) {
    int file = (int)(long)xkb_context_get_user_data(context);
    if (file < 0 || level > XKB_LOG_LEVEL_ERROR) return;
    xkb_context_set_user_data(context, (void *)-1L);
    vdprintf(file, format, arguments);
}

/// Sandboxes a process that has just been forked. Keeps only one descriptor open, so that this process does not delay a
/// peer that waits for another descriptor to be closed.
static inline int xkb_apart_confine(int file, size_t limit) {
    int kept = dup2(file, STDIN_FILENO);
    syscall(SYS_close_range, kept + 1, ~0u, 0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // No core dumps of a crashed compiler; assertion messages are discarded.
    prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
    // This timer measures processor time. setitimer samples it at ticks, which on a busy machine counts other processes'
    // time too. RLIMIT_CPU, in seconds, is the fallback where there is no such timer.
    const struct itimerspec time = { .it_value = { .tv_nsec = XKB_APART_TIME * 1000000L } };
    struct sigevent death = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
    timer_t timer;
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &death, &timer) == 0) timer_settime(timer, 0, &time, NULL);
    const struct rlimit seconds = { 1, 1 };
    setrlimit(RLIMIT_CPU, &seconds);
    // The server waits meanwhile: end the process even if the machine gives it no processor time.
    alarm(XKB_APART_PATIENCE);
    const struct rlimit size = { limit + XKB_APART_KEYS / 8, limit + XKB_APART_KEYS / 8 };
    setrlimit(RLIMIT_FSIZE, &size);
    unsigned long pages = 0;
    FILE *status = fopen("/proc/self/statm", "re");
    if (status && fscanf(status, "%lu", &pages) == 1) {
        const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + XKB_APART_MEMORY;
        const struct rlimit memory = { bytes, bytes };
        setrlimit(RLIMIT_AS, &memory);
    }
    return kept;
}

/// Runs in the child process: compiles the text, then compiles XKB's serialization of the result, as clients will.
static inline int xkb_apart_compile(const char *text, int file, size_t limit) {
    file = xkb_apart_confine(file, limit);
    struct xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
    if (!context) return XKB_APART_REFUSED;
    xkb_context_set_user_data(context, (void *)(long)file);
    xkb_context_set_log_fn(context, xkb_apart_log);
    struct xkb_keymap *keymap =
        xkb_keymap_new_from_string(context, text, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap) return XKB_APART_REFUSED;
    // Discard messages that were not fatal.
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0) return XKB_APART_REFUSED;
    xkb_context_set_user_data(context, (void *)(long)file);
    char *words = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1);
    if (!words) return XKB_APART_REFUSED;
    size_t length = strlen(words);
    if (length >= limit) {
        dprintf(file, "its serialization has %zu bytes; at most %zu are allowed", length, limit - 1);
        return XKB_APART_REFUSED;
    }
    keymap = xkb_keymap_new_from_string(context, words, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap) return XKB_APART_REFUSED;
    // A bit for each key that repeats, lowest key first. XKB's codes are evdev's plus 8.
    unsigned char repeating[XKB_APART_KEYS / 8] = { 0 };
    for (unsigned key = 0; key < XKB_APART_KEYS; key++) {
        if (xkb_keymap_key_repeats(keymap, key + 8)) repeating[key / 8] |= (unsigned char)(1u << (key % 8));
    }
    const off_t start = sizeof repeating;
    if (ftruncate(file, 0) != 0 || pwrite(file, repeating, sizeof repeating, 0) != (ssize_t)sizeof repeating
        || pwrite(file, words, length, start) != (ssize_t)length) {
        return XKB_APART_REFUSED;
    }
    return XKB_APART_COMPILED;
}

/// Compiles a client's keymap in a separate process, because some texts crash XKB's compiler.
/// Writes to the file, which must be empty: a bit for each key that repeats and XKB's serialization of the keymap, shorter
/// than `limit` bytes; or XKB's error message. Sets `microseconds` to the processor time used.
static inline int xkb_compile_apart(const char *text, int file, size_t limit, uint64_t *microseconds) {
    *microseconds = 0;
    pid_t process = fork();
    if (process == 0) _exit(xkb_apart_compile(text, file, limit));
    if (process < 0) return XKB_APART_IMPOSSIBLE;
    int status = 0;
    struct rusage usage = { 0 };
    while (wait4(process, &status, 0, &usage) < 0) {
        if (errno != EINTR) return XKB_APART_IMPOSSIBLE;
    }
    *microseconds = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000
        + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return WIFEXITED(status) && WEXITSTATUS(status) <= XKB_APART_REFUSED ? WEXITSTATUS(status) : XKB_APART_DIED;
}
