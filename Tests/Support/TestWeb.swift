// The control API of a fixture's server over TCP, byte by byte.

import CMullionLinux
import DisplayServer
import EventLoop
import Glibc

/// A connection to a port of this machine; the test decides what is sent.
public final class TestWeb {
    public let descriptor: Int32
    private let fixture: ServerFixture
    private var bytes: [UInt8] = []
    public private(set) var isClosed = false

    public init(_ fixture: ServerFixture, port: UInt16) throws {
        self.fixture = fixture
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            throw FixtureError("port \(port): \(errorText())")
        }
    }

    deinit { close(descriptor) }

    /// Sends lines as the head of a request, with the empty line that ends it.
    public func send(_ head: String...) throws { try send(text: head.joined(separator: "\r\n") + "\r\n\r\n") }

    /// Sends bytes as they are, as far as the server accepts them.
    public func send(text: String) throws {
        var left = Array(text.utf8)[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                left = left.dropFirst(count)
            } else if errno == EAGAIN {
                try fixture.pump()
            } else {
                return
            }
        }
    }

    /// Everything received so far.
    public var text: String {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while !isClosed {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 || errno != EAGAIN {
                isClosed = true
            } else {
                break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Sends a request and waits for the complete response; nil status when the connection ends without one.
    public func ask(_ head: String...) throws -> (status: Int, text: String) {
        bytes = []
        try send(text: head.joined(separator: "\r\n") + "\r\n\r\n")
        try fixture.wait(for: head[0]) { Self.isWhole(text) || isClosed }
        return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, text)
    }

    private static func isWhole(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        guard let field = text.range(of: "Content-Length: ") else { return true }
        let length = Int(text[field.upperBound...].prefix { $0.isWholeNumber }) ?? 0
        return bytes.distance(from: end.upperBound, to: bytes.endIndex) >= length
    }
}

extension String {
    /// The first occurrence of a text.
    fileprivate func range(of text: String) -> Range<Index>? {
        let (own, other) = (Array(utf8), Array(text.utf8))
        guard own.count >= other.count else { return nil }
        let place = (0...(own.count - other.count)).first { own[$0...].starts(with: other) }
        return place.map { utf8.index(startIndex, offsetBy: $0)..<utf8.index(startIndex, offsetBy: $0 + other.count) }
    }
}
