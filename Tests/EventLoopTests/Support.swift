// Helpers for this module's tests.

import EventLoop
import Glibc
import Testing

/// Runs the loop until `condition` holds; fails after a minute.
func turn(_ loop: EventLoop, until condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) throws {
    var late = false
    let guardTimer = Timer(loop) { _, _ in late = true }
    guardTimer.arm(at: loop.now + 60_000_000)
    while !condition() {
        try loop.runOnce()
        try #require(!late, "the condition never came true", sourceLocation: location)
    }
}

/// Both ends of a connection, non-blocking; closed on deallocation.
final class Pair {
    let left: Int32
    let right: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        (left, right) = (ends[0], ends[1])
    }

    deinit {
        close(left)
        close(right)
    }
}

/// A temporary directory, removed with its contents.
final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/loop-XXXXXX".utf8CString)
        let made = mkdtemp(&template).map { String(cString: $0) }
        path = try #require(made)
    }

    deinit {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                unlink("\(path)/\(name)")
            }
            closedir(directory)
        }
        rmdir(path)
    }

    func exists(_ name: String) -> Bool {
        access("\(path)/\(name)", F_OK) == 0
    }
}

/// A non-blocking connection to a Unix socket; -1 with errno when refused.
func connectUnix(_ path: String) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    let result = withUnixAddress(path) { connect(descriptor, $0, $1) }
    if result != 0 {
        close(descriptor)
        return -1
    }
    return descriptor
}

func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

/// Runs `body` on a new thread: the tests may occupy every thread of Swift's pool.
func onThread(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
        &thread, nil,
        { context in
            context.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body() }
            return nil
        }, box)
    pthread_detach(thread)
}

/// A raw client on the loop under test.
final class RawClient {
    private(set) var received: [UInt8] = []
    private(set) var isClosed = false
    let descriptor: Int32
    private var source: IOSource?
    private let loop: EventLoop

    convenience init(_ loop: EventLoop, _ path: String) throws {
        try self.init(loop, descriptor: connectUnix(path))
    }

    /// Connects over TCP to this machine.
    convenience init(_ loop: EventLoop, port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        try self.init(loop, descriptor: descriptor)
    }

    private init(_ loop: EventLoop, descriptor: Int32) throws {
        self.loop = loop
        self.descriptor = descriptor
        try #require(descriptor >= 0)
        source = try IOSource(loop, descriptor: descriptor) { [unowned self] in read() }
    }

    deinit {
        source?.cancel()
        close(descriptor)
    }

    var text: String {
        String(decoding: received, as: UTF8.self)
    }

    /// Whether it reads incoming bytes.
    var reads: Bool {
        get { source?.wantsRead ?? false }
        set { source?.wantsRead = newValue }
    }

    /// Sends everything, running the loop while the socket is full; stops early if the server closes it.
    func send(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if sent >= 0 {
                rest = rest.dropFirst(sent)
            } else if errno == EAGAIN {
                try loop.runOnce(nonblocking: true)
            } else {
                return
            }
        }
    }

    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
            received += buffer[..<count]
        } else if count == 0 || errno != EAGAIN {
            isClosed = true
            source?.cancel()
        }
    }
}
