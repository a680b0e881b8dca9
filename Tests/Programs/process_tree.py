"""A command whose processes are hard to end. Usage: process_tree.py FLAG [ignore|end|crash]

Starts daemons that have left its session: one ignores SIGTERM, and one is stopped. Creates the file FLAG when they are
ready, and waits, unless it is to end.
"""

import os
import signal
import sys

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


def start_daemon(prepare):
    ready, done = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        prepare()
        os.write(done, b"x")
        os.close(done)
        if prepare is stop:
            os.kill(os.getpid(), signal.SIGSTOP)
        while True:
            signal.pause()
    os.close(done)
    os.read(ready, 1)
    os.wait()


def ignore():
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def stop():
    pass


mode = sys.argv[2] if len(sys.argv) > 2 else ""
for number in ENDING:
    signal.signal(number, signal.SIG_DFL)
if mode != "end":
    start_daemon(ignore)
start_daemon(stop)
start_daemon(lambda: None)
if mode == "ignore":
    ignore()
open(sys.argv[1], "w").close()
if mode == "end":
    sys.exit(7)
if mode == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
while True:
    signal.pause()
