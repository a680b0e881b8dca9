// Out of descriptors, and a storm of connections: mulliond goes on serving those it has.

import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Wayland

@Suite struct FaultDescriptorTests {
    @Test(
        "clients beyond the descriptors that a user may have read why; those that are there, and the control API, go on"
    )
    func ceiling() throws {
        let desk = try ServerProcess("ulimit -n 256")
        var clients: [ClientConnection] = []
        var refusal = ""
        while refusal.isEmpty, clients.count < 200 {
            do { clients.append(try desk.connect()) } catch { refusal = "\(error)" }
        }
        // 64 are kept back; one user has half of the others.
        #expect(refusal.contains("limit reached: 96 descriptors for the clients of user \(geteuid())"), "\(refusal)")
        #expect(clients.count == 96)
        for client in clients { try desk.roundTrip(client) }
        #expect(try desk.request("GET", "/v1/status").status == 200)
        #expect(try desk.request("GET", "/v1/screenshot.png").status == 200)
        clients.removeLast().disconnect()
        try desk.fixture.wait(for: "room for another") { (try? desk.connect()).map { clients.append($0) } != nil }
        for client in clients { client.disconnect() }
        try desk.stop()
    }

    @Test("clients may use what the server raises the limit to, not what it was before")
    func raised() throws {
        let desk = try ServerProcess("ulimit -Hn 512; ulimit -Sn 80")
        let clients = try (0..<200).map { _ in try desk.connect() }
        for client in clients {
            try desk.roundTrip(client)
            client.disconnect()
        }
        try desk.stop()
    }

    @Test("with no descriptor left at all clients are served, accepting rests, and goes on when some are free")
    func exhausted() throws {
        let desk = try ServerProcess("ulimit -n 128")
        let client = try desk.connect()
        // Who may control the server is not refused: their connections take what is left.
        var idle = try (0..<200).map { _ in try desk.openControl() }
        try desk.wait("the warning") { $0.contains("cannot accept a control connection") }
        let before = try desk.processorTime()
        for _ in 0..<200 { try desk.roundTrip(client) }
        let late = try ClientConnection(connectingTo: desk.folder + "/socket")
        try desk.wait("the other warning") { $0.contains("cannot accept a client") }
        #expect(try desk.processorTime() - before < 300, "it spins")
        idle.removeAll()
        #expect(try desk.request("GET", "/v1/status").status == 200)
        try desk.roundTrip(late)
        try desk.roundTrip(client)
        let said = desk.server.readOutput().split(separator: "\n").count { $0.contains("cannot accept") }
        #expect(said < 50, "the log is flooded: \(said) lines")
        late.disconnect()
        client.disconnect()
        try desk.stop()
    }

    @Test("10,000 clients come and go: no descriptor and no memory stays, and the last cost what the first did")
    func storm() throws {
        let desk = try ServerProcess()
        let idle = try desk.descriptors()
        func some(_ count: Int) throws -> Int {
            let before = try desk.processorTime()
            for number in 0..<count {
                let client = try ClientConnection(connectingTo: desk.folder + "/socket")
                let registry = Proxy<WlRegistry>(client, version: 1)
                client.display.send(.getRegistry(registry: registry.id))
                // Some wait for answers, some say nothing, some are gone before they are read.
                if number % 4 == 0 { try desk.roundTrip(client) } else if number % 4 == 1 { try client.flush() }
                client.disconnect()
            }
            try desk.fixture.wait(for: "the descriptors to go") { try desk.descriptors() == idle }
            return try desk.processorTime() - before
        }
        _ = try some(1000)
        let memory = try desk.memory()
        let first = try some(3000)
        _ = try some(3000)
        let last = try some(3000)
        let growth = try desk.memory() - memory
        #expect(growth < 512, "the server grew by \(growth) KiB over 9,000 clients")
        #expect(last < first * 2 + 20, "\(first), then \(last) hundredths of a second")
        // Some may not have been accepted yet when there were no more descriptors than before.
        try desk.fixture.wait(for: "the last to go") {
            try desk.request("GET", "/v1/applications").body.contains("\"applications\":[]")
        }
        try desk.stop()
    }
}
