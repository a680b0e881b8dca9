// The sockets that a service manager listens on.

import Glibc
import MullionSystem
import X11

/// The sockets in LISTEN_FDS: sd_listen_fds(3).
enum InheritedSockets {
    private static let first: Int32 = 3

    /// Those for this process; none without a service manager. The variables are removed: the X server is started with
    /// the environment.
    static func take() -> [OwnedDescriptor] {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) } }
        guard variable("LISTEN_PID") == getpid(), let count = variable("LISTEN_FDS"), (1...64).contains(count) else {
            return []
        }
        return (first..<first + count).map { OwnedDescriptor($0) }
    }

    private static func variable(_ name: String) -> Int32? {
        unsafe getenv(name).flatMap { unsafe DecimalText.whole(String(cString: $0), as: Int32.self) }
    }

    /// The number of the display that they are the sockets of.
    static func display(_ sockets: [OwnedDescriptor]) throws(Failure) -> Int {
        let numbers = sockets.map { socket -> Int? in
            guard fcntl(socket.rawValue, F_SETFD, FD_CLOEXEC) == 0, UnixSocket.adoptListener(socket) else { return nil }
            return name(of: socket).flatMap(DisplaySocket.number)
        }
        guard let number = numbers[0], XDisplay.numbers.contains(number), numbers.allSatisfy({ $0 == number }) else {
            throw Failure(
                description: "the sockets in LISTEN_FDS are not those of one X display; "
                    + "use ListenStream=@/tmp/.X11-unix/XN and ListenStream=/tmp/.X11-unix/XN")
        }
        return number
    }

    /// Its path, or its abstract name without the zero at the beginning.
    private static func name(of socket: OwnedDescriptor) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe bytes.baseAddress.map { base in
                unsafe getsockname(socket.rawValue, base.assumingMemoryBound(to: sockaddr.self), &length)
            }
        }
        guard result == 0, Int32(address.sun_family) == AF_UNIX else { return nil }
        return unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
            let name = unsafe Array(bytes).prefix(max(0, Int(length) - 2))
            return String(decoding: name.drop { $0 == 0 }.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
