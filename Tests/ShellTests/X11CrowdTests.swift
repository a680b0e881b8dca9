// X servers that have almost what they may have: their managers end programs, and no X server is ended.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct X11CrowdTests {
    /// What an X server has more and more of.
    enum Thing: String, CaseIterable {
        case windows, pools, bytes, surfaces, objects, regions
        /// Pixels, of which the policy allows a user a number.
        case pixels

        /// The event, when there are 16 of it.
        var event: String {
            switch self {
            case .windows: "0 of 16"
            case .pools: "1 of 16"
            // 16 MiB
            case .bytes, .pixels: "2 of 16"
            case .surfaces: "1 of 16"
            case .objects, .regions: "1 of 0"
            }
        }
    }

    private static func setup(_ thing: Thing) throws -> X11Setup {
        var (limits, rule) = (Limits(), PeerRule())
        switch thing {
        case .windows: limits.windows = 16
        case .pools: limits.pools = 16
        case .bytes: limits.allPoolBytes = 16 << 20
        case .surfaces: limits.surfaces = 16
        // The test's own objects are among them.
        case .objects: limits.objects = 64
        case .regions: limits.regions = 16
        case .pixels: rule.pixels = 16 << 18
        }
        rule.rights = .all
        return try X11Setup(fixture: ServerFixture(limits: limits), policy: PeerPolicy(rules: [rule]))
    }

    private static func add(_ thing: Thing, _ number: Int, _ x11: TestX11) throws {
        let program = x11.program
        switch thing {
        case .windows: _ = try x11.map("w\(number)")
        case .surfaces: _ = program.surface()
        case .objects, .regions:
            for _ in 0..<(thing == .objects ? 4 : 1) {
                let region = Proxy<WlRegion>(program.connection, version: 1)
                program.compositor.send(.createRegion(id: region.id))
            }
        // 1 MiB, as large as the unit of the event.
        case .pools, .bytes, .pixels: _ = try program.buffer(0xffff_ffff, width: 512, height: 512)
        }
    }

    @Test(
        "at three quarters of what one client may have, the manager is asked to end a program; the X server may have more",
        arguments: Thing.allCases)
    func crowded(thing: Thing) throws {
        let setup = try Self.setup(thing)
        for number in 0..<8 {
            try Self.add(thing, number, setup.x11)
            try setup.fixture.pump()
        }
        if thing != .objects { #expect(setup.x11.crowdings == []) }
        for number in 8..<32 {
            try Self.add(thing, number, setup.x11)
            try setup.fixture.pump()
        }
        // Again when it grows on.
        #expect(setup.x11.crowdings.count > 1 && Set(setup.x11.crowdings) == [thing.event], "\(setup.x11.crowdings)")
        #expect(setup.x11.program.isOpen && setup.x11.manager.isOpen)
    }

    @Test("the manager is asked before it is answered, so that it can hold windows back")
    func order() throws {
        let setup = try Self.setup(.windows)
        let x11 = setup.x11
        let windows = (0..<12).map { x11.window("w\($0)") }
        var before: [String] = []
        let callback = Proxy<WlCallback>(x11.manager.connection, version: 1)
        callback.onEvent = { _ in before = x11.crowdings }
        x11.manager.connection.display.send(.sync(callback: callback.id))
        try setup.fixture.pump()
        #expect(before == [Thing.windows.event])
        withExtendedLifetime(windows) {}
    }

    @Test(
        "memory that an X server may not have is black, not an error; what it has already is shown on",
        arguments: [Thing.pools, .bytes, .pixels])
    func blank(thing: Thing) throws {
        let setup = try Self.setup(thing)
        _ = try setup.x11.map("early", at: (0, 0), 100, 100, color: 0xff00_ff00)
        for number in 0..<80 {
            try Self.add(thing, number, setup.x11)
            try setup.fixture.pump()
        }
        // As large as the others, because a smaller one could fit in what is left of the bytes and pixels.
        _ = try setup.x11.map("late", at: (200, 0), 512, 512, color: 0xffff_0000)
        try setup.fixture.pump()
        #expect(setup.x11.program.isOpen)
        let memory = setup.fixture.server.pools
        if thing != .pixels { #expect(memory.pools == 64 && memory.bytes <= 64 << 20) }
        #expect(try setup.fixture.color(x: 50, y: 50) == 0x00ff00)
        #expect(try setup.fixture.color(x: 250, y: 50) == 0)
        #expect(try setup.model.isVisible(setup.id("late")))
    }

    @Test("an X server with such memory is handed over; it has its programs, and is still black where it was")
    func handedOver() throws {
        let setup = try Self.setup(.pixels)
        setup.fixture.server.isHandOverPossible = true
        let window = try setup.x11.map("late", at: (0, 0), 64, 64)
        // The pool is as any other; its buffer is larger than the policy allows.
        try window.draw(2048, 2048)
        let pool = Proxy<WlShmPool>(setup.x11.program.connection, version: 1)
        let memory = try setup.x11.program.memoryFile(words: 1, filledWith: .max)
        setup.x11.program.shm.send(.createPool(id: pool.id, fd: memory, size: .max))
        try setup.fixture.pump()
        #expect(try setup.fixture.color(x: 50, y: 50) == 0)
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(setup.x11.program.isOpen && setup.x11.manager.isOpen)
        #expect(try setup.fixture.color(x: 50, y: 50) == 0)
        #expect(setup.fixture.server.pools.pools == 1)
        // Its pool still is as large as any, too.
        let buffer = Proxy<WlBuffer>(setup.x11.program.connection, version: 1)
        pool.send(
            .createBuffer(id: buffer.id, offset: 1 << 30, width: 8, height: 8, stride: 32, format: .xrgb8888))
        try window.draw(8, 8, color: 0xff00_00ff)
        try setup.fixture.pump()
        #expect(try setup.fixture.color(x: 4, y: 4) == 0x0000ff && setup.x11.program.isOpen)
    }

    @Test("a pool larger than any client's is black, too; it cannot be written")
    func large() throws {
        var limits = Limits()
        limits.poolBytes = 1 << 20
        let setup = try X11Setup(fixture: ServerFixture(limits: limits))
        let buffer = try setup.x11.program.buffer(0xffff_ffff, width: 1024, height: 1024)
        try setup.fixture.pump()
        #expect(setup.x11.program.isOpen && setup.fixture.server.pools.pools == 0)
        let memory = try #require(setup.fixture.server.pools.blank)
        #expect(!memory.write(offset: 0, count: 4) { $0.storeBytes(of: 1, as: UInt32.self) })
        var word: UInt32 = 1
        let part = SharedMemory.Part(offset: 1 << 30, length: 4, rows: 1, stride: 4)
        #expect(memory.read(part) { pixels, _ in word = pixels.load(as: UInt32.self) } && word == 0)
        withExtendedLifetime(buffer) {}
        // Any other client is disconnected, as before.
        let other = try setup.fixture.connect("other")
        _ = try other.buffer(0, width: 1024, height: 1024)
        try setup.fixture.pump()
        #expect(!other.isOpen)
    }

    @Test("an X server that has room again is asked again only at three quarters")
    func relief() throws {
        let setup = try Self.setup(.pools)
        for _ in 0..<2 {
            let buffers = try (0..<13).map { _ in try setup.x11.program.buffer(0, width: 16, height: 16) }
            try setup.fixture.pump()
            for buffer in buffers { buffer.send(.destroy) }
            try setup.fixture.pump()
        }
        #expect(setup.x11.crowdings == ["1 of 16", "1 of 16"])
    }
}
