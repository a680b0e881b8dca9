#!/usr/bin/python3
"""Starts Xwayland with a root window of its own, and in it a program: xwayland_program.py PROGRAM [ARGUMENT…].

Ends with Xwayland, which SIGTERM ends.
"""

import os
import signal
import subprocess
import sys

reader, writer = os.pipe()
server = subprocess.Popen(
    ["Xwayland", "-displayfd", str(writer), "-noreset", "-nolisten", "tcp"], pass_fds=[writer])
os.close(writer)
# Xwayland chooses a number that is free, and writes it when programs can connect.
with os.fdopen(reader) as pipe:
    number = pipe.readline().strip()
if not number:
    sys.exit(f"Xwayland ended with {server.wait()}")
program = subprocess.Popen(
    sys.argv[1:], env={**os.environ, "DISPLAY": ":" + number, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb"})
signal.signal(signal.SIGTERM, lambda *_: server.terminate())
server.wait()
print("close", flush=True)
program.wait()
sys.exit(server.returncode)
