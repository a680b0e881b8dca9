#!/usr/bin/python3
"""A small VNC client (RFC 6143): vnc_client.py SOCKET COMMAND...

Connects to a Unix socket and performs the commands in order, printing a line for each. Any failure ends it with a message
and status 1.

  size WIDTH HEIGHT     waits until the screen has that size
  pixel X Y RRGGBB      waits until the pixel has that colour
  pointer X Y MASK      moves the pointer, with these buttons down
  key KEYSYM            presses and releases a key, its X11 keysym in hexadecimal
"""

import socket
import struct
import sys


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.read(12)
        self.socket.sendall(b"RFB 003.008\n")
        (count,) = self.read(1)
        kinds = self.read(count)
        if 1 not in kinds:
            sys.exit(f"the server wants one of the security types {list(kinds)}, not 1 (none)")
        self.socket.sendall(bytes([1]))
        if self.read(4) != bytes(4):
            sys.exit("the server refused us")
        self.socket.sendall(bytes([1]))
        self.width, self.height, _, length = struct.unpack("!HH16sI", self.read(24))
        self.read(length)
        # 32 bits per pixel, the lowest byte blue; raw pixels, and -223 (DesktopSize): until wayvnc has a frame, it reports
        # the size of the mode, not rotated. neatvnc hangs up on viewers that do not support resizing.
        self.socket.sendall(struct.pack("!B3xBBBBHHHBBB3x", 0, 32, 24, 0, 1, 255, 255, 255, 16, 8, 0))
        self.socket.sendall(struct.pack("!BxHii", 2, 2, 0, -223))
        self.resize(self.width, self.height)

    def resize(self, width, height):
        self.width, self.height = width, height
        self.pixels = bytearray(width * height * 4)
        self.request(incremental=False)

    def read(self, count):
        data = bytearray()
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                sys.exit("the server hung up")
            data += part
        return bytes(data)

    def request(self, incremental):
        self.socket.sendall(struct.pack("!BBHHHH", 3, incremental, 0, 0, self.width, self.height))

    def update(self):
        """Reads one message of the server; after pixels it requests the next changed ones."""
        (kind,) = self.read(1)
        if kind == 0:
            (count,) = struct.unpack("!xH", self.read(3))
            is_resized = False
            for _ in range(count):
                x, y, width, height, encoding = struct.unpack("!HHHHi", self.read(12))
                if encoding == -223:
                    self.resize(width, height)
                    is_resized = True
                    continue
                if encoding != 0:
                    sys.exit(f"encoding {encoding} was not asked for")
                for row in range(y, y + height):
                    start = (row * self.width + x) * 4
                    self.pixels[start : start + width * 4] = self.read(width * 4)
            if not is_resized:
                self.request(incremental=True)
        elif kind == 3:
            (length,) = struct.unpack("!3xI", self.read(7))
            self.read(length)
        elif kind != 2:
            sys.exit(f"message {kind} was not expected")

    def pixel(self, x, y):
        start = (y * self.width + x) * 4
        blue, green, red = self.pixels[start : start + 3]
        return f"{red:02x}{green:02x}{blue:02x}"


def main():
    client = Client(sys.argv[1])
    for command in sys.argv[2:]:
        name, *words = command.split()
        if name == "size":
            size = (int(words[0]), int(words[1]))
            while (client.width, client.height) != size:
                client.update()
        elif name == "pixel":
            while client.pixel(int(words[0]), int(words[1])) != words[2]:
                client.update()
        elif name == "pointer":
            x, y, mask = (int(word) for word in words)
            client.socket.sendall(struct.pack("!BBHH", 5, mask, x, y))
        elif name == "key":
            for down in (1, 0):
                client.socket.sendall(struct.pack("!BBxxI", 4, down, int(words[0], 16)))
        else:
            sys.exit(f"no such command: {command}")
        print(command, flush=True)


try:
    main()
except (BrokenPipeError, ConnectionResetError):
    # It has hung up with something unread.
    sys.exit("the server hung up")
