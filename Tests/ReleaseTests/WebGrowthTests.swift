// The control API over TCP: connections of other local users cannot keep out a client with the token.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct WebGrowthTests {
    private func connect(_ port: UInt16) throws -> OwnedDescriptor {
        let descriptor = OwnedDescriptor(socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw FixtureError("connect: errno \(errno)") }
        return descriptor
    }

    /// The status of the next response; 0 when the connection ends, or nothing arrives.
    private func status(_ descriptor: OwnedDescriptor) -> Int {
        var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        guard poll(&request, 1, 60_000) == 1 else { return 0 }
        let count = recv(descriptor.rawValue, &bytes, bytes.count, 0)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return words.dropFirst().first.flatMap { Int($0) } ?? 0
    }

    @Test("connections without the token are replaced by newer ones; those that have sent it stay")
    func strangers() throws {
        let server = try ServerProcess(options: ["--screen", "320x200", "--http", "127.0.0.1:0"])
        try server.wait("the address") { $0.contains("the token is in ") }
        let said = server.server.readOutput()
        let port = try #require(
            said.split(separator: "http://127.0.0.1:").dropFirst().first.flatMap { UInt16($0.prefix { $0.isNumber }) })
        let path = try #require(
            said.split(separator: "the token is in ").dropFirst().first?.prefix { !$0.isNewline })
        let token = try String(contentsOfFile: String(path), encoding: .utf8)
        let request =
            "GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            + "Authorization: Bearer \(token.prefix { !$0.isNewline })\r\n\r\n"
        func ask(_ descriptor: OwnedDescriptor) -> Int {
            guard send(descriptor.rawValue, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return 0 }
            return status(descriptor)
        }
        let known = try connect(port)
        #expect(ask(known) == 200)
        var idle: [OwnedDescriptor] = []
        for _ in 0..<200 {
            idle.append(try connect(port))
            if idle.count % 40 == 0 { #expect(ask(try connect(port)) == 200) }
        }
        #expect(ask(known) == 200)
        #expect(status(idle[0]) == 503, "the oldest reads why it is ended")
        #expect(try server.descriptors() < 100)
        try server.stop()
    }
}
