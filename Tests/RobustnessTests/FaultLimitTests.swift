// Every bound of `Limits`: only the client that reaches it is affected, by an error that names the limit.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A limit, and how a client reaches it.
struct LimitCase: Sendable, CustomTestStringConvertible {
    /// A property of `Limits`.
    let name: String
    let key: any WritableKeyPath<Limits, Int> & Sendable
    let value: Int
    /// The message of the client's protocol error.
    let message: String
    /// Whether the clients are not trusted as the server's own user is.
    let isShare: Bool
    let reach: @Sendable (TestClient) throws -> Void

    var testDescription: String { "\(name): \(message)" }

    init(
        _ name: String, _ key: any WritableKeyPath<Limits, Int> & Sendable, _ value: Int, _ message: String,
        isShare: Bool = false, _ reach: @escaping @Sendable (TestClient) throws -> Void
    ) {
        self.name = name
        self.key = key
        self.value = value
        self.message = message
        self.isShare = isShare
        self.reach = reach
    }
}

extension LimitCase {
    private static func pool(_ client: TestClient, bytes: Int32) throws -> Proxy<WlShmPool> {
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        let memory = try client.memoryFile(words: Int(bytes) / 4, filledWith: 0)
        client.shm.send(.createPool(id: pool.id, fd: memory, size: bytes))
        return pool
    }

