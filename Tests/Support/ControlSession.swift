// The control API of a fixture's server over its real socket, by HTTP and by mullionctl.

import ControlAPI
import DisplayServer
import EventLoop
import FoundationEssentials
import Glibc
import MullionSystem

/// Serves the control API for a fixture and talks to it; its folder is for the test's files.
public final class ControlSession {
    /// A folder for the test's files, removed with the session.
    public let folder: String
    private let fixture: ServerFixture
    private let control: ControlServer
    private let path: String

    /// A response as it was received.
    public struct Answer {
        public var status: Int
        /// Names in lower case.
        public var headers: [String: String]
        public var body: [UInt8]
        public var text: String { String(decoding: body, as: UTF8.self) }
    }

    package init(_ fixture: ServerFixture, limits: ControlLimits = ControlLimits()) throws {
        self.fixture = fixture
        folder = try fixture.runtimeDirectory() + "/control"
        path = folder + "/socket"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        control = try ControlServer(
            fixture.server, socket: ListeningSocket.unix(path: path, mode: 0o600), limits: limits)
    }

    deinit {
        control.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Stops accepting requests, as when the server ends.
    public func stop() { control.stop() }

    // MARK: HTTP

    /// Sends a request whose response is not awaited.
    /// - Returns: its connection, which closes when it is released.
    public func open(_ method: String, _ target: String) throws -> OwnedDescriptor {
        let socket = OwnedDescriptor(try connect())
        let head = Array("\(method) \(target) HTTP/1.1\r\nHost: test\r\n\r\n".utf8)
        guard Glibc.send(socket.rawValue, head, head.count, Int32(MSG_NOSIGNAL)) == head.count else {
            throw FixtureError("send: \(errorText())")
        }
        return socket
    }

    /// Sends a request on a new connection and waits for the complete response.
    /// - Parameter length: the Content-Length to send, if not the actual one.
    public func send(
        _ method: String, _ target: String, _ body: [UInt8] = [], type: String? = nil, length: Int? = nil
    ) throws -> Answer {
        let socket = try connect()
        defer { close(socket) }
        let field = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let size = "Content-Length: \(length ?? body.count)\r\n"
        let head = "\(method) \(target) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\(field)\(size)\r\n"
        var left = (Array(head.utf8) + body)[...]
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        try fixture.wait(for: "\(method) \(target)") {
            while !left.isEmpty {
                let count = left.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                left = left.dropFirst(count)
            }
            while true {
                let count = Glibc.read(socket, &chunk, chunk.count)
                if count > 0 { received += chunk[..<count] } else { return count == 0 || errno == ECONNRESET }
            }
        }
        return try Self.parse(received)
    }

    private func connect() throws -> Int32 {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, size) }
        }
        guard result == 0 else { throw FixtureError("connect: \(errorText())") }
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        return socket
    }

    private static func parse(_ bytes: [UInt8]) throws -> Answer {
        let end = Array("\r\n\r\n".utf8)
        let place = bytes.indices.first { bytes[$0...].starts(with: end) }
        guard let place else { throw FixtureError("no complete response: \(String(decoding: bytes, as: UTF8.self))") }
        let lines = String(decoding: bytes[..<place], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return Answer(status: status ?? 0, headers: headers, body: Array(bytes[(place + end.count)...]))
    }

    // MARK: mullionctl

    /// Runs mullionctl, which is in the same folder as the test program, to its end.
    public func mullionctl(_ words: String...) throws -> (status: Int32, output: String) { try mullionctl(words) }

    /// Runs mullionctl to its end.
    public func mullionctl(_ words: [String]) throws -> (status: Int32, output: String) {
        let child = try fixture.spawn("\(Programs.built)/mullionctl", ["--control", path] + words)
        try fixture.wait(for: "mullionctl \(words.joined(separator: " "))") {
            // Read continuously: a full pipe would block it.
            _ = child.readOutput()
            return !child.isRunning
        }
        return (child.exitStatus ?? -1, child.readOutput())
    }

    /// The bytes of a file in the folder.
    public func read(_ name: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
            throw FixtureError("there is no \(name)")
        }
        return Array(data)
    }
}
