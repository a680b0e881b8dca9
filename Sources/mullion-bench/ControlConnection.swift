// A minimal client of a server's control API.

import Glibc
import MullionSystem
import MullionWayland

/// A persistent connection; one request at a time.
final class ControlConnection {
    private let socket: OwnedDescriptor
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    convenience init(_ server: PrivateServer) throws { try self.init(server.control) }

    /// - Parameter path: the path of the control socket.
    init(_ path: String) throws {
        socket = try UnixSocket.connect(to: path)
    }

    /// Sends a request and reads the whole response.
    func send(_ method: String, _ target: String, _ body: String = "") throws {
        try begin(method, target, body)
        try finish()
    }

    /// Sends a request; `finish` reads its response.
    func begin(_ method: String, _ target: String, _ body: String = "") throws {
        let text = "\(method) \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let bytes = Array(text.utf8)
        guard unsafe Glibc.send(socket.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw MeasurementError.system("send")
        }
    }

    /// Waits up to a millisecond for the response to begin.
    func hasAnswer() throws -> Bool {
        var waiting = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&waiting, 1, 1)
        try Interruption.check()
        return ready > 0
    }

    func finish() throws {
        var answer: [UInt8] = []
        while true {
            let count = unsafe recv(socket.rawValue, &buffer, buffer.count, 0)
            guard count > 0 else {
                try Interruption.check()
                throw count < 0
                    ? MeasurementError.system("recv") : MeasurementError("the server closed its control connection")
            }
            answer += buffer[..<count]
            guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
            let lengths = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("content-length:") }
            let length = lengths.first.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
            guard answer.count - end.upperBound >= length else { continue }
            guard head.hasPrefix("HTTP/1.1 2") else { throw MeasurementError(String(decoding: answer, as: UTF8.self)) }
            return
        }
    }
}
