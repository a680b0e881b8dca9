#!/usr/bin/python3
"""Runs a program on another machine, through waypipe: remote_machine.py FOLDER PROGRAM [ARGUMENT…].

The machines are two network namespaces with a cable between them, and only TCP passes from one to the other; needs root. The
cable is cut by SIGUSR1. Prints "remote" and what the program on the other machine says, and ends when the near end of waypipe
has ended.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading

NEW_NETWORK = 0x40000000
NEAR, FAR, PORT = "192.0.2.1", "192.0.2.2", 5900


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)


def unshare():
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK) != 0:
        sys.exit("no network namespace: " + os.strerror(ctypes.get_errno()))


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def pass_on(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def relay(listener, connect):
    """Connects everyone who connects here with there."""
    while True:
        here, _ = listener.accept()
        there = connect()
        for ends in ((here, there), (there, here)):
            threading.Thread(target=pass_on, args=ends, daemon=True).start()


def unix(path):
    end = socket.socket(socket.AF_UNIX)
    end.connect(path)
    return end


def far(folder, ready, program):
    """The other machine, which has a network of its own and no display."""
    end_with_parent()
    unshare()
    os.write(ready[1], b"n")
    os.read(ready[0], 1)
    ip("address", "add", FAR + "/30", "dev", "far")
    ip("link", "set", "far", "up")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(folder + "/far")
    listener.listen()
    threading.Thread(target=relay, args=(listener, lambda: socket.create_connection((NEAR, PORT))), daemon=True).start()
    variables = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    server = subprocess.Popen(
        ["waypipe", "--no-gpu", "--socket", folder + "/far", "server", "--", *program], env=variables,
        preexec_fn=end_with_parent)
    # Without the relay the connection breaks, on this side too.
    signal.signal(signal.SIGUSR1, lambda *_: os._exit(0))
    os._exit(server.wait())


def main():
    folder, program = sys.argv[1], sys.argv[2:]
    unshare()
    here, there = os.pipe(), os.pipe()
    machine = os.fork()
    if machine == 0:
        far(folder, (there[0], here[1]), program)
    os.read(here[0], 1)
    ip("link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(machine))
    ip("address", "add", NEAR + "/30", "dev", "near")
    ip("link", "set", "near", "up")
    client = subprocess.Popen(
        ["waypipe", "--no-gpu", "--oneshot", "--socket", folder + "/near", "client"], preexec_fn=end_with_parent)
    listener = socket.create_server((NEAR, PORT))
    threading.Thread(target=relay, args=(listener, lambda: unix(folder + "/near")), daemon=True).start()
    while not os.path.exists(folder + "/near"):
        if client.poll() is not None:
            sys.exit(f"waypipe ended with {client.returncode}")
        os.sched_yield()
    signal.signal(signal.SIGUSR1, lambda *_: os.kill(machine, signal.SIGUSR1))
    print("remote", flush=True)
    os.write(there[1], b"g")
    client.wait()
    print("cut off", flush=True)
    os._exit(0)


main()
