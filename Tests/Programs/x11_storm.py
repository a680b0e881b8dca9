"""An X11 program that takes all that it can get.

usage: x11_storm.py windows|unmanaged|pixmaps|large [NUMBER]: makes so many of them as fast as it can, prints "done" when the X
server has handled all, and waits; or prints "ended" when its connection has ended. large: of 64 MB each.
"""
import os, signal, socket, struct, sys

kind = sys.argv[1]
number = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
server = socket.socket(socket.AF_UNIX)
server.connect("/tmp/.X11-unix/X" + os.environ["DISPLAY"].lstrip(":").split(".")[0])
server.sendall(struct.pack("<BxHHHHH", 0x6C, 11, 0, 0, 0, 0))


def read(count):
    data = b""
    while len(data) < count:
        part = server.recv(count - len(data))
        if not part:
            raise OSError
        data += part
    return data


def request(opcode, data, *words):
    return struct.pack("<BBH", opcode, data, 1 + len(words)) + struct.pack("<%dI" % len(words), *words)


def pair(low, high):
    return low & 0xFFFF | (high & 0xFFFF) << 16


head = read(8)
setup = read(4 * struct.unpack_from("<H", head, 6)[0])
base, = struct.unpack_from("<I", setup, 4)
vendor, = struct.unpack_from("<H", setup, 16)
screen = 32 + (vendor + 3) // 4 * 4 + 8 * setup[21]
root, = struct.unpack_from("<I", setup, screen)
depth = setup[screen + 38]
try:
    for index in range(number):
        id = base + 1 + index
        if kind in ("windows", "unmanaged"):
            place, size = pair(index % 700, index * 7 % 500), pair(50, 50)
            free = 1 if kind == "unmanaged" else 0
            # Border and class; visual; background pixel and override-redirect.
            server.sendall(
                request(1, depth, id, root, place, size, pair(0, 1), 0, 0x2 | 0x200, 0xFF0000, free) + request(8, 0, id))
        else:
            size = pair(4096, 4096) if kind == "large" else pair(16, 16)
            server.sendall(request(53, depth, id, root, size))
    # GetInputFocus, whose answer comes when everything was handled.
    server.sendall(request(43, 0))
    while read(32)[0] != 1:
        pass
    print("done", flush=True)
    while server.recv(4096):
        pass
except OSError:
    pass
print("ended", flush=True)
signal.pause()
