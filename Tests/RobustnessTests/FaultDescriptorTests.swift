// Out of descriptors, or in a storm of connections, mulliond keeps serving its clients.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct FaultDescriptorTests {
    @Test(
        "a user's clients have a share of the descriptors; the next one gets an error, and others go on",
        .enabled(if: geteuid() == 0))
    func ceiling() throws {
        let setup = try Strangers.server("", "ulimit -n 256")
        func connect() throws -> WireClient { try WireClient(path: setup.folder + "/socket", as: Strangers.user) }
        var clients: [WireClient] = []
        var refusal = ""
        while refusal.isEmpty, clients.count < 200 {
            do { clients.append(try connect()) } catch { refusal = "\(error)" }
        }
        // 64 are reserved; one user may have half of the others.
        #expect(refusal.contains("limit reached: a user has at most 96 descriptors for clients"), "\(refusal)")
        #expect(clients.count == 96)
        for client in clients { try client.roundTrip() }
        let own = try (0..<20).map { _ in try setup.connect() }
        for client in own { try setup.roundTrip(client) }
        #expect(try setup.request("GET", "/v1/status").status == 200)
        #expect(try setup.request("GET", "/v1/screenshot.png").status == 200)
        clients.removeLast()
        try setup.fixture.wait(for: "room for another") { (try? connect()).map { clients.append($0) } != nil }
        for client in own { client.disconnect() }
        try setup.stop()
    }

    @Test(
        "when all users together have too many descriptors, one with most of them is disconnected, not whoever sends next",
        .enabled(if: geteuid() == 0))
    func crowd() throws {
        let setup = try Strangers.server("", "ulimit -n 256")
        func connect(_ user: uid_t) throws -> WireClient { try WireClient(path: setup.folder + "/socket", as: user) }
        func take(_ count: Int, _ client: WireClient) throws {
            for number in 0..<count {
                _ = try client.pool(memoryFile(bytes: 4096), bytes: 4096)
                if number % 8 == 7 { try client.roundTrip() }
            }
            try client.roundTrip()
        }
        let (bystander, second, first) = try (
            connect(Strangers.user - 2), connect(Strangers.user - 1), connect(Strangers.user)
        )
        // 64 are reserved for the server and an eighth of the others for root; one user may have half.
        try take(90, first)
        try take(60, second)
        try take(30, bystander)
        #expect(
            try first.waitForEnd().contains(
                "168 descriptors for clients of all users; of those who may lose some, this one has most"))
        try second.roundTrip()
        try take(40, bystander)
        try setup.stop()
    }

    @Test(
        "a stranger ends none of the clients of the server's own user, which may have more than all strangers",
        .enabled(if: geteuid() == 0))
    func reserve() throws {
        let setup = try Strangers.server("", "ulimit -n 256")
        let stranger = try WireClient(path: setup.folder + "/socket", as: Strangers.user)
        let own = try (0..<130).map { _ in try setup.connect() }
        // No request takes these. Together there are more than 168 now.
        for client in own.suffix(2) {
            let out = client.transport.queue()
            for _ in 0..<20 { out.put(OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))) }
            try setup.roundTrip(client)
        }
        _ = try stranger.pool(memoryFile(bytes: 4096), bytes: 4096)
        #expect(
            try stranger.waitForEnd().contains(
                "168 descriptors for clients of all users; of those who may lose some, this one has most"))
        for client in own {
            try setup.roundTrip(client)
            client.disconnect()
        }
        try setup.stop()
    }

    @Test("the server's own user may use all descriptors for clients, and the others are left for the server itself")
    func owner() throws {
        let setup = try ServerProcess("ulimit -n 256")
        var clients: [ClientConnection] = []
        var refusal = ""
        while refusal.isEmpty, clients.count < 200 {
            do { clients.append(try setup.connect()) } catch { refusal = "\(error)" }
        }
        #expect(refusal.contains("limit reached: 192 descriptors for clients"), "\(refusal)")
        // The server's own descriptors are among the 192.
        #expect((97...192).contains(clients.count), "\(clients.count)")
        for client in clients { try setup.roundTrip(client) }
        #expect(try setup.request("GET", "/v1/screenshot.png").status == 200)
        for client in clients { client.disconnect() }
        try setup.stop()
    }

    @Test("the server raises its limit of descriptors, and clients may use the raised limit")
    func raised() throws {
        let setup = try ServerProcess("ulimit -Hn 512; ulimit -Sn 80")
        let clients = try (0..<200).map { _ in try setup.connect() }
        for client in clients {
            try setup.roundTrip(client)
            client.disconnect()
        }
        try setup.stop()
    }

    @Test("without free descriptors clients are still served; accept() backs off, and resumes when some are free")
    func exhausted() throws {
        let setup = try ServerProcess("ulimit -n 128")
        let client = try setup.connect()
        // Control connections are not refused: they use up the remaining descriptors.
        var idle = try (0..<200).map { _ in try setup.openControl() }
        try setup.wait("the warning") { $0.contains("cannot accept a control connection") }
        let before = try setup.processorTime()
        for _ in 0..<200 { try setup.roundTrip(client) }
        let late = try ClientConnection(connectingTo: setup.folder + "/socket")
        try setup.wait("the other warning") { $0.contains("cannot accept a client") }
        #expect(try setup.processorTime() - before < 300, "the listener spins")
        idle.removeAll()
        #expect(try setup.request("GET", "/v1/status").status == 200)
        // It was accepted as soon as one descriptor was free, perhaps while too many others were still in use.
        do {
            try setup.roundTrip(late)
        } catch {
            #expect("\(error)".contains("limit reached: 64 descriptors for clients"))
        }
        var next: ClientConnection?
        try setup.fixture.wait(for: "room for another") {
            next = try? setup.connect()
            return next != nil
        }
        try setup.roundTrip(client)
        let said = setup.server.readOutput().split(separator: "\n").count { $0.contains("cannot accept") }
        #expect(said < 50, "the log is flooded: \(said) lines")
        for client in [late, next, client] { client?.disconnect() }
        try setup.stop()
    }

    @Test("10,000 clients come and go without leaking descriptors or memory, at a constant cost")
    func storm() throws {
        let setup = try ServerProcess()
        let idle = try setup.descriptors()
        func some(_ count: Int) throws -> Int {
            let before = try setup.processorTime()
            for number in 0..<count {
                let client = try ClientConnection(connectingTo: setup.folder + "/socket")
                let registry = Proxy<WlRegistry>(client, version: 1)
                client.display.send(.getRegistry(registry: registry.id))
                // Some wait for the answer, some only send, some disconnect without sending.
                if number % 4 == 0 { try setup.roundTrip(client) } else if number % 4 == 1 { try client.flush() }
                client.disconnect()
            }
            try setup.fixture.wait(for: "the descriptors to go") { try setup.descriptors() == idle }
            return try setup.processorTime() - before
        }
        _ = try some(1000)
        let memory = try setup.memory()
        let first = try some(3000)
        _ = try some(3000)
        let last = try some(3000)
        let growth = try setup.memory() - memory
        #expect(growth < 512, "the server grew by \(growth) KiB over 9,000 clients")
        #expect(last < first * 2 + 20, "\(first), then \(last) hundredths of a second")
        // Some may not have been accepted yet when the number of descriptors was back to normal.
        try setup.fixture.wait(for: "the last to go") {
            try setup.request("GET", "/v1/applications").body.contains("\"applications\":[]")
        }
        try setup.stop()
    }
}
