// wp_commit_timer_v1: commits that wait for a time.

import Glibc
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct CommitTimingTests {
    @Test("the first frame at or after its time presents a commit, and none before")
    func times() throws {
        let setup = try QueueFixture()
        let (fixture, numbered) = (setup.fixture, setup.numbered)
        try numbered.commit(1)
        try numbered.commit(2, at: 1_030_000)
        #expect(try setup.shown() == 1)
        #expect(try fixture.settle() == [], "time has to be stepped")
        try fixture.step(29_999)
        #expect(try setup.shown() == 1)
        try fixture.step(1)
        #expect(try setup.shown() == 2)
        // The same moment as that of a frame that is due already.
        try numbered.commit(3)
        try numbered.commit(4, at: 1_040_000)
        numbered.setTime(1_060_000, nanoseconds: 999)
        try numbered.commit(5)
        try fixture.step(30_000)
        #expect(numbered.presented == [[1, 1020], [4, 1040], [5, 1060]] && numbered.discarded == [2, 3])
        #expect(numbered.done.map { $0[1] } == [1020, 1040, 1040, 1040, 1060])
        #expect(fixture.server.clock.nextDeadline == nil)
    }

    @Test("commits keep their order, whatever their times; what is past needs no waiting")
    func order() throws {
        let setup = try QueueFixture()
        try setup.numbered.commit(1, at: 500_000)
        #expect(try setup.shown() == 1)
        try setup.numbered.commit(2, at: 1_100_000)
        try setup.numbered.commit(3, at: 1_050_000)
        try setup.numbered.commit(4)
        try setup.numbered.commit(5, at: 1_200_000)
        try setup.fixture.step(99_999)
        #expect(try setup.shown() == 1)
        try setup.fixture.step(1)
        #expect(try setup.shown() == 4)
        try setup.fixture.step(100_000)
        #expect(try setup.shown() == 5)
        #expect(setup.numbered.discarded == [2, 3])
    }

    @Test("a commit can wait for a barrier and for a time, and waits for both")
    func both() throws {
        let setup = try QueueFixture()
        try setup.numbered.commit(1, sets: true)
        try setup.numbered.commit(2, sets: true, waits: true, at: 1_090_000)
        try setup.numbered.commit(3, waits: true, at: 1_095_000)
        try setup.fixture.step(89_000)
        #expect(try setup.shown() == 1)
        try setup.fixture.step(9000)
        #expect(try setup.shown() == 2)
        try setup.fixture.step(2000)
        #expect(try setup.shown() == 3)
        #expect(setup.numbered.presented == [[1, 1020], [2, 1100]])
    }

    enum Reason: CaseIterable { case hidden, unplugged, poweredOff }

    @Test("the time is the same for what no screen shows", arguments: Reason.allCases)
    func unseen(reason: Reason) throws {
        let setup = try QueueFixture(screens: ["640x480@50", "640x480@50,external,name=TV,mirroring=off"])
        let (fixture, model) = (setup.fixture, setup.fixture.model)
        let window = try #require(model.windows.first)
        setup.window.frame(0, 0, 30, 20)
        setup.numbered.setTime(1_300_000)
        setup.window.commit()
        try fixture.pump()
        switch reason {
        case .hidden: try model.setHidden(true, of: window)
        case .unplugged: try fixture.server.disconnect(model.screens[1])
        case .poweredOff: try model.setPowered(false, of: model.screens[1])
        }
        try fixture.pump()
        try fixture.step(299_999)
        #expect(model.frame(of: window)?.width == 20)
        try fixture.step(1)
        #expect(model.frame(of: window)?.width == 30)
    }

    @Test("C4: a parent's commit waits for the times of the synchronised sub-surfaces that it shows")
    func synchronized() throws {
        let setup = try QueueFixture()
        let (fixture, parent) = (setup.fixture, setup.numbered)
        let child = try TestSubsurface(
            setup.client, of: parent.surface, argb: 0xff00_0000, x: 10, y: 0, width: 10, height: 10)
        let grandchild = try TestSubsurface(
            setup.client, of: child.surface, argb: 0xff00_0000, x: 5, y: 0, width: 5, height: 5)
        let numbered = try NumberedSurface(setup.client, grandchild.surface, width: 5, height: 5)
        func shown() throws -> [Int] { [try setup.shown(), Int(try fixture.color(x: 17, y: 2))] }
        try numbered.commit(11, at: 1_050_000)
        child.surface.send(.commit)
        try parent.commit(1, at: 1_010_000)
        #expect(try shown() == [0, 0])
        try fixture.step(49_999)
        #expect(try shown() == [0, 0])
        try fixture.step(1)
        #expect(try shown() == [1, 11])
        // A sub-surface that ends takes its time with it.
        try numbered.commit(12, at: 1_500_000)
        child.surface.send(.commit)
        try parent.commit(2)
        #expect(try shown() == [1, 11])
        grandchild.surface.send(.destroy)
        #expect(try setup.shown() == 2)
        // Desynchronised, it waits by itself.
        setup.numbered.setTime(1_200_000)
        child.subsurface.send(.setDesync)
        let manager = try setup.client.bind(WpCommitTimingManagerV1.self)
        let timer = Proxy<WpCommitTimerV1>(setup.client.connection, version: 1)
        manager.send(.getTimer(id: timer.id, surface: child.surface.id))
        timer.send(.setTimestamp(tvSecHi: 0, tvSecLo: 1, tvNsec: 100_000_000))
        try setup.client.attach(0xff00_0015, width: 10, height: 10, to: child.surface)
        child.surface.send(.commit)
        try fixture.step(50_000)
        #expect(try fixture.color(x: 12, y: 2) == 0x15)
    }

    // MARK: Settling

    @Test("idle time waits for a commit's time, and names it when that is too late")
    func idle() throws {
        let setup = try QueueFixture()
        try setup.numbered.commit(1, at: 1_500_000)
        try setup.fixture.pump()
        let (outcome, _) = try setup.fixture.step(.idle(limit: 100_000))
        guard case .busy(let causes) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(causes.map(\.description) == ["queue (pid \(getpid())) has made a commit for a later time"])
        guard case .done = try setup.fixture.step(.idle(limit: 10_000_000)).outcome else {
            Issue.record("it is idle then")
            return
        }
        #expect(try setup.shown() == 1 && setup.fixture.server.clock.now == 1_500_000)
    }

    @Test("in real time, settling waits for a commit's time, and names it when that is too late")
    func realTime() throws {
        let setup = try QueueFixture(clock: .real)
        try setup.numbered.commit(1, at: setup.fixture.server.clock.now + 300_000)
        #expect(try setup.fixture.settle() == [])
        #expect(try setup.shown() == 1)
        setup.numbered.setTime(.max)
        try setup.numbered.commit(2)
        try setup.fixture.pump()
        #expect(
            try setup.fixture.settle(seconds: 2)
                == ["queue (pid \(getpid())) has made a commit for a later time"])
        setup.window.destroy()
        #expect(try setup.fixture.settle() == [])
    }

    @Test("a commit that becomes due while an earlier one is applied, as of a time that is past, is applied soon")
    func passing() throws {
        let setup = try QueueFixture(clock: .real)
        let now = setup.fixture.server.clock.now
        try setup.numbered.commit(1, sets: true, at: now + 60_000_000)
        try setup.numbered.commit(2, at: now + 60_000_001)
        try setup.fixture.pump()
        let surface = try #require(setup.fixture.server.surfaces.all.first { !$0.queue.isEmpty })
        // The times are past, but not for a frame that is late.
        for (commit, time) in zip(surface.queue, [now, now + 1]) {
            commit.state.ownExtensions.constraints.time = time
        }
        setup.fixture.server.commitTimes.forget(surface)
        surface.advanceQueue(at: now)
        #expect(surface.queue.count == 1)
        try setup.fixture.wait(for: "the other one") { surface.queue.isEmpty }
        #expect(try setup.shown() == 2)
    }

    @Test("a time for which nothing waits any more is forgotten")
    func forgotten() throws {
        let setup = try QueueFixture()
        let parent = setup.numbered
        let child = try TestSubsurface(
            setup.client, of: parent.surface, argb: 0xff00_0000, x: 10, y: 0, width: 10, height: 10)
        let numbered = try NumberedSurface(setup.client, child.surface, width: 10, height: 10)
        try parent.commit(1, sets: true)
        try numbered.commit(11, at: .max / 2)
        try parent.commit(2, waits: true)
        try setup.fixture.pump()
        let holder = try #require(setup.fixture.server.clients.values.first)
        #expect(holder.timedSurfaces == 1)
        child.subsurface.send(.destroy)
        child.surface.send(.destroy)
        try setup.fixture.pump()
        #expect(holder.timedSurfaces == 0 && holder.queuedCommits == 1)
    }

    // MARK: Errors and restarts

    @Test("a surface has one timer, a commit one time, and a second fewer than a thousand million nanoseconds")
    func errors() throws {
        func error(_ body: (QueueFixture) throws -> Void) throws -> UInt32? {
            let setup = try QueueFixture()
            try body(setup)
            try setup.fixture.pump()
            return setup.client.protocolError?.code
        }
        let request = WpCommitTimerV1.Request.setTimestamp(tvSecHi: 0, tvSecLo: 0, tvNsec: 1)
        #expect(
            try error { setup in
                let manager = try setup.client.bind(WpCommitTimingManagerV1.self)
                let timer = Proxy<WpCommitTimerV1>(setup.client.connection, version: 1)
                manager.send(.getTimer(id: timer.id, surface: setup.window.surface.id))
            } == WpCommitTimingManagerV1.Error.commitTimerExists.rawValue)
        #expect(
            try error { $0.numbered.timer.send(.setTimestamp(tvSecHi: 0, tvSecLo: 0, tvNsec: 1_000_000_000)) }
                == WpCommitTimerV1.Error.invalidTimestamp.rawValue)
        #expect(
            try error { setup in
                setup.numbered.timer.send(request)
                setup.numbered.timer.send(request)
            } == WpCommitTimerV1.Error.timestampExists.rawValue)
        #expect(
            try error { setup in
                setup.window.destroy()
                setup.numbered.timer.send(request)
            } == WpCommitTimerV1.Error.surfaceDestroyed.rawValue)
        #expect(
            try error { setup in
                // Each of these is allowed.
                setup.numbered.timer.send(.setTimestamp(tvSecHi: 0, tvSecLo: 0, tvNsec: 999_999_999))
                setup.window.commit()
                setup.numbered.timer.send(.setTimestamp(tvSecHi: .max, tvSecLo: .max, tvNsec: 999_999_999))
                setup.window.commit()
                setup.numbered.timer.send(request)
                setup.numbered.timer.send(.destroy)
                let manager = try setup.client.bind(WpCommitTimingManagerV1.self)
                let timer = Proxy<WpCommitTimerV1>(setup.client.connection, version: 1)
                manager.send(.getTimer(id: timer.id, surface: setup.window.surface.id))
                setup.window.destroy()
                timer.send(.destroy)
            } == nil)
    }

    @Test("a restart applies what waits; the time of the next commit and the objects remain")
    func handOver() throws {
        let setup = try QueueFixture()
        let (fixture, numbered) = (setup.fixture, setup.numbered)
        try numbered.commit(1, at: 5_000_000)
        try numbered.commit(2, at: 6_000_000)
        numbered.setTime(1_100_000)
        try fixture.pump()
        try fixture.handOver()
        #expect(try setup.shown() == 2)
        try numbered.commit(3)
        try fixture.step(99_999)
        #expect(try setup.shown() == 2)
        try fixture.step(1)
        #expect(try setup.shown() == 3)
        numbered.setTime(1_200_000)
        try fixture.pump()
        try fixture.handOver()
        numbered.setTime(1_200_000)
        try fixture.pump()
        #expect(setup.client.protocolError?.code == WpCommitTimerV1.Error.timestampExists.rawValue)
    }
}
