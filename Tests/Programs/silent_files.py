"""A FUSE file system that answers every process but one.

usage: silent_files.py [PID | lock], with a descriptor 3. Without arguments, only checks whether mounting is possible.
PID: sends three descriptors of one file through the Unix socket 3, and prints a line for each request of the process PID, which
it leaves unanswered. lock: writes to the pipe 3 from a file in memory, of which no page ever arrives, and prints "asked 15";
meanwhile the kernel holds the pipe's lock. The file system is mounted in a private namespace, and ends with this program; a separate process opens the file,
so that the end of this one does not wait for an answer.
"""
import ctypes, mmap, os, signal, socket, struct, sys

libc = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result != 0:
        sys.exit(os.strerror(ctypes.get_errno()))


def end_with_parent():
    libc.prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() == 1:
        sys.exit("the parent is gone")


def attributes(node, mode, size):
    return struct.pack("<QQQQQQIIIIIIIIII", node, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def is_of(thread, process):
    try:
        with open("/proc/%d/status" % thread) as status:
            return any(line.split() == ["Tgid:", str(process)] for line in status)
    except OSError:
        return False


def serve(fuse, silent_to):
    file = attributes(2, 0o100666, 1 << 20)
    while True:
        try:
            request = os.read(fuse, 1 << 17)
        except OSError:
            return
        _, opcode, unique, node, _, _, thread, _ = struct.unpack_from("<IIQQIIII", request)
        if opcode == 15 if silent_to is None else is_of(thread, silent_to):  # READ
            print("asked", opcode, flush=True)
            continue
        error, answer = 0, b""
        if opcode == 26:  # INIT
            answer = struct.pack("<IIIIHHIIHHI7I", 7, 31, 65536, 0, 12, 9, 65536, 1, 32, 0, 0, *([0] * 7))[:64]
        elif opcode == 1:  # LOOKUP
            answer = struct.pack("<QQQQII", 2, 0, 0, 0, 0, 0) + file
        elif opcode == 3:  # GETATTR
            answer = struct.pack("<QII", 0, 0, 0) + (attributes(1, 0o40755, 0) if node == 1 else file)
        elif opcode in (14, 27):  # OPEN, OPENDIR
            answer = struct.pack("<QII", 1, 0, 0)
        elif opcode in (2, 42, 36):  # FORGET, BATCH_FORGET, INTERRUPT: no answer is expected
            continue
        elif opcode not in (18, 25, 29):  # RELEASE, FLUSH, RELEASEDIR
            error = -38
        try:
            os.write(fuse, struct.pack("<IiQ", 16 + len(answer), error, unique) + answer)
        except OSError:
            pass


def main():
    end_with_parent()
    folder = "/mnt"
    check(libc.unshare(0x20000))  # CLONE_NEWNS
    check(libc.mount(b"none", b"/", None, ctypes.c_ulong(1 << 18 | 1 << 14), None))  # MS_PRIVATE, MS_REC
    fuse = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    options = "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other" % fuse
    check(libc.mount(b"silent", folder.encode(), b"fuse.silent", ctypes.c_ulong(0), options.encode()))
    if len(sys.argv) == 1:
        return
    if sys.argv[1] == "lock":
        if os.fork() == 0:
            end_with_parent()
            os.close(fuse)
            memory = mmap.mmap(os.open(folder + "/file", os.O_RDWR), 4096, mmap.MAP_PRIVATE)
            address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
            libc.write(3, ctypes.c_void_p(address), ctypes.c_size_t(4096))
            os._exit(0)
        os.close(3)
        return serve(fuse, None)
    if os.fork() == 0:
        end_with_parent()
        os.close(fuse)
        with socket.socket(fileno=3) as channel:
            files = [os.open(folder + "/file", os.O_RDWR) for _ in range(3)]
            socket.send_fds(channel, [b"f"], files)
        os._exit(0)
    os.close(3)
    serve(fuse, int(sys.argv[1]))


main()
