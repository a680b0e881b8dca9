// The server's memory and descriptors for one user are limited: a client that reaches a limit is notified, and others
// are unaffected.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct GrowthTests {
    static let isRoot = geteuid() == 0

    private func server(_ hardship: String = "", limits: String = "") throws -> ServerProcess {
        try Strangers.server("limits: { \(limits) }", hardship)
    }

    private func connect(_ server: ServerProcess, as user: uid_t? = nil) throws -> WireClient {
        try WireClient(path: server.folder + "/socket", as: user)
    }

    // MARK: Output

    @Test("output that a client has read is freed, even if it never reads everything")
    func outputBuffers() throws {
        let server = try server()
        let reader = try connect(server)
        for _ in 0..<1000 { _ = try reader.bind(WlOutput.self) }
        try reader.roundTrip()
        let names = try server.request("GET", "/v1/screens").body
        let screen = try #require(names.split(separator: "\"id\":").dropFirst().first?.prefix { $0 != "," })
        var chunk = [UInt8](repeating: 0, count: 65_536)
        /// Reads this many bytes, or with nil until nothing more arrives.
        func read(_ wanted: Int?) throws -> Int {
            var bytes = 0
            while bytes < wanted ?? .max {
                var descriptor = pollfd(fd: reader.connection.descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&descriptor, 1, wanted == nil ? 200 : 60_000) == 1 else { break }
                let count = recv(descriptor.fd, &chunk, min(chunk.count, (wanted ?? .max) - bytes), 0)
                guard count > 0 else { throw FixtureError("the reader is disconnected") }
                bytes += count
            }
            return bytes
        }
        var turn = 0
        /// Sends an event to every wl_output.
        func change() throws {
            turn += 1
            let body = "{\"position\":{\"x\":\(turn % 2),\"y\":0}}"
            let answer = try server.request("PATCH", "/v1/screens/\(screen)", body)
            try #require(answer.status == 200, "\(answer)")
        }
        try change()
        let bytes = try read(nil)
        try #require(bytes > 10_000)
        // As much stays queued as the limit allows.
        for _ in 0..<600_000 / bytes { try change() }
        let before = try server.memory()
        var total = 0
        while total < 48 << 20 {
            try change()
            total += try read(bytes)
        }
        let growth = try server.memory() - before
        if Programs.isServerShipped { #expect(growth < 8 << 10, "\(growth) KiB more after \(total >> 10) KiB read") }
        try server.stop()
    }

    // MARK: Memory

    /// A way to make the server use much memory gradually, within all limits on counts.
    struct Hoard: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let step: @Sendable (WireClient) throws -> Void
    }

    static let hoards = [
        Hoard(testDescription: "regions of surfaces") { client in
            let compositor = try client.compositor.get()
            let region = Proxy<WlRegion>(client.connection, version: 1)
            compositor.send(.createRegion(id: region.id))
            for index in Int32(0)..<1000 {
                region.send(.add(x: index % 32 * 2, y: index / 32 * 2, width: 1, height: 1))
            }
            for index in Int32(0)..<20 {
                let surface = try client.surface()
                region.send(.add(x: 1000 + index * 2, y: 0, width: 1, height: 1))
                surface.send(.setInputRegion(region: region.id))
                surface.send(.commit)
                region.send(.add(x: 2000 + index * 2, y: 0, width: 1, height: 1))
                surface.send(.setOpaqueRegion(region: region.id))
                region.send(.subtract(x: 1000, y: 0, width: 2000, height: 1))
            }
            region.send(.destroy)
        },
        Hoard(testDescription: "types of sources") { client in
            let manager = try client.bind(WlDataDeviceManager.self)
            for _ in 0..<20 {
                let source = Proxy<WlDataSource>(client.connection, version: manager.version)
                manager.send(.createDataSource(id: source.id))
                for index in 0..<256 { source.send(.offer(mimeType: String(repeating: "x", count: 58) + "\(index)")) }
            }
        },
        Hoard(testDescription: "changes of sub-surfaces") { client in
            let surface = try client.surface()
            let child = try client.surface()
            let subcompositor = try client.bind(WlSubcompositor.self)
            let subsurface = Proxy<WlSubsurface>(client.connection, version: 1)
            subcompositor.send(.getSubsurface(id: subsurface.id, surface: child.id, parent: surface.id))
            for x in Int32(0)..<16_000 { subsurface.send(.setPosition(x: x, y: 0)) }
        },
    ]

    @Test(
        "a client that uses too much memory is notified at its limit, and its memory is freed",
        arguments: hoards)
    func hoarding(hoard: Hoard) throws {
        let server = try server()
        let witness = try connect(server)
        try witness.roundTrip()
        let before = try server.memory()
        var most = 0
        var reason = ""
        let client = try connect(server)
        do {
            for _ in 0..<2000 {
                try hoard.step(client)
                try client.roundTrip()
                most = max(most, try server.memory() - before)
            }
        } catch {
            reason = "\(error)"
        }
        #expect(
            reason.contains(
                "limit reached: the server keeps at most 67108864 bytes for a client (policy.limits.clientBytes)"),
            "\(reason)")
        try witness.roundTrip()
        if Programs.isServerShipped {
            #expect(most > 8 << 10 && most < 96 << 10, "\(most) KiB")
            try server.fixture.wait(for: "the memory to be given back") { try server.memory() - before < 16 << 10 }
        }
        try server.stop()
    }

    @Test(
        "a user's clients together use no more memory than their limit; others are unaffected",
        .enabled(if: isRoot))
    func hoardingTogether() throws {
        let server = try server(limits: "userBytes: 33554432")
        let witness = try connect(server)
        var hoarders: [WireClient] = []
        var reasons: [String] = []
        for _ in 0..<6 {
            let hoarder = try connect(server, as: Strangers.user)
            do {
                for _ in 0..<6 { try Self.hoards[0].step(hoarder) }
                try hoarder.roundTrip()
                hoarders.append(hoarder)
            } catch {
                reasons.append("\(error)")
            }
        }
        for hoarder in hoarders {
            do { try hoarder.roundTrip() } catch { reasons.append("\(error)") }
        }
        #expect((1...5).contains(reasons.count), "\(reasons.count) of 6 are ended")
        for reason in reasons { #expect(reason.contains("33554432 bytes for all clients of a user"), "\(reason)") }
        try witness.roundTrip()
        let rich = try connect(server)
        for _ in 0..<6 { try Self.hoards[0].step(rich) }
        try rich.roundTrip()
        try server.stop()
    }

    // MARK: Users

    /// Creates sandboxes until the server refuses.
    /// - Returns: their number, and the reason of the refusal.
    private func makeSandboxes(_ client: WireClient, _ socket: Int32, _ closing: OwnedDescriptor) throws -> (
        Int, String
    ) {
        let manager = try client.bind(WpSecurityContextManagerV1.self)
        var count = 0
        do {
            while count < 200 {
                let context = Proxy<WpSecurityContextV1>(client.connection, version: 1)
                let copies = [socket, closing.rawValue].map { OwnedDescriptor(fcntl($0, F_DUPFD_CLOEXEC, 0)) }
                manager.send(.createListener(id: context.id, listenFd: copies[0], closeFd: copies[1]))
                context.send(.setSandboxEngine(name: "org.example"))
                context.send(.commit)
                try client.roundTrip()
                count += 1
            }
        } catch {
            return (count, "\(error)")
        }
        return (count, "")
    }

    @Test(
        "sandboxes are counted per user, whichever of the user's clients created them and wherever those are",
        .enabled(if: isRoot))
    func sandboxes() throws {
        let server = try server(limits: "sandboxes: 8")
        let witness = try connect(server)
        let listening = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        // An address without a path: the kernel chooses an abstract one.
        var address = sockaddr(sa_family: sa_family_t(AF_UNIX), sa_data: sockaddr().sa_data)
        try #require(bind(listening.rawValue, &address, 2) == 0 && listen(listening.rawValue, 1) == 0)
        let before = try server.descriptors()
        var (closing, kept): (OwnedDescriptor?, OwnedDescriptor?) = try descriptorPair()
        for round in 0..<5 {
            let (made, reason) = try makeSandboxes(
                connect(server, as: Strangers.user), listening.rawValue, #require(closing))
            #expect(made == (round == 0 ? 8 : 0), "of round \(round)")
            #expect(reason.contains("limit reached: 8 sandboxes of a user"), "\(reason)")
        }
        try server.fixture.wait(for: "the descriptors of refused sandboxes to be closed") {
            try server.descriptors() <= before + 8 * 2 + 2
        }
        let others = try descriptorPair()
        #expect(try makeSandboxes(connect(server), listening.rawValue, others.0).0 == 8, "another user has its own")
        // When the engine hangs up there is room again.
        (closing, kept) = (nil, nil)
        _ = kept
        let again = try descriptorPair()
        try server.fixture.wait(for: "the end of the sandboxes") {
            try makeSandboxes(connect(server, as: Strangers.user), listening.rawValue, again.0).0 > 0
        }
        try witness.roundTrip()
        try server.stop()
    }

    private func makePools(_ count: Int, _ client: WireClient, _ file: OwnedDescriptor) throws {
        for number in 1...count {
            _ = try client.pool(file, bytes: 4096)
            // Limits the descriptors in transit.
            if number % 20 == 0 { try client.roundTrip() }
        }
        try client.roundTrip()
    }

    @Test("a user who has used up their pools does not keep others from creating some", .enabled(if: isRoot))
    func pools() throws {
        let server = try server(limits: "userPools: 100, allPools: 200")
        let file = try memoryFile(bytes: 4096)
        let hoarders = try (0..<2).map { _ in try connect(server, as: Strangers.user) }
        for hoarder in hoarders { try makePools(50, hoarder, file) }
        let late = try connect(server, as: Strangers.user)
        _ = try late.pool(file, bytes: 4096)
        #expect(try late.waitForEnd().contains("limit reached: a user has at most 100 pools"))
        let witness = try connect(server)
        try makePools(100, witness, file)
        for hoarder in hoarders { try hoarder.roundTrip() }
        try server.stop()
    }

    @Test("a user's descriptors in transit leave room for other users' clients", .enabled(if: isRoot))
    func descriptorsInFlight() throws {
        // 64 are reserved for the server itself; a user has half of the others.
        let server = try server("ulimit -n 256")
        let witness = try connect(server)
        var hoarders: [WireClient] = []
        var reason = ""
        do {
            while hoarders.count < 20 {
                let hoarder = try connect(server, as: Strangers.user)
                hoarders.append(hoarder)
                let out = hoarder.connection.transport.queue()
                for _ in 0..<40 { out.put(OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))) }
                try hoarder.roundTrip()
            }
        } catch {
            reason = "\(error)"
        }
        #expect(reason.contains("limit reached: a user has at most 96 descriptors for clients"), "\(reason)")
        #expect(hoarders.count == 3)
        for _ in 0..<20 { try connect(server).roundTrip() }
        _ = try witness.pool(memoryFile(bytes: 4096), bytes: 4096)
        try witness.roundTrip()
        #expect(try server.request("GET", "/v1/screenshot.png").status == 200)
        // Closing some makes room.
        hoarders.removeFirst()
        try server.fixture.wait(for: "room for another") {
            (try? connect(server, as: Strangers.user).roundTrip()) != nil
        }
        try server.stop()
    }
}
