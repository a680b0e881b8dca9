"""A Wayland program that fails. Usage: planted_failure.py crash|exit|protocol|leak|hang

It speaks the wire protocol itself. Whatever happens to its clients, it ends with status 0, unless it hangs.
"""

import os
import signal
import socket
import struct
import sys


def connect():
    """Connects, and waits until the server has answered."""
    path = os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"])
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    # wl_display.get_registry as 2, and sync as 3.
    server.sendall(struct.pack("=IHHI", 1, 1, 12, 2) + struct.pack("=IHHI", 1, 0, 12, 3))
    received = b""
    # wl_callback.done
    while struct.pack("=IHH", 3, 0, 12) not in received:
        received += server.recv(65536)
    return server


def client(body):
    """Runs the body in a process of its own, which is collected when the server has seen its end."""
    if os.fork() == 0:
        body()
        os._exit(0)
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    connect().close()
    os.wait()


def crash():
    server = connect()
    os.kill(os.getpid(), signal.SIGSEGV)
    server.close()


def leave():
    server = connect()
    os._exit(7)


def break_protocol():
    server = connect()
    # An object that does not exist.
    server.sendall(struct.pack("=IHH", 77, 3, 8))
    while server.recv(65536):
        pass


mode = sys.argv[1]
if mode == "crash":
    client(crash)
elif mode == "exit":
    client(leave)
elif mode == "protocol":
    client(break_protocol)
elif mode == "leak":
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "1000"])
elif mode == "hang":
    server = connect()
    print("waiting for what never comes", flush=True)
    signal.pause()