    static let all: [LimitCase] =
        memory + surfaces + [
            LimitCase("objects", \.objects, 60, "limit reached: 60 objects") { client in
                for _ in 0..<60 { _ = TestPopup.positioner(client, width: 1, height: 1) }
            },
            LimitCase("descriptorsInFlight", \.descriptorsInFlight, 4, "limit reached: descriptorsInFlight") { client in
                let out = client.connection.transport.queue()
                for _ in 0..<5 { out.put(OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))) }
                _ = client.surface()
            },
            // The witness and the greedy client have a connection each.
            LimitCase(
                "allDescriptors", \.allDescriptors.share, 5,
                "limit reached: a user has at most 5 descriptors for clients", isShare: true
            ) { client in
                let out = client.connection.transport.queue()
                for _ in 0..<4 { out.put(OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))) }
                _ = client.surface()
            },
            LimitCase("messagesPerSecond", \.messagesPerSecond, 200, "limit reached: 200 requests a second") { client in
                for _ in 0..<300 { client.region([]).send(.destroy) }
            },
            LimitCase("sandboxes", \.sandboxes, 2, "limit reached: 2 sandboxes of a user") { client in
                let manager = try client.bind(WpSecurityContextManagerV1.self)
                for _ in 0..<3 {
                    let ends = try descriptorPair()
                    let listening = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
                    // An address without a path: the kernel chooses an abstract one.
                    var address = sockaddr(sa_family: sa_family_t(AF_UNIX), sa_data: sockaddr().sa_data)
                    try #require(bind(listening.rawValue, &address, 2) == 0 && listen(listening.rawValue, 1) == 0)
                    let context = Proxy<WpSecurityContextV1>(client.connection, version: 1)
                    manager.send(.createListener(id: context.id, listenFd: listening, closeFd: ends.0))
                    context.send(.setSandboxEngine(name: "org.example"))
                    context.send(.commit)
                }
            },
            LimitCase("bindings", \.bindings, 3, "limit reached: 3 objects of one kind that receives events") {
                client in
                for _ in 0..<4 { _ = try client.bind(WlOutput.self) }
            },
            LimitCase("screenCopies", \.screenCopies, 3, "limit reached: 3 copies of screens at once") { client in
                let copies = try TestScreencopy(client)
                let output = try client.bind(WlOutput.self)
                let buffer = try client.buffer(0, width: 800, height: 600, format: .xrgb8888)
                for _ in 0..<4 { try copies.frame(of: output).copy(waiting: true, to: buffer) }
            },
            LimitCase("screenCopies", \.screenCopies, 3, "limit reached: 3 managers of screen copies") { client in
                for _ in 0..<4 { _ = try TestScreencopy(client) }
            },
            LimitCase("bindings", \.bindings, 3, "limit reached: 3 objects of one kind that receives events") {
                client in
                let seat = try client.seat()
                for _ in 0..<4 {
                    seat.send(.getPointer(id: Proxy<WlPointer>(client.connection, version: seat.version).id))
                }
            },
        ]

    private static let memory = [
        LimitCase("poolBytes", \.poolBytes, 4096, "limit reached: a pool has at most 4096 bytes") { client in
            _ = try pool(client, bytes: 4100)
        },
        LimitCase("poolBytes", \.poolBytes, 4096, "a pool grows from 4096 bytes to at most 4096, not to 4100") {
            try pool($0, bytes: 4096).send(.resize(size: 4100))
        },
        LimitCase(
            "clientBytes", \.clientBytes, 100_000,
            "limit reached: the server keeps at most 100000 bytes for a client (policy.limits.clientBytes)"
        ) { client in
            for _ in 0..<200 { _ = client.surface() }
        },
        LimitCase(
            "clientBytes", \.clientBytes, 100_000,
            "limit reached: the server keeps at most 100000 bytes for a client (policy.limits.clientBytes)"
        ) { client in
            for _ in 0..<10 {
                let region = client.region((0..<400).map { (x: $0 % 20 * 2, y: $0 / 20 * 2, width: 1, height: 1) })
                client.surface().send(.setInputRegion(region: region.id))
            }
        },
        LimitCase("pools", \.pools, 3, "limit reached: 3 pools with 8589934592 bytes in total") { client in
            for _ in 0..<4 { _ = try pool(client, bytes: 4) }
        },
        LimitCase("allPoolBytes", \.allPoolBytes, 9000, "limit reached: 4096 pools with 9000 bytes in total") {
            for _ in 0..<3 { _ = try pool($0, bytes: 4096) }
        },
        LimitCase("allPools", \.allPools.share, 3, "limit reached: a user has at most 3 pools", isShare: true) {
            client in
            for _ in 0..<4 { _ = try pool(client, bytes: 4) }
        },
        LimitCase("allPools", \.allPools.total, 3, "limit reached: 3 pools") { client in
            for _ in 0..<4 { _ = try pool(client, bytes: 4) }
        },
    ]

    private static let surfaces = [
        LimitCase("surfaces", \.surfaces, 5, "limit reached: 5 surfaces") { client in
            for _ in 0..<6 { _ = client.surface() }
        },
        LimitCase("windows", \.windows, 3, "limit reached: 3 windows") { client in
            for number in 0..<4 { _ = client.window("\(number)") }
        },
        LimitCase("windows", \.windows, 3, "limit reached: 3 windows") { client in
            for number in 0..<4 { _ = client.toplevel("\(number)") }
        },
        LimitCase("popups", \.popups, 3, "limit reached: 3 pop-ups") { client in
            let positioner = TestPopup.positioner(client, width: 1, height: 1)
            for _ in 0..<4 { _ = TestPopup(client, parent: nil, positioner: positioner) }
        },
        LimitCase("frameCallbacks", \.frameCallbacks, 4, "limit reached: 4 frame callbacks of a surface") { client in
            let surface = client.surface()
            for _ in 0..<5 { surface.send(.frame(callback: Proxy<WlCallback>(client.connection, version: 1).id)) }
        },
        LimitCase("queuedCommits", \.queuedCommits, 4, "limit reached: 4 commits that wait, and changes in them") {
            client in
            let surface = client.surface()
            let manager = try client.bind(WpCommitTimingManagerV1.self)
            let timer = Proxy<WpCommitTimerV1>(client.connection, version: 1)
            manager.send(.getTimer(id: timer.id, surface: surface.id))
            timer.send(.setTimestamp(tvSecHi: .max, tvSecLo: 0, tvNsec: 0))
            for _ in 0..<5 { surface.send(.commit) }
        },
        LimitCase("regions", \.regions, 4, "limit reached: 4 regions") { client in
            for _ in 0..<5 { _ = client.region([]) }
        },
        LimitCase("regionRectangles", \.regionRectangles, 4, "limit reached: 4 rectangles in a region") { client in
            _ = client.region((0..<5).map { (x: $0 * 2, y: $0 * 2, width: 1, height: 1) })
        },
        LimitCase("surfaceDepth", \.surfaceDepth, 4, "limit reached: sub-surfaces nest at most 4 deep") { client in
            let surfaces = (0..<7).map { _ in client.surface() }
            for (parent, child) in zip(surfaces, surfaces.dropFirst()) {
                let id = Proxy<WlSubsurface>(client.connection, version: 1).id
                client.subcompositor.send(.getSubsurface(id: id, surface: child.id, parent: parent.id))
            }
        },
        LimitCase("surfaceDepth", \.surfaceDepth, 4, "limit reached: pop-ups nest at most 4 deep") { client in
            let top = client.toplevel("t")
            top.surface.send(.commit)
            var parent = top.xdg
            for _ in 0..<6 {
                let positioner = TestPopup.positioner(client, width: 4, height: 4)
                parent = TestPopup(client, parent: parent, positioner: positioner).xdg
            }
        },
    ]
}

