"""Types Ctrl-C for mullionctl run. Usage: terminal_keys.py starting|left|foreground MULLIONCTL FOLDER

Runs it on a terminal of its own. Its command is about to be started, has left the foreground, or is in it and writes
down which signals it receives. Prints the exit status of run, or "runs" if it has not ended, and these signals.
"""

import ctypes
import os
import pty
import select
import signal
import sys
import threading
import time

mode, program, folder = sys.argv[1:]
flag, log, temporary = (os.path.join(folder, name) for name in ("flag", "log", "temporary"))
os.mkdir(temporary)
catching = f'trap "echo INT >>{log}" INT; trap "echo TERM >>{log}; exit 9" TERM; touch {flag}; while :; do sleep 1000 & wait; done'
commands = {
    "starting": ["sleep", "1000"],
    "left": ["setsid", "sh", "-c", f"touch {flag}; exec sleep 1000"],
    "foreground": ["sh", "-c", catching],
}


def wait_for(condition):
    """Looks again whenever an entry of the folders has changed, the child has ended, or the time is up."""
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        select.select([changes, wakeup], [], [], end - time.monotonic())
        for descriptor in (changes, wakeup):
            try:
                os.read(descriptor, 65536)
            except BlockingIOError:
                pass
    return condition()


libc = ctypes.CDLL(None, use_errno=True)
changes = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
IN_CREATE, IN_CLOSE_WRITE = 0x100, 0x8
for watched in (folder, temporary):
    libc.inotify_add_watch(changes, os.fsencode(watched), IN_CREATE | IN_CLOSE_WRITE)
wakeup, wakeup_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
signal.set_wakeup_fd(wakeup_end)
signal.signal(signal.SIGCHLD, lambda number, frame: None)


def drain():
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass


status = None


def has_ended():
    global status
    if status is None:
        ended, code = os.waitpid(run, os.WNOHANG)
        status = os.waitstatus_to_exitcode(code) if ended else None
    return status is not None


run, terminal = pty.fork()
if run == 0:
    os.environ["TMPDIR"] = temporary
    os.execv(program, [program, "run", "--", *commands[mode]])
threading.Thread(target=drain, daemon=True).start()
# It creates a folder when it begins.
ready = (lambda: os.listdir(temporary)) if mode == "starting" else (lambda: os.path.exists(flag))
wait_for(lambda: ready() or has_ended())
os.write(terminal, b"\x03")
if mode == "foreground":
    wait_for(lambda: os.path.exists(log))
    os.kill(run, signal.SIGTERM)
if wait_for(has_ended):
    print(status)
else:
    print("runs")
    os.kill(run, signal.SIGKILL)
    wait_for(has_ended)
if os.path.exists(log):
    print(open(log).read(), end="")
