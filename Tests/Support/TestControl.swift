// The control API of a fixture's server, over a real socket.

import ControlAPI
import DisplayServer
import EventLoop
import Glibc

/// Sends one request at a time while the fixture's loop and clients run.
public final class TestControl {
    private let fixture: ServerFixture
    public let control: ControlServer
    /// The path of the socket.
    public let path: String
    private var streams: [Int32] = []

    package init(_ fixture: ServerFixture, limits: ControlLimits = ControlLimits()) throws {
        self.fixture = fixture
        path = try fixture.runtimeDirectory() + "/control"
        control = try ControlServer(
            fixture.server, socket: ListeningSocket.unix(path: path, mode: 0o600), limits: limits)
    }

    deinit {
        for stream in streams { close(stream) }
        control.stop()
        unlink(path)
        unlink(path + ".lock")
    }

    /// Sends a request and waits for the complete response.
    public func send(_ method: String, _ target: String, _ body: String = "") throws -> (status: Int, body: String) {
        let descriptor = try start(method, target, body)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        try fixture.wait(for: "\(method) \(target)", seconds: 60) { Self.read(descriptor, into: &bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        return (
            Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, parts.count > 1 ? String(parts[1]) : ""
        )
    }

    /// Begins a request; the caller reads and closes the descriptor.
    public func start(_ method: String, _ target: String, _ body: String = "") throws -> Int32 {
        let descriptor = try open()
        let request =
            "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        guard write(descriptor, request, request.utf8.count) == request.utf8.count else {
            throw FixtureError("short write")
        }
        return descriptor
    }

    /// A non-blocking connection; the caller uses and closes the descriptor.
    public func open() throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            throw FixtureError("\(path): \(errorText())")
        }
        return descriptor
    }

    /// Starts to read the event stream; the result returns the events so far, without what differs between runs.
    public func events(_ target: String = "/v1/events") throws -> () throws -> [String] {
        let descriptor = try start("GET", target)
        streams.append(descriptor)
        var bytes: [UInt8] = []
        try fixture.wait(for: "the stream") {
            _ = Self.read(descriptor, into: &bytes)
            return String(decoding: bytes, as: UTF8.self).contains(": mullion")
        }
        return { [self] in
            try fixture.pump()
            _ = Self.read(descriptor, into: &bytes)
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("data: ") }
                .map { String($0.dropFirst(6)) }
        }
    }

    /// Reads what is available; returns whether that was the end.
    public static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return count == 0 }
            bytes += chunk[..<count]
        }
    }
}
