// Sandbox sockets, which their creators share: whatever they do with one, others are unaffected.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct SandboxSocketTests {
    private let server: ServerProcess
    private let victim: WireClient
    private let maker: WireClient

    init() throws {
        server = try ServerProcess(options: ["--screen", "320x200"])
        (victim, maker) = try (WireClient(server), WireClient(server))
    }

    /// A listening socket.
    private func socket(_ name: String) throws -> OwnedDescriptor {
        let socket = OwnedDescriptor(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path(name).utf8) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(socket.rawValue, 8) == 0 else { throw FixtureError("\(name): cannot listen") }
        return socket
    }

    private func path(_ name: String) -> String { server.folder + "/" + name }

    /// Creates a sandbox with that socket.
    /// - Returns: the descriptor on which its engine hangs up.
    private func sandbox(_ socket: OwnedDescriptor) throws -> OwnedDescriptor {
        let (end, other) = try descriptorPair()
        let manager = try maker.bind(WpSecurityContextManagerV1.self)
        let context = Proxy<WpSecurityContextV1>(maker.connection, version: 1)
        manager.send(.createListener(id: context.id, listenFd: try #require(socket.duplicate()), closeFd: other))
        context.send(.setSandboxEngine(name: "org.example"))
        context.send(.commit)
        try maker.roundTrip()
        return end
    }

    @Test("a creator that blocks accept() delays no other client, and the thread ends with its sandbox")
    func blocking() throws {
        let idle = try server.descriptors()
        let (mine, other) = try (socket("mine"), socket("other"))
        // Both sandboxes are notified of each connection to this socket: one of them waits for the next one.
        var ends = try [sandbox(mine), sandbox(mine)]
        let otherEnd = try sandbox(other)
        #expect(fcntl(mine.rawValue, F_SETFL, 0) == 0)
        for round in 0..<3 {
            let inside = try WireClient(path: path("mine"))
            #expect(!inside.globals.contains { $0.interface == WpSecurityContextManagerV1.name }, "round \(round)")
            try victim.roundTrip()
            #expect(try server.request("GET", "/v1/status").status == 200)
            _ = try WireClient(path: path("other"))
        }
        ends.removeAll()
        try server.fixture.wait(for: "the end of two sandboxes") { try server.descriptors() == idle + 2 }
        _ = try WireClient(path: path("other"))
        _ = otherEnd
        try server.stop()
    }

    @Test("shutting down a socket ends its sandbox: the server closes it, and does not spin")
    func shutDown() throws {
        let idle = try server.descriptors()
        let socket = try socket("own")
        let end = try sandbox(socket)
        try server.fixture.wait(for: "the sandbox") { try server.descriptors() == idle + 2 }
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        try server.fixture.wait(for: "the end of the sandbox") { try server.descriptors() == idle }
        let before = try switches()
        for _ in 0..<20 { try victim.roundTrip() }
        #expect(try switches() - before < 200, "the loop spins")
        _ = end
        try server.stop()
    }

    @Test("a descriptor that is not a listening Unix socket, or cannot hang up immediately, is refused with the reason")
    func refused() throws {
        let manager = try maker.bind(WpSecurityContextManagerV1.self)
        let context = Proxy<WpSecurityContextV1>(maker.connection, version: 1)
        let socket = try socket("own")
        let file = OwnedDescriptor(open(server.folder + "/file", O_CREAT | O_RDWR | O_CLOEXEC, 0o600))
        manager.send(.createListener(id: context.id, listenFd: socket, closeFd: file))
        #expect(try maker.waitForEnd().contains("the second descriptor, whose hang-up ends the sandbox, is not a pipe"))
        try victim.roundTrip()
    }

    /// How often the server's loop has waited.
    private func switches() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(server.server.pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") } ?? ""
        return try #require(line.split(separator: "\t").last.flatMap { Int($0) })
    }
}
