// What one user takes, others do not lack: the limits of the server have a share of each user, and a reserve for root.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct SharedServerTests {
    private static let strangers: [uid_t] = [65_531, 65_532, 65_533, 65_534]

    // MARK: Wayland

    @Test("a user takes no more than a share of the connections, and all users leave some to root")
    func connections() throws {
        let server = try Strangers.server("limits: { clients: 40 }")
        var (clients, reasons): ([[WireClient]], [String]) = ([], [])
        for user in Self.strangers {
            var own: [WireClient] = []
            do {
                while own.count < 100 { own.append(try WireClient(path: server.folder + "/socket", as: user)) }
            } catch {
                reasons.append("\(error)")
            }
            clients.append(own)
        }
        #expect(clients.map(\.count) == [10, 10, 10, 5])
        for reason in reasons.dropLast() {
            #expect(reason.contains("limit reached: a user has at most 10 clients"), "\(reason)")
        }
        #expect(
            reasons.last?.contains("limit reached: 35 clients of all users; the other 5 are reserved") == true,
            "\(reasons)")
        let own = try (0..<5).map { _ in try WireClient(server) }
        let refused = #expect(throws: (any Error).self) { try WireClient(server) }
        #expect("\(refused.map { "\($0)" } ?? "")".contains("limit reached: 40 clients"))
        for client in clients.joined() { try client.roundTrip() }
        for client in own { try client.roundTrip() }
        // There is room again when some have gone.
        clients[0] = []
        try server.fixture.wait(for: "room") {
            (try? WireClient(path: server.folder + "/socket", as: Self.strangers[3])) != nil
        }
        try server.stop()
    }

    @Test("users leave root some pools of shared memory")
    func pools() throws {
        let server = try Strangers.server("limits: { userPools: 100, allPools: 160 }")
        let file = try memoryFile(bytes: 4096)
        var clients: [WireClient] = []
        for (user, count) in [(Self.strangers[0], 100), (Self.strangers[1], 40)] {
            let client = try WireClient(path: server.folder + "/socket", as: user)
            for number in 1...count {
                _ = try client.pool(file, bytes: 4096)
                if number % 20 == 0 { try client.roundTrip() }
            }
            clients.append(client)
        }
        let late = try WireClient(path: server.folder + "/socket", as: Self.strangers[1])
        _ = try late.pool(file, bytes: 4096)
        #expect(try late.waitForEnd().contains("limit reached: 140 pools of all users; the other 20 are reserved"))
        let own = try WireClient(server)
        for _ in 0..<20 { _ = try own.pool(file, bytes: 4096) }
        try own.roundTrip()
        for client in clients { try client.roundTrip() }
        try server.stop()
    }

    // MARK: Control

    /// A connection to the control socket as another user.
    private func control(_ server: ServerProcess, as user: uid_t, _ request: String = "") throws -> OwnedDescriptor {
        let socket = try server.openControl(as: user)
        if !request.isEmpty {
            let text = "\(request) HTTP/1.1\r\nHost: x\r\n\r\n"
            guard write(socket.rawValue, text, text.utf8.count) == text.utf8.count else {
                throw FixtureError("short write")
            }
        }
        return socket
    }

    /// What the server has sent so far; nil while that is nothing, empty when it has closed the connection.
    private func received(_ socket: OwnedDescriptor) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    @Test("a user without rights who holds and renews idle connections to the control socket keeps nobody from it")
    func idle() throws {
        let server = try Strangers.server()
        var (held, refusals): ([OwnedDescriptor], Set<String>) = ([], [])
        for round in 0..<10 {
            for _ in 0..<100 { held.append(try control(server, as: Self.strangers[0])) }
            let answer = try server.request("GET", "/v1/status")
            #expect(answer.status == 200, "round \(round): \(answer)")
            try server.fixture.wait(for: "the end of those beyond the share") {
                held.removeAll { socket in
                    guard let text = received(socket) else { return false }
                    if !text.isEmpty { refusals.insert(text.split(separator: "\r\n\r\n").last.map(String.init) ?? "") }
                    return true
                }
                return held.count <= 64
            }
        }
        #expect(
            refusals.count == 1 && refusals.first?.contains("a user has at most 64 connections") == true, "\(refusals)")
        // Those within the share are served.
        let text = "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
        let last = try #require(held.last)
        #expect(write(last.rawValue, text, text.utf8.count) == text.utf8.count)
        try server.fixture.wait(for: "the answer") { received(last)?.hasPrefix("HTTP/1.1 200") == true }
        try server.stop()
    }

    @Test(
        "a user takes no more than a share of what the control API has for all",
        arguments: [
            ("/v1/events", 16, "a user has at most 16 readers of events"),
            ("/v1/capture?after=1000000", 16, "a user has at most 16 requests that wait for a picture"),
        ])
    func requests(target: String, share: Int, reason: String) throws {
        let rights = "rights: [\"view\", \"capture\"]"
        let server = try Strangers.server("peers: [{ user: [\(Self.strangers[0]), \(Self.strangers[1])], \(rights) }]")
        let sockets = try (0..<40).map { _ in try control(server, as: Self.strangers[0], "GET " + target) }
        var answers = [String](repeating: "", count: sockets.count)
        try server.fixture.wait(for: "the refusals") {
            for (index, socket) in sockets.enumerated() { answers[index] += received(socket) ?? "" }
            return answers.count { $0.contains("503") } == sockets.count - share
        }
        for answer in answers where answer.contains("503") { #expect(answer.contains(reason), "\(answer)") }
        // Another user and root are served.
        for user in [Self.strangers[1], 0] {
            let socket = try control(server, as: user, "GET " + target)
            let status = try control(server, as: user, "GET /v1/status")
            try server.fixture.wait(for: "the server") { received(status)?.hasPrefix("HTTP/1.1 200") == true }
            #expect(received(socket)?.contains("503") != true)
        }
        try server.stop()
    }
}
