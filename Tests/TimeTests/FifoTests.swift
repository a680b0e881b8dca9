// wp_fifo_v1: commits that wait until a frame has shown an earlier one.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct FifoTests {
    private static let period: UInt64 = 20_000

    @Test("each frame shows one commit, whose callback and feedback come with it")
    func onePerFrame() throws {
        let setup = try QueueFixture()
        let (fixture, numbered) = (setup.fixture, setup.numbered)
        for number in 1...3 { try numbered.commit(number, sets: true, waits: true) }
        #expect(try setup.shown() == 1, "nothing was there to wait for")
        #expect(try fixture.settle() == [], "time has to be stepped")
        for number in 1...3 {
            #expect(try setup.shown() == number)
            try fixture.step(Self.period)
        }
        #expect(numbered.done == [[1, 1020], [2, 1040], [3, 1060]])
        #expect(
            numbered.presented == numbered.done && numbered.discarded == [] && numbered.released.starts(with: [1, 2]))
        #expect(try fixture.step(.idle(limit: 1_000_000)).ticks == 0)
    }

    @Test("what follows a commit that waits keeps its place, and nothing waits without a barrier")
    func order() throws {
        let setup = try QueueFixture()
        let (fixture, numbered) = (setup.fixture, setup.numbered)
        try numbered.commit(1, waits: true)
        #expect(try setup.shown() == 1)
        try numbered.commit(2, sets: true)
        try numbered.commit(3)
        #expect(try setup.shown() == 3, "a commit that does not wait replaces the one with the barrier")
        try numbered.commit(4, waits: true)
        try numbered.commit(5)
        #expect(try setup.shown() == 3)
        try fixture.step(Self.period)
        #expect(try setup.shown() == 5)
        try fixture.step(Self.period)
        #expect(numbered.presented == [[3, 1020], [5, 1040]] && numbered.discarded == [1, 2, 4])
        #expect(numbered.done.map { $0[0] } == [1, 2, 3, 4, 5])
        try numbered.commit(6, waits: true)
        #expect(try setup.shown() == 6)
    }

    enum Reason: CaseIterable { case hidden, unplugged, poweredOff }

    @Test("V3: what no screen shows has a frame a second, so that nothing waits for ever", arguments: Reason.allCases)
    func unseen(reason: Reason) throws {
        let setup = try QueueFixture(screens: ["640x480@50", "640x480@50,external,name=TV,mirroring=off"])
        let (fixture, numbered, model) = (setup.fixture, setup.numbered, setup.fixture.model)
        let window = try #require(model.windows.first)
        for number in 1...4 { try numbered.commit(number, sets: true, waits: true) }
        try fixture.pump()
        switch reason {
        case .hidden: try model.setHidden(true, of: window)
        case .unplugged: try fixture.server.disconnect(model.screens[1])
        case .poweredOff: try model.setPowered(false, of: model.screens[1])
        }
        try fixture.pump()
        try fixture.step(Self.period)
        // The frame of a screen that goes on is not lost.
        let isLate = reason != .hidden
        #expect(numbered.done == (isLate ? [] : [[1, 1020]]))
        #expect(try fixture.step(.idle(limit: 60_000_000)).ticks == 0, "it is no activity")
        try fixture.step(1_980_000)
        #expect(numbered.done.suffix(2) == (isLate ? [[1, 2000], [2, 3000]] : [[2, 2000], [3, 3000]]))
        #expect(numbered.presented.isEmpty)
        switch reason {
        case .hidden: try model.setHidden(false, of: window)
        case .unplugged:
            try fixture.server.plug(ScreenSpecification(parsing: "640x480@50,external,name=TV,mirroring=off"))
        case .poweredOff: try model.setPowered(true, of: model.screens[1])
        }
        try fixture.pump()
        try fixture.step(2 * Self.period)
        #expect(numbered.done.last == [4, isLate ? 3040 : 3020])
        #expect(numbered.presented.last == numbered.done.last)
        #expect(try setup.shown() == 4)
    }

    @Test("a surface without content has nothing that a frame could show, and no barrier")
    func noContent() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let client = try fixture.connect()
        let toplevel = client.toplevel("t")
        let numbered = try NumberedSurface(client, toplevel.surface)
        numbered.fifo.send(.setBarrier)
        toplevel.surface.send(.commit)
        try fixture.pump()
        try numbered.commit(1, sets: true, waits: true)
        try fixture.pump()
        let window = try #require(fixture.model.windows.first)
        #expect(fixture.model.isVisible(window))
    }

    @Test("in real time, too: settling waits until all commits are shown")
    func realTime() throws {
        let setup = try QueueFixture(clock: .real)
        for number in 1...10 { try setup.numbered.commit(number, sets: true, waits: true) }
        try setup.fixture.pump()
        #expect(try setup.fixture.settle() == [])
        #expect(try setup.shown() == 10)
        #expect(setup.numbered.presented.map { $0[0] } == Array(1...10))
        let times = setup.numbered.presented.map { $0[1] }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 19 }, "\(times)")
    }

    // MARK: Sub-surfaces

    @Test("C4: a synchronised sub-surface does not wait, and is shown with its parent's commit, which may")
    func synchronized() throws {
        let setup = try QueueFixture()
        let (fixture, parent) = (setup.fixture, setup.numbered)
        let child = try TestSubsurface(
            setup.client, of: parent.surface, argb: 0xff00_0000, x: 10, y: 0, width: 10, height: 10)
        let numbered = try NumberedSurface(setup.client, child.surface, width: 10, height: 10)
        func shown() throws -> [Int] { [try setup.shown(), Int(try fixture.color(x: 15, y: 5))] }
        try numbered.commit(11, sets: true, waits: true)
        try parent.commit(1, sets: true)
        #expect(try shown() == [1, 11])
        try numbered.commit(12, sets: true, waits: true)
        #expect(try shown() == [1, 11])
        try parent.commit(2, waits: true)
        // This belongs to a later commit than the one that waits.
        try numbered.commit(13, waits: true)
        #expect(try shown() == [1, 11])
        try fixture.step(Self.period)
        #expect(try shown() == [2, 12])
        try fixture.step(Self.period)
        #expect(try shown() == [2, 12])
        try parent.commit(3)
        #expect(try shown() == [3, 13])
        try fixture.step(Self.period)
        #expect(numbered.presented == [[11, 1020], [12, 1040], [13, 1060]])
        #expect(parent.presented == [[1, 1020], [2, 1040], [3, 1060]])
    }

    @Test("C4: what a sub-surface commits desynchronised follows what waits with its parent's commit")
    func desynchronized() throws {
        let setup = try QueueFixture()
        let (fixture, parent) = (setup.fixture, setup.numbered)
        let child = try TestSubsurface(
            setup.client, of: parent.surface, argb: 0xff00_0000, x: 10, y: 0, width: 10, height: 10)
        let numbered = try NumberedSurface(setup.client, child.surface, width: 10, height: 10)
        func shown() throws -> [Int] { [try setup.shown(), Int(try fixture.color(x: 15, y: 5))] }
        try parent.commit(1, sets: true)
        try numbered.commit(11, sets: true)
        try parent.commit(2, waits: true)
        child.subsurface.send(.setDesync)
        try numbered.commit(12)
        try numbered.commit(13, waits: true)
        #expect(try shown() == [1, 0])
        try fixture.step(Self.period)
        #expect(try shown() == [2, 12])
        try fixture.step(Self.period)
        #expect(try shown() == [2, 13])
        // Synchronised again, it goes on with what it has in its own queue first.
        try numbered.commit(14, sets: true)
        try numbered.commit(15, waits: true)
        child.subsurface.send(.setSync)
        try numbered.commit(16)
        try parent.commit(3)
        #expect(try shown() == [2, 14])
        try fixture.step(Self.period)
        #expect(try shown() == [3, 16])
        #expect(numbered.discarded.contains(15))
        // One that ends lets its parent go on.
        try numbered.commit(17, sets: true)
        try parent.commit(4)
        child.subsurface.send(.setDesync)
        try numbered.commit(18, waits: true)
        child.subsurface.send(.setSync)
        try numbered.commit(19)
        try parent.commit(5)
        #expect(try shown() == [4, 17])
        child.subsurface.send(.destroy)
        #expect(try setup.shown() == 5)
        try fixture.step(Self.period)
        #expect(parent.presented.last == [5, 1080])
        #expect(setup.client.isOpen && fixture.model.checkInvariants() == [])
    }

    @Test("C1: places that a dropped commit would have changed are changed by the commit behind it, and not after that")
    func keptPlaces() throws {
        let setup = try QueueFixture()
        let parent = setup.numbered
        let outer = try TestSubsurface(
            setup.client, of: parent.surface, argb: 0xff00_0000, x: 0, y: 0, width: 20, height: 20)
        let numbered = try NumberedSurface(setup.client, outer.surface)
        let (a, b) = try (
            TestSubsurface(setup.client, of: outer.surface, argb: 0xff00_00aa, x: 0, y: 0, width: 20, height: 20),
            TestSubsurface(setup.client, of: outer.surface, argb: 0xff00_00bb, x: 0, y: 0, width: 20, height: 20)
        )
        try numbered.commit(11)
        try parent.commit(1, sets: true)
        #expect(try setup.shown() == 0xbb)
        a.subsurface.send(.placeAbove(sibling: b.surface.id))
        try numbered.commit(12)
        try parent.commit(2, waits: true)
        outer.subsurface.send(.setDesync)
        a.subsurface.send(.placeBelow(sibling: b.surface.id))
        outer.surface.send(.commit)
        #expect(try setup.shown() == 0xbb)
        // The first of the two is dropped.
        outer.subsurface.send(.destroy)
        let again = TestSubsurface(bare: setup.client, surface: outer.surface, parent: parent.surface)
        try setup.client.attach(0xff00_0000, width: 20, height: 20, to: outer.surface)
        outer.surface.send(.commit)
        try parent.commit(3)
        try setup.fixture.step(Self.period)
        #expect(try setup.shown() == 0xbb)
        withExtendedLifetime((a, again)) {}
    }

    // MARK: Pictures

    @Test("nothing is applied while the client's windows are collected for a picture, but after that")
    func picture() throws {
        let setup = try QueueFixture()
        let (fixture, numbered) = (setup.fixture, setup.numbered)
        for number in 0..<Int32(400) {
            let child = setup.client.surface()
            let subsurface = TestSubsurface(bare: setup.client, surface: child, parent: numbered.surface)
            subsurface.subsurface.send(.setPosition(x: 10 + number % 10, y: number / 40))
            try setup.client.attach(0xff00_0000, width: 1, height: 1, to: child)
            child.send(.commit)
            // The number of descriptors in transit is limited.
            if number % 20 == 19 { try fixture.pump() }
        }
        try numbered.commit(1, sets: true)
        try numbered.commit(2, waits: true)
        try fixture.pump()
        fixture.server.turnTime = 0
        let client = try #require(fixture.server.clients.values.first)
        let surface = try #require(fixture.server.surfaces.all.first { !$0.queue.isEmpty })
        var picture: UInt32?
        fixture.server.capture([fixture.mainScreen]) { picture = $0.first?.1[5, 5] }
        #expect(client.freezes > 0)
        surface.liftBarrier()
        #expect(surface.queue.count == 1)
        try fixture.wait(for: "the picture") { picture != nil }
        #expect(picture.map { $0 & 0xff } == 1)
        #expect(try setup.shown() == 2)
    }

    // MARK: Errors and restarts

    @Test("a surface has one object at a time, which is inert without it; what it has requested remains")
    func objects() throws {
        let setup = try QueueFixture()
        let manager = try setup.client.bind(WpFifoManagerV1.self)
        try setup.numbered.commit(1, sets: true)
        setup.numbered.fifo.send(.waitBarrier)
        setup.numbered.fifo.send(.destroy)
        try setup.client.attach(0xff00_0002, width: 20, height: 20, to: setup.window.surface)
        setup.window.commit()
        #expect(try setup.shown() == 1)
        try setup.fixture.step(Self.period)
        #expect(try setup.shown() == 2)
        let second = Proxy<WpFifoV1>(setup.client.connection, version: 1)
        manager.send(.getFifo(id: second.id, surface: setup.window.surface.id))
        manager.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.client.isOpen)
        let other = try setup.client.bind(WpFifoManagerV1.self)
        let third = Proxy<WpFifoV1>(setup.client.connection, version: 1)
        other.send(.getFifo(id: third.id, surface: setup.window.surface.id))
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.code == WpFifoManagerV1.Error.alreadyExists.rawValue)
        for request in [.setBarrier, .waitBarrier] as [WpFifoV1.Request] {
            let other = try QueueFixture()
            other.window.destroy()
            other.numbered.fifo.send(request)
            try other.fixture.pump()
            #expect(other.client.protocolError?.code == WpFifoV1.Error.surfaceDestroyed.rawValue)
        }
        let last = try QueueFixture()
        last.window.destroy()
        last.numbered.fifo.send(.destroy)
        try last.fixture.pump()
        #expect(last.client.isOpen)
    }

    @Test("a restart applies what waits, in order; requests for the next commit and the objects remain")
    func handOver() throws {
        let setup = try QueueFixture()
        let (fixture, numbered) = (setup.fixture, setup.numbered)
        for number in 1...4 { try numbered.commit(number, sets: true, waits: true) }
        numbered.fifo.send(.setBarrier)
        try fixture.pump()
        try fixture.handOver()
        #expect(try setup.shown() == 4)
        try numbered.commit(5)
        try numbered.commit(6, waits: true)
        #expect(try setup.shown() == 5)
        try fixture.step(Self.period)
        #expect(try setup.shown() == 6)
        #expect(numbered.done.map { $0[0] } == [1, 2, 3, 4, 5])
        let manager = try setup.client.bind(WpFifoManagerV1.self)
        let second = Proxy<WpFifoV1>(setup.client.connection, version: 1)
        manager.send(.getFifo(id: second.id, surface: setup.window.surface.id))
        try fixture.pump()
        #expect(setup.client.protocolError?.code == WpFifoManagerV1.Error.alreadyExists.rawValue)
    }
}
