// What waits in the queue of a surface's commits: how much of it, for how long, and for which role.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct CommitQueueTests {
    private static let period: UInt64 = 20_000

    // MARK: Slices

    @Test("of many commits that one frame makes due, the rest is applied in the client's slices")
    func slices() throws {
        let setup = try QueueFixture()
        let (fixture, numbered) = (setup.fixture, setup.numbered)
        try numbered.commit(1, sets: true)
        try numbered.commit(2, waits: true)
        for _ in 0..<300 { numbered.surface.send(.commit) }
        try fixture.pump()
        let surface = try #require(fixture.server.surfaces.all.first { !$0.queue.isEmpty })
        #expect(surface.queue.count == 301)
        // A slice applies one.
        fixture.server.turnTime = 0
        surface.liftBarrier()
        #expect(surface.queue.count == 301 - 64)
        surface.liftBarrier()
        #expect(surface.queue.count == 301 - 64)
        for turn in 1...3 {
            try fixture.loop.runOnce()
            #expect(surface.queue.count == 301 - 64 - turn)
        }
        try fixture.wait(for: "the rest") { surface.queue.isEmpty }
        #expect(try setup.shown() == 2)
    }

    @Test("commits of sub-surfaces that need not wait do not count among those that do")
    func nothingWaits() throws {
        var limits = Limits()
        limits.queuedCommits = 3
        let fixture = try ServerFixture(screens: ["640x480@50"], limits: limits, clock: .manual)
        let client = try fixture.connect()
        let window = client.window("w").frame(0, 0, 20, 20)
        window.show()
        let numbered = try NumberedSurface(client, window.surface)
        try fixture.pump()
        for _ in 0..<5 { _ = try TestSubsurface(client, of: window.surface, argb: 0, x: 0, y: 0, width: 1, height: 1) }
        try numbered.commit(1, sets: true)
        try fixture.pump()
        #expect(client.isOpen)
        for _ in 0..<5 { _ = try TestSubsurface(client, of: window.surface, argb: 0, x: 0, y: 0, width: 1, height: 1) }
        try numbered.commit(2, waits: true)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("limit reached: 3 commits that wait") == true)
    }

    @Test("each change of a window or of sub-surfaces counts among what waits")
    func changes() throws {
        let setup = try QueueFixture()
        let holder = try #require(setup.fixture.server.clients.values.first)
        try setup.numbered.commit(1, sets: true)
        for _ in 0..<5 {
            for level in 0..<200 { setup.window.level(Double(level)) }
            setup.numbered.fifo.send(.waitBarrier)
            setup.window.commit()
        }
        try setup.fixture.pump()
        #expect(holder.queuedCommits == 5 * 201)
        for level in 0..<200 { setup.window.level(Double(level)) }
        setup.window.commit()
        try setup.fixture.pump()
        #expect(setup.client.isOpen && holder.queuedCommits == 6 * 201)
        setup.window.commit()
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.message.contains("limit reached: 1024 commits that wait") == true)
    }

    // MARK: Roles

    @Test("C4: a toplevel created again is configured and mapped by its own commits, not by one that waits")
    func createdAgain() throws {
        let setup = try QueueFixture()
        let (fixture, model, client) = (setup.fixture, setup.fixture.model, setup.client)
        let toplevel = try TestToplevel.map(client, fixture)
        let numbered = try NumberedSurface(client, toplevel.surface)
        try numbered.commit(1, sets: true)
        try numbered.commit(2, waits: true)
        toplevel.toplevel.send(.destroy)
        let again = Proxy<XdgToplevel>(client.connection, version: toplevel.toplevel.version)
        toplevel.xdg.send(.getToplevel(id: again.id))
        toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
        toplevel.surface.send(.commit)
        let configures = toplevel.configures
        try fixture.pump()
        for surface in fixture.server.surfaces.all { surface.liftBarrier() }
        try fixture.pump()
        #expect(toplevel.configures == configures + 1 && model.windows.count { model.isVisible($0) } == 1)
        try numbered.commit(3)
        try fixture.pump()
        #expect(model.windows.count { model.isVisible($0) } == 2 && client.isOpen)
    }

    @Test("C4: a commit that unmaps a plain window waits for nothing: requests after it are for the next mapping")
    func unmapped() throws {
        for time in [nil, UInt64.max / 2] {
            let setup = try QueueFixture()
            let (fixture, client) = (setup.fixture, setup.client)
            let toplevel = try TestToplevel.map(client, fixture)
            let numbered = try NumberedSurface(client, toplevel.surface)
            try numbered.commit(1, sets: true)
            try numbered.commit(2, waits: true)
            toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
            if let time { numbered.setTime(time) }
            toplevel.surface.send(.commit)
            toplevel.toplevel.send(.setMaximized)
            toplevel.surface.send(.commit)
            try fixture.pump()
            #expect(toplevel.has(.maximized))
            let holder = try #require(fixture.server.clients.values.first)
            #expect(holder.queuedCommits == 0 && holder.timedSurfaces == 0)
        }
    }

    @Test("C4: a commit made before the surface had a role changes nothing of the role")
    func roleless() throws {
        let setup = try QueueFixture()
        let (fixture, client) = (setup.fixture, setup.client)
        let surface = client.surface()
        let numbered = try NumberedSurface(client, surface)
        numbered.setTime(fixture.server.clock.now + 1000)
        surface.send(.commit)
        let xdg = Proxy<XdgSurface>(client.connection, version: client.wmBase.version)
        client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        let toplevel = Proxy<XdgToplevel>(client.connection, version: client.wmBase.version)
        xdg.send(.getToplevel(id: toplevel.id))
        var configures = 0
        xdg.onEvent = { if case .configure = $0 { configures += 1 } }
        try fixture.step(Self.period)
        #expect(configures == 0)
        surface.send(.commit)
        try fixture.pump()
        #expect(configures == 1)
    }

    @Test("C4: what else a commit changes waits with it: of a window, and of a plain window")
    func roles() throws {
        let setup = try QueueFixture()
        let (fixture, model, window) = (setup.fixture, setup.fixture.model, setup.window)
        let id = try #require(model.windows.first)
        func state() throws -> [String] {
            try fixture.pump()
            let value = try #require(model.window(id))
            return [value.title, "\(value.frame.width)", "\(value.level)"]
        }
        try setup.numbered.commit(1, sets: true)
        window.frame(0, 0, 30, 20)
        try setup.numbered.commit(2, sets: true, waits: true)
        window.level(5).window.send(.setTitle(title: "later"))
        #expect(try state() == ["w", "20.0", "0.0"])
        try fixture.step(Self.period)
        #expect(try state() == ["w", "30.0", "0.0"], "not what was requested after the commit")
        window.frame(0, 0, 40, 20)
        try setup.numbered.commit(3, waits: true)
        #expect(try state() == ["w", "30.0", "0.0"])
        try fixture.step(Self.period)
        #expect(try state() == ["later", "40.0", "5.0"])

        let toplevel = try TestToplevel.map(setup.client, fixture)
        let numbered = try NumberedSurface(setup.client, toplevel.surface, width: 50, height: 40)
        let plain = try #require(model.windows.last)
        try numbered.commit(1, sets: true)
        toplevel.xdg.send(.setWindowGeometry(x: 0, y: 0, width: 45, height: 35))
        try numbered.commit(2, sets: true, waits: true)
        toplevel.xdg.send(.setWindowGeometry(x: 0, y: 0, width: 25, height: 15))
        toplevel.toplevel.send(.setMinSize(width: 10, height: 20))
        try numbered.commit(3, waits: true)
        for size in [(50, 40), (45, 35), (25, 15)] as [(Double, Double)] {
            try fixture.pump()
            #expect(model.frame(of: plain)?.size == Size(width: size.0, height: size.1))
            try fixture.step(Self.period)
        }
    }

    @Test("a surface that loses its role shows what it has committed, when it gets a role again")
    func roleEnds() throws {
        let setup = try QueueFixture()
        try setup.numbered.commit(1, sets: true)
        try setup.numbered.commit(2, waits: true)
        try setup.numbered.commit(3, waits: true)
        setup.window.window.send(.destroy)
        let again = Proxy<MullionWindowV1>(setup.client.connection, version: setup.client.application.version)
        setup.client.application.send(
            .createWindow(id: again.id, surface: setup.window.surface.id, screen: nil))
        again.send(
            .setFrame(
                x: Fixed(rounding: 0), y: Fixed(rounding: 0), width: Fixed(rounding: 20), height: Fixed(rounding: 20)))
        again.send(.setHidden(hidden: 0))
        setup.window.surface.send(.commit)
        #expect(try setup.shown() == 3)
        // The new window's commit replaces the third before a frame.
        #expect(setup.numbered.discarded == [1, 2, 3])
    }

    @Test("what waits ends with its surface, and costs the client nothing then")
    func surfaceEnds() throws {
        let setup = try QueueFixture()
        let holder = try #require(setup.fixture.server.clients.values.first)
        let numbered = setup.numbered
        let child = try TestSubsurface(
            setup.client, of: numbered.surface, argb: 0xff00_0000, x: 0, y: 0, width: 10, height: 10)
        for number in 1...5 {
            child.surface.send(.commit)
            try numbered.commit(number, sets: true, waits: true)
        }
        try setup.fixture.pump()
        #expect(holder.queuedCommits == 8)
        #expect(holder.holdings.bytes > 8 * MemoryCost.commit)
        numbered.surface.send(.destroy)
        setup.window.window.send(.destroy)
        try setup.fixture.pump()
        #expect(holder.queuedCommits == 0 && holder.holdings.bytes == 0)
        #expect(numbered.discarded.sorted() == [1, 2, 3, 4, 5] && numbered.done.isEmpty)
        try setup.fixture.step(2_000_000)
        #expect(setup.client.isOpen)
    }
}
