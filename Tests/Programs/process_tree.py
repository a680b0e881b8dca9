"""A command whose processes are hard to end. Usage: process_tree.py FLAG [ignore|end|crash|stopServer]

Starts daemons that have left its session: one ignores SIGTERM, and one is stopped. Where there is an accessibility bus,
its services are started too. Stops the server, if asked to. Creates the file FLAG when they are ready, and waits, unless
it is to end.
"""

import os
import signal
import subprocess
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


def start_services():
    def ask(bus, name, path, method):
        words = ["dbus-send", bus, "--print-reply=literal", "--dest=" + name, path, method]
        return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    address = ask("--session", "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress")
    registry = "org.a11y.atspi.Registry"
    ask("--bus=" + address, registry, "/org/a11y/atspi/accessible/root", "org.a11y.atspi.Accessible.GetRole")


def ignore():
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def stop():
    pass


def stop_server():
    """The server is started by the same process as this one."""
    parent = os.getppid()
    with open(f"/proc/{parent}/task/{parent}/children") as children:
        for child in children.read().split():
            with open(f"/proc/{child}/comm") as name:
                if name.read() == "mulliond\n":
                    os.kill(int(child), signal.SIGSTOP)


mode = sys.argv[2] if len(sys.argv) > 2 else ""
for number in ENDING:
    signal.signal(number, signal.SIG_DFL)
if mode != "end":
    start_daemon(ignore)
start_daemon(stop)
start_daemon(lambda: None)
if "ACCESSIBILITY_ENABLED" in os.environ:
    start_services()
if mode == "stopServer":
    stop_server()
if mode == "ignore":
    ignore()
open(sys.argv[1], "w").close()
if mode == "end":
    sys.exit(7)
if mode == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
while True:
    signal.pause()
