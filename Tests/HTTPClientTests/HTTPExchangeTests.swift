// Requests over a socket, and servers that misbehave.

import Glibc
import HTTPClient
import MullionSystem
import Testing

@Suite struct HTTPExchangeTests {
    /// A server that accepts one connection on a thread of its own.
    private struct Server {
        let path: String
        private let listener: OwnedDescriptor

        init() throws {
            path = "/tmp/http-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
            listener = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(status == 0 && listen(listener.rawValue, 0) == 0)
        }

        /// - Parameter serve: gets the connection, which is closed afterwards.
        func start(_ serve: @escaping @Sendable (Int32) -> Void) throws {
            let listener = try #require(listener.duplicate()).release()
            let isStarted = DetachedThread.start { [path] in
                let connection = OwnedDescriptor(accept(listener, nil, nil))
                close(listener)
                unlink(path)
                serve(connection.rawValue)
            }
            try #require(isStarted)
        }
    }

    private static func answer(_ text: String, on connection: Int32) {
        _ = try? DescriptorIO.write(text.utf8, to: connection)
    }

    private func exchange(_ server: Server, body: [UInt8]? = nil, seconds: Int = 60) throws -> (Int?, String) {
        var exchange = try HTTPExchange("POST", "/v1/x", [("Accept", "*/*")], body: body, to: server.path)
        var received: [UInt8] = []
        try exchange.perform(seconds: seconds) { _, piece in
            received += piece
            return true
        }
        return (exchange.status, String(decoding: received, as: UTF8.self))
    }

    @Test("a request has its header fields and its body, and its response is read")
    func request() throws {
        let server = try Server()
        try server.start { connection in
            var (text, byte): ([UInt8], UInt8) = ([], 0)
            while byte != UInt8(ascii: "}"), read(connection, &byte, 1) == 1 { text.append(byte) }
            Self.answer("HTTP/1.1 200 OK\r\nContent-Length: \(text.count)\r\n\r\n", on: connection)
            _ = try? DescriptorIO.write(text, to: connection)
        }
        let (status, text) = try exchange(server, body: Array("{}".utf8))
        #expect(status == 200)
        #expect(text == "POST /v1/x HTTP/1.1\r\nHost: mullion\r\nAccept: */*\r\nContent-Length: 2\r\n\r\n{}")
    }

    @Test("a refusal is read that comes before the request was sent, from a server that reads none of it")
    func earlyRefusal() throws {
        let server = try Server()
        try server.start { Self.answer("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}", on: $0) }
        let (status, text) = try exchange(server, body: [UInt8](repeating: 120, count: 8 << 20))
        #expect(status == 413 && text == "{}")
    }

    @Test(
        "a server that closes the connection too early has closed it",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12"])
    func closed(_ text: String) throws {
        let server = try Server()
        try server.start { Self.answer(text, on: $0) }
        let failure = #expect(throws: HTTPFailure.self) { _ = try exchange(server) }
        guard case .closed = failure else {
            _ = Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("a server that says nothing is given up after the time")
    func silence() throws {
        let server = try Server()
        try server.start { _ = try? DescriptorIO.read($0) }
        let failure = #expect(throws: HTTPFailure.self) { _ = try exchange(server, seconds: 1) }
        guard case .timeout(seconds: 1) = failure else {
            _ = Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("a missing server cannot be connected to")
    func missing() throws {
        let failure = #expect(throws: HTTPFailure.self) {
            _ = try HTTPExchange("GET", "/", [], body: nil, to: "/nowhere/control.sock")
        }
        guard case .cannotConnect(let error) = failure else {
            _ = Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == ENOENT)
    }
}