@Suite struct FaultLimitTests {
    /// Limits that cause no protocol error. They are tested below, in InjectionBoundTests, in MemoryAccountTests
    /// and in ScreencopyEndTests.
    private static let others: Set<String> = [
        "outputHighWater", "outputMaximum", "descriptorsQueued", "touches", "screens", "clients", "titleBytes",
        "userBytes", "allCopyBytes",
    ]

    @Test("there is a test for every limit")
    func every() {
        let names = Set(Mirror(reflecting: Limits()).children.compactMap(\.label))
        #expect(names == Set(LimitCase.all.map(\.name)).union(Self.others))
    }

    @Test("exceeding a limit disconnects only that client, with an error that names it", arguments: LimitCase.all)
    func reached(limit: LimitCase) throws {
        let fixture = try ServerFixture()
        let (key, value) = (limit.key, limit.value)
        var limits = Limits()
        limits[keyPath: key] = value
        limits.allPools.trustsOwner = !limit.isShare
        limits.allDescriptors.trustsOwner = !limit.isShare
        let small = try ServerFixture(limits: limits)
        let (client, witness) = try (small.connect("greedy"), small.connect("witness"))
        witness.window("w").color(0xff00_ff00).makeKeyAndVisible()
        try small.pump()
        try limit.reach(client)
        try small.pump()
        #expect(client.protocolError?.message == limit.message, "\(String(describing: client.error))")
        #expect(small.server.clientCount == 1 && small.model.windows.count == 1)
        #expect(small.model.checkInvariants() == [])
        #expect(witness.isOpen)
        #expect(try small.color(x: 9, y: 9) == 0x00ff00)
        // The same requests are valid without that limit.
        let free = try fixture.connect("free")
        try limit.reach(free)
        try fixture.pump()
        #expect(free.isOpen, "\(String(describing: free.error))")
    }

    @Test("outputHighWater: requests of a client that does not read are held back until it reads")
    func outputHighWater() throws {
        var limits = Limits()
        limits.outputHighWater = 2048
        let fixture = try ServerFixture(limits: limits)
        let witness = try fixture.connect("witness")
        let deaf = Connection(socket: try fixture.connectSocket())
        // wl_display.sync, each answered by 24 bytes: done and delete_id.
        for id in UInt32(2)..<40_002 {
            let out = deaf.queue()
            out.begin(.display, opcode: 0)
            out.put(id)
            out.end()
            guard id % 1000 == 0 else { continue }
            _ = try deaf.flush()
            try fixture.pump()
        }
        #expect(deaf.queuedBytes > 0, "the server kept reading")
        #expect(fixture.server.queuedBytes < 2048 + 4096)
        #expect(witness.isOpen && fixture.server.clientCount == 2)
        var received = 0
        var chunk = [UInt8](repeating: 0, count: 65_536)
        try fixture.wait(for: "all answers") {
            _ = try deaf.flush()
            received += max(0, recv(deaf.socket.rawValue, &chunk, chunk.count, Int32(MSG_DONTWAIT)))
            return received == 40_000 * 24
        }
    }

