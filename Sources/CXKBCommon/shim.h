#pragma once
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xkbcommon/xkbcommon.h>
#include <xkbcommon/xkbcommon-compose.h>
#include <xkbcommon/xkbcommon-keysyms.h>

// What became of a text that was compiled apart.
enum {
    XKB_APART_COMPILED = 0,
    XKB_APART_REFUSED = 1,
    /// The process has died of it, or used a second of processor time.
    XKB_APART_DIED = 2,
    /// There was no process; errno says why.
    XKB_APART_IMPOSSIBLE = 3,
};

/// Keeps the first of XKB's complaints, in the file that is the context's user data.
static inline void xkb_apart_log(
    struct xkb_context *context, enum xkb_log_level level, const char *format, va_list arguments
) {
    int file = (int)(long)xkb_context_get_user_data(context);
    if (file < 0 || level > XKB_LOG_LEVEL_ERROR) return;
    xkb_context_set_user_data(context, (void *)-1L);
    vdprintf(file, format, arguments);
}

/// What the process does that compiles: the text, and then XKB's own words for it, as the readers of those will.
static inline int xkb_apart_compile(const char *text, int file) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // An assertion's words are nobody's, and a dead compiler leaves no core.
    close(STDERR_FILENO);
    prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
    const struct itimerval second = { .it_value.tv_sec = 1 };
    setitimer(ITIMER_PROF, &second, NULL);

    struct xkb_context *context = xkb_context_new(XKB_CONTEXT_NO_FLAGS);
    if (!context) return XKB_APART_REFUSED;
    xkb_context_set_user_data(context, (void *)(long)file);
    xkb_context_set_log_fn(context, xkb_apart_log);
    struct xkb_keymap *keymap =
        xkb_keymap_new_from_string(context, text, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS);
    if (!keymap) return XKB_APART_REFUSED;
    char *words = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1);
    if (!words) return XKB_APART_REFUSED;
    if (!xkb_keymap_new_from_string(context, words, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)) {
        return XKB_APART_REFUSED;
    }
    // Complaints that refused nothing go.
    size_t length = strlen(words);
    if (ftruncate(file, 0) != 0 || pwrite(file, words, length, 0) != (ssize_t)length) return XKB_APART_REFUSED;
    return XKB_APART_COMPILED;
}

/// Compiles a stranger's text in a process of its own: XKB's compiler does not survive every text.
/// The file, which is empty, gets XKB's words for the keymap, or its complaint.
static inline int xkb_compile_apart(const char *text, int file) {
    pid_t process = fork();
    if (process == 0) _exit(xkb_apart_compile(text, file));
    if (process < 0) return XKB_APART_IMPOSSIBLE;
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return XKB_APART_IMPOSSIBLE;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) <= XKB_APART_REFUSED ? WEXITSTATUS(status) : XKB_APART_DIED;
}
