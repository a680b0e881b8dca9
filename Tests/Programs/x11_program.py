"""An X11 program that shows a window, and ends. Usage: x11_program.py crash|abort|exit|end|stay [NAME]

It speaks the wire protocol itself. If $CTL is mullionctl, it is a child, which is collected when its window is gone in the
server, too. Whatever happens to the child, this ends with status 0. $PLACE is where the window is created: X,Y.
"""

import os
import signal
import socket
import struct
import subprocess
import sys


def show():
    """Returns a connection with a window that the window manager has mapped."""
    number = os.environ["DISPLAY"].lstrip(":")
    server = socket.socket(socket.AF_UNIX)
    server.connect("/tmp/.X11-unix/X" + number)

    def read(count):
        received = b""
        while len(received) < count:
            piece = server.recv(count - len(received))
            if not piece:
                raise EOFError("the X server closed the connection")
            received += piece
        return received

    # Little-endian, version 11.0, without authorisation.
    server.sendall(struct.pack("<BxHHHHxx", 0x6C, 11, 0, 0, 0))
    accepted, _, _, length = struct.unpack("<BxHHH", read(8))
    setup = read(4 * length)
    assert accepted == 1, setup
    base, = struct.unpack_from("<I", setup, 4)
    vendor, formats = struct.unpack_from("<H", setup, 16)[0], setup[21]
    root, = struct.unpack_from("<I", setup, 32 + (vendor + 3) // 4 * 4 + 8 * formats)
    # CreateWindow of 200 by 100 pixels, with a background and StructureNotify, and MapWindow.
    x, y = map(int, os.environ.get("PLACE", "0,0").split(","))
    values = (0x2 | 0x800, 0xFF00FF, 1 << 17)
    server.sendall(struct.pack("<BBHIIhhHHHHIIII", 1, 0, 10, base, root, x, y, 200, 100, 0, 1, 0, *values))
    server.sendall(struct.pack("<BxHI", 8, 2, base))
    # MapNotify
    while read(32)[0] & 0x7F != 19:
        pass
    return server


def fail(mode):
    server = show()
    if mode == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "abort":
        os.abort()
    elif mode == "stay":
        signal.pause()
    server.close()
    os._exit(7 if mode == "exit" else 0)


if len(sys.argv) > 2:
    with open("/proc/self/comm", "w", encoding="utf-8") as name:
        name.write(sys.argv[2])
if "CTL" not in os.environ:
    fail(sys.argv[1])
child = os.fork()
if child == 0:
    fail(sys.argv[1])
os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
subprocess.run([os.environ["CTL"], "wait", "gone", "timeout=60s"], check=True)
os.waitpid(child, 0)
