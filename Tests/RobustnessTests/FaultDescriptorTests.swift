// Out of descriptors, or in a storm of connections, mulliond keeps serving its clients.

import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Wayland

@Suite struct FaultDescriptorTests {
    @Test(
        "a client beyond its user's descriptor limit receives an error; others and the control API are unaffected"
    )
    func ceiling() throws {
        let desk = try ServerProcess("ulimit -n 256")
        var clients: [ClientConnection] = []
        var refusal = ""
        while refusal.isEmpty, clients.count < 200 {
            do { clients.append(try desk.connect()) } catch { refusal = "\(error)" }
        }
        // 64 are reserved; one user may have half of the others.
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

    @Test("the server raises its limit of descriptors, and clients may use the raised limit")
    func raised() throws {
        let desk = try ServerProcess("ulimit -Hn 512; ulimit -Sn 80")
        let clients = try (0..<200).map { _ in try desk.connect() }
        for client in clients {
            try desk.roundTrip(client)
            client.disconnect()
        }
        try desk.stop()
    }

    @Test("without free descriptors clients are still served; accept() backs off, and resumes when some are free")
    func exhausted() throws {
        let desk = try ServerProcess("ulimit -n 128")
        let client = try desk.connect()
        // Control connections are not refused: they use up the remaining descriptors.
        var idle = try (0..<200).map { _ in try desk.openControl() }
        try desk.wait("the warning") { $0.contains("cannot accept a control connection") }
        let before = try desk.processorTime()
        for _ in 0..<200 { try desk.roundTrip(client) }
        let late = try ClientConnection(connectingTo: desk.folder + "/socket")
        try desk.wait("the other warning") { $0.contains("cannot accept a client") }
        #expect(try desk.processorTime() - before < 300, "the listener spins")
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

    @Test("10,000 clients come and go without leaking descriptors or memory, at a constant cost")
    func storm() throws {
        let desk = try ServerProcess()
        let idle = try desk.descriptors()
        func some(_ count: Int) throws -> Int {
            let before = try desk.processorTime()
            for number in 0..<count {
                let client = try ClientConnection(connectingTo: desk.folder + "/socket")
                let registry = Proxy<WlRegistry>(client, version: 1)
                client.display.send(.getRegistry(registry: registry.id))
                // Some wait for the answer, some only send, some disconnect without sending.
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
        // Some may not have been accepted yet when the number of descriptors was back to normal.
        try desk.fixture.wait(for: "the last to go") {
            try desk.request("GET", "/v1/applications").body.contains("\"applications\":[]")
        }
        try desk.stop()
    }
}