    @Test("outputMaximum: a client that does not read its events is disconnected at this backlog, and the log says so")
    func outputMaximum() throws {
        var limits = Limits()
        limits.outputMaximum = 64 * 1024
        let fixture = try ServerFixture(limits: limits)
        var lines: [String] = []
        fixture.server.onLog = { _, line in lines.append(line) }
        let (deaf, witness) = try (fixture.connect("deaf"), fixture.connect("witness"))
        let input = try TestInput(deaf)
        deaf.window("deaf").color(0xffff_0000).makeKeyAndVisible()
        try fixture.pump()
        #expect(!input.takeEvents().isEmpty)
        fixture.detach(deaf)
        for _ in 0..<20_000 where fixture.server.clientCount == 2 {
            try fixture.press(30)
        }
        #expect(fixture.server.clientCount == 1 && witness.isOpen)
        #expect(lines.contains { $0.contains("outputMaximum") }, "\(lines.suffix(3))")
    }

    @Test("descriptorsQueued: beyond it, data requested from a client that does not read is an empty pipe")
    func descriptorsQueued() throws {
        var limits = Limits()
        limits.descriptorsQueued = 3
        limits.outputMaximum = 1 << 30
        let fixture = try ServerFixture(limits: limits)
        let (owner, reader) = try (
            TestPrimary(fixture.connect("owner")), TestPrimary(fixture.connect("reader"))
        )
        owner.client.window("o").color(0xffff_0000).makeKeyAndVisible()
        try fixture.pump()
        owner.device.send(.setSelection(source: owner.source(["text/plain"]).id, serial: 0))
        try fixture.pump()
        reader.client.window("r").color(0xff00_ff00).makeKeyAndVisible()
        try fixture.pump()
        let offer = try #require(reader.selection)
        fixture.detach(owner.client)
        var size: Int32 = 4096
        for client in fixture.server.clients.values {
            setsockopt(client.transport.socket.rawValue, SOL_SOCKET, SO_SNDBUF, &size, 4)
        }
        var unread: [OwnedDescriptor] = []
        for _ in 0..<400 {
            let ends = try descriptorPair()
            unread.append(ends.0)
            offer.send(.receive(mimeType: "text/plain", fd: ends.1))
            try fixture.pump()
        }
        // The number of pipes whose other end is closed.
        func ended() -> Int {
            unread.count { end in
                var byte: UInt8 = 0
                return read(end.rawValue, &byte, 1) == 0
            }
        }
        try fixture.wait(for: "an empty pipe") { ended() > 0 }
        #expect(ended() < 400)
        #expect(owner.client.isOpen && reader.client.isOpen && fixture.server.clientCount == 2)
    }

    @Test("S2: screens: one more than the limit is refused, and accepted once another has been unplugged")
    func screens() throws {
        var limits = Limits()
        limits.screens = 2
        let fixture = try ServerFixture(screens: ["800x600", "640x480"], limits: limits)
        let control = try TestControl(fixture)
        let refused = try control.send("POST", "/v1/screens", "{\"model\":\"640x480\"}")
        #expect(refused.status == 409 && refused.body.contains("limit reached: 2 screens"), "\(refused)")
        #expect(try control.send("DELETE", "/v1/screens/\(fixture.model.screens[1])").status < 300)
        #expect(try control.send("POST", "/v1/screens", "{\"model\":\"640x480\"}").status == 201)
    }

    @Test("clients: one more than the limit is refused with an error, and accepted once another has disconnected")
    func clients() throws {
        var limits = Limits()
        limits.clients = 2
        let fixture = try ServerFixture(limits: limits)
        let clients = try [fixture.connect(), fixture.connect()]
        let connection = ClientConnection(socket: try fixture.connectSocket())
        defer { connection.disconnect() }
        try fixture.pump()
        let error = #expect(throws: ClientError.self) { while try connection.dispatchAvailable() {} }
        guard case .protocolError(_, _, "limit reached: 2 clients")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try clients[0].kill()
        #expect(try fixture.connect().isOpen && clients[1].isOpen)
    }

    @Test("W1: titleBytes: a longer title is truncated between two characters")
    func titleBytes() throws {
        var limits = Limits()
        limits.titleBytes = 8
        let fixture = try ServerFixture(limits: limits)
        let client = try fixture.connect()
        client.window("äöüäöü").color(0xff00_ff00).show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        #expect(fixture.model.window(id)?.title == "äöüä")
    }
}
