// A listening socket and the files that belong to it.

import CLibevent
import Glibc

/// Owns a listening stream socket: bound to a path, bound to an address, or adopted from the service manager.
public final class ListeningSocket {
    /// The path it is bound to; nil on TCP, and for an adopted socket without a path.
    public let path: String?
    /// The descriptor, non-blocking and close-on-exec; -1 once closed.
    public private(set) var descriptor: Int32
    private var lock: SocketLock?
    /// How many connections may wait to be accepted: as many as the kernel permits, so that others' do not fail while one
    /// program makes many.
    private static let backlog = SOMAXCONN

    private init(descriptor: Int32, path: String? = nil, lock: SocketLock? = nil) {
        self.descriptor = descriptor
        self.path = path
        self.lock = lock
    }

    deinit {
        close()
    }

    /// Binds a Unix socket by the Wayland convention: holds `PATH.lock`, and only the lock's holder replaces a socket
    /// that an earlier holder left behind.
    /// - Parameter mode: the socket file's permission bits; no client can connect before they are set.
    /// - Throws: `EADDRINUSE` when another server holds the lock, `ENAMETOOLONG` when the path is too long.
    public static func unix(path: String, mode: UInt32) throws(EventLoopError) -> ListeningSocket {
        let length = path.utf8.count
        guard length <= LOOP_PATH_MAXIMUM else {
            let reason = "the path has \(length) bytes; the limit for Unix sockets is \(LOOP_PATH_MAXIMUM)"
            throw EventLoopError("bind", path, code: ENAMETOOLONG, reason: reason)
        }
        guard length > 0, !path.utf8.contains(0) else {
            throw EventLoopError("bind", path, code: EINVAL, reason: "not a path")
        }
        let lock = try SocketLock(path + ".lock", socket: path)
        switch unsafe loop_is_socket(path) {
        case 1: unsafe unlink(path)
        case 0: throw EventLoopError("bind", path, code: EEXIST, reason: "exists and is not a socket")
        default: break
        }
        let descriptor = loop_socket_new(AF_UNIX)
        guard descriptor >= 0 else { throw EventLoopError("socket", path, code: errno) }
        guard unsafe loop_bind_unix(descriptor, path) == 0 else {
            throw closing(descriptor, "bind", path)
        }
        let socket = ListeningSocket(descriptor: descriptor, path: path, lock: lock)
        guard unsafe chmod(path, mode_t(mode)) == 0 else { throw EventLoopError("chmod", path, code: errno) }
        guard listen(descriptor, backlog) == 0 else { throw EventLoopError("listen", path, code: errno) }
        return socket
    }

    /// Listens on TCP at a numeric address with a port, such as `127.0.0.1:8080` or `[::1]:8080`; port 0 picks a free
    /// one.
    public static func tcp(_ address: String) throws(EventLoopError) -> ListeningSocket {
        var descriptor: Int32 = -1
        let any = address.hasSuffix(":0")
        guard unsafe loop_bind_tcp(any ? String(address.dropLast(2)) : address, any ? 1 : 0, &descriptor) == 0 else {
            throw closing(descriptor, "bind", address)
        }
        guard listen(descriptor, backlog) == 0 else { throw closing(descriptor, "listen", address) }
        return ListeningSocket(descriptor: descriptor)
    }

    /// Takes over a listening socket. On success this object closes it, but leaves its path in place.
    public static func adopt(_ descriptor: Int32) throws(EventLoopError) -> ListeningSocket {
        switch loop_adopt(descriptor) {
        case 1: return ListeningSocket(descriptor: descriptor, path: path(of: descriptor))
        case 0:
            let reason = "not a listening stream socket"
            throw EventLoopError("adopt", "descriptor \(descriptor)", code: EINVAL, reason: reason)
        default: throw EventLoopError("adopt", "descriptor \(descriptor)", code: errno)
        }
    }

    /// The TCP port; nil for Unix sockets.
    public var port: UInt16? {
        let port = loop_port(descriptor)
        return port > 0 ? UInt16(port) : nil
    }

    /// Closes the socket and removes its path and lock file. Does nothing when already closed.
    public func close() {
        guard descriptor >= 0 else { return }
        // Only the holder of the lock created the path; the path of an adopted socket belongs to the service manager.
        if let path, lock != nil { unsafe unlink(path) }
        Glibc.close(descriptor)
        descriptor = -1
        lock = nil
    }

    private static func path(of descriptor: Int32) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(LOOP_PATH_MAXIMUM) + 1)
        guard unsafe loop_path(descriptor, &bytes) == 1 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func closing(_ descriptor: Int32, _ call: String, _ subject: String) -> EventLoopError {
        let error = EventLoopError(call, subject, code: errno)
        if descriptor >= 0 {
            Glibc.close(descriptor)
        }
        return error
    }
}

/// Holds `flock` on a lock file, and removes the file on release.
private final class SocketLock {
    private let path: String
    private let descriptor: Int32

    init(_ path: String, socket: String) throws(EventLoopError) {
        while true {
            let descriptor = unsafe loop_lock_open(path)
            guard descriptor >= 0 else { throw EventLoopError("open", path, code: errno) }
            guard loop_lock_take(descriptor) == 0 else {
                let code = errno
                close(descriptor)
                guard code == EWOULDBLOCK else { throw EventLoopError("flock", path, code: code) }
                throw EventLoopError("bind", socket, code: EADDRINUSE, reason: "another server holds \(path)")
            }
            // The previous holder may have removed the file after we opened it; a lock on it would protect nothing.
            if unsafe loop_same_file(descriptor, path) == 1 {
                self.path = path
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
    }

    deinit {
        unsafe unlink(path)
        close(descriptor)
    }
}
