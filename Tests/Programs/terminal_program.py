#!/usr/bin/python3
"""A program in the terminal foot; it prints the events that it receives, one line each on standard output."""

import os
import signal
import subprocess
import sys
import termios
import tty


def outside():
    reader, writer = os.pipe()
    terminal = subprocess.Popen(
        ["foot", "--config=/dev/null", "--override=cursor.blink=no", "--log-level=warning", "--window-size-pixels=360x300",
         sys.executable, __file__, str(writer)], pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader) as lines:
        for line in lines:
            print(line, end="", flush=True)
    status = terminal.wait()
    print("close", flush=True)
    sys.exit(status)


def inside(output):
    def say(*words):
        os.write(output, (" ".join(str(word) for word in words) + "\n").encode())

    # The terminal's window was closed; which signal arrives first depends on the load.
    for number in signal.SIGHUP, signal.SIGTERM:
        signal.signal(number, lambda *_: os._exit(0))
    tty.setraw(0, termios.TCSANOW)
    # Reports clicks (1000), as numbers (1006) in pixels (1016). The answer to the last query comes once all has been executed.
    os.write(1, b"\x1b[?1000h\x1b[?1006h\x1b[?1016h\x1b[c")
    text, sequence = b"", b""
    while data := os.read(0, 1):
        if sequence or data == b"\x1b":
            sequence += data
            if not data.isalpha():
                continue
            if sequence.endswith(b"c"):
                say("listening")
            elif sequence.endswith(b"M"):
                button, x, y = (int(number) for number in sequence[3:-1].split(b";"))
                say("clicked", button + 1, x, y)
            sequence = b""
            continue
        text += data
        try:
            say("text", text.decode())
        except UnicodeDecodeError:
            pass  # the first bytes of a character


if len(sys.argv) > 1:
    inside(int(sys.argv[1]))
else:
    outside()
