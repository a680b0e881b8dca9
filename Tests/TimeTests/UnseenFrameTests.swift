// V3: frame callbacks and presentation feedback of what no screen shows.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct UnseenFrameTests {
    /// How a surface comes to be shown by no screen.
    enum Reason: CaseIterable {
        case hidden, minimized, unplugged, poweredOff, switchedOff, onlyScreenUnplugged, noRole, roleDestroyed, unmapped
        case subsurfaceOfHidden
    }

    /// A program that draws with vsync: each frame follows the callback of the one before.
    private final class Program {
        let client: TestClient
        let presentation: Proxy<WpPresentation>
        let surface: Proxy<WlSurface>
        var times: [UInt32] = []
        var feedback: [String] = []
        /// How many frames it draws.
        var frames = Int.max

        init(_ fixture: ServerFixture, _ client: TestClient, _ surface: Proxy<WlSurface>) throws {
            self.client = client
            self.surface = surface
            presentation = try client.bind(WpPresentation.self)
        }

        func draw() {
            guard times.count < frames else { return }
            let callback = Proxy<WlCallback>(client.connection, version: 1)
            callback.onEvent = { [unowned self] event in
                guard case .done(let time) = event else { return }
                times.append(time)
                draw()
            }
            surface.send(.frame(callback: callback.id))
            let watch = Proxy<WpPresentationFeedback>(client.connection, version: 1)
            watch.onEvent = { [unowned self] event in
                switch event {
                case .presented: feedback.append("presented")
                case .discarded: feedback.append("discarded")
                case .syncOutput: break
                }
            }
            presentation.send(.feedback(surface: surface.id, callback: watch.id))
            surface.send(.commit)
        }
    }

    /// A program whose surface is shown by a screen until `vanish`, and again after `appear`.
    private struct Case {
        let program: Program
        let vanish: () throws -> Void
        var appear: (() throws -> Void)?
    }

    private static let screens = ["640x480@50", "640x480@50,external,name=TV,mirroring=off"]

    private func make(_ reason: Reason, _ fixture: ServerFixture) throws -> Case {
        let client = try fixture.connect("program")
        let server = fixture.server
        switch reason {
        case .hidden, .subsurfaceOfHidden:
            let window = client.window("w").color(0xffff_0000)
            window.show()
            var surface = window.surface
            if reason == .subsurfaceOfHidden {
                let child = try TestSubsurface(
                    client, of: window.surface, argb: 0xff00_00ff, x: 0, y: 0, width: 5, height: 5)
                child.subsurface.send(.setDesync)
                window.commit()
                surface = child.surface
            }
            return Case(program: try Program(fixture, client, surface), vanish: window.hide, appear: window.show)
        case .minimized:
            let toplevel = try TestToplevel.map(client, fixture)
            let window = try #require(fixture.model.windows.first)
            return Case(
                program: try Program(fixture, client, toplevel.surface),
                vanish: { toplevel.toplevel.send(.setMinimized) },
                appear: { try fixture.model.setHidden(false, of: window) })
        case .unplugged:
            let window = client.window("w", on: client.screens[1]).color(0xffff_0000)
            window.show()
            return Case(
                program: try Program(fixture, client, window.surface),
                vanish: { try server.disconnect(fixture.model.screens[1]) },
                appear: { try server.plug(ScreenSpecification(parsing: Self.screens[1])) })
        case .onlyScreenUnplugged:
            let window = client.window("w").color(0xffff_0000)
            window.show()
            return Case(
                program: try Program(fixture, client, window.surface),
                vanish: { for screen in fixture.model.screens { try server.disconnect(screen) } },
                appear: { for screen in Self.screens { try server.plug(ScreenSpecification(parsing: screen)) } })
        case .poweredOff:
            let window = client.window("w").color(0xffff_0000)
            window.show()
            return Case(
                program: try Program(fixture, client, window.surface),
                vanish: { try fixture.model.setPowered(false, of: fixture.mainScreen) },
                appear: { try fixture.model.setPowered(true, of: fixture.mainScreen) })
        case .switchedOff:
            let window = client.window("w", on: client.screens[1]).color(0xffff_0000)
            window.show()
            let screen = fixture.model.screens[1]
            return Case(
                program: try Program(fixture, client, window.surface),
                vanish: { try server.switchOff(screen) },
                appear: { try server.switchOn("TV") })
        case .noRole:
            let surface = client.surface()
            try client.attach(0xffff_0000, width: 10, height: 10, to: surface)
            return Case(program: try Program(fixture, client, surface), vanish: {})
        case .roleDestroyed:
            let toplevel = try TestToplevel.map(client, fixture)
            return Case(
                program: try Program(fixture, client, toplevel.surface),
                vanish: {
                    toplevel.toplevel.send(.destroy)
                    toplevel.xdg.send(.destroy)
                })
        case .unmapped:
            let toplevel = try TestToplevel.map(client, fixture)
            return Case(
                program: try Program(fixture, client, toplevel.surface),
                vanish: {
                    toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
                    toplevel.surface.send(.commit)
                })
        }
    }

    @Test(
        "V3: what no screen shows gets a frame callback each second, and no program hangs",
        arguments: Reason.allCases)
    func eachSecond(reason: Reason) throws {
        let fixture = try ServerFixture(screens: Self.screens, clock: .manual)
        let unseen = try make(reason, fixture)
        let program = unseen.program
        try fixture.pump()
        program.draw()
        try fixture.pump()
        try fixture.step(100_000)
        // Without a role, no screen has ever shown it.
        #expect(program.times == (reason == .noRole ? [] : [1020, 1040, 1060, 1080, 1100]))
        // A callback is due when it vanishes.
        try unseen.vanish()
        try fixture.pump()
        try fixture.step(1_900_000)
        // A frame that was due on a screen which goes on is its last there.
        let late = program.times.filter { $0 > 1100 }
        #expect(late.suffix(2) == [2000, 3000] && late.count <= 3, "\(late)")
        #expect(late.count == 2 || late[0] == 1120, "\(late)")
        #expect(try fixture.settle() == [])
        try fixture.step(10_000_000)
        #expect(program.times.suffix(10) == Array(stride(from: 4000, through: 13_000, by: 1000)))
        #expect(!program.feedback.suffix(10).contains("presented"))
        guard let appear = unseen.appear else { return }
        // The callback that is due is sent by the screen that shows the surface.
        let count = program.times.count
        try appear()
        try fixture.pump()
        try fixture.step(100_000)
        #expect(program.times.dropFirst(count) == [13_020, 13_040, 13_060, 13_080, 13_100])
        #expect(program.feedback.last == "presented")
        #expect(program.client.isOpen && fixture.model.checkInvariants() == [])
    }

    @Test("V3: in real time, too, and neither settling nor an idle server notices")
    func realTime() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff_0000)
        window.show()
        try fixture.pump()
        window.hide()
        let program = try Program(fixture, client, window.surface)
        program.frames = 3
        program.draw()
        #expect(try fixture.settle() == [])
        try fixture.wait(for: "three callbacks") { program.times.count == 3 }
        let distances = zip(program.times, program.times.dropFirst()).map { $1 &- $0 }
        #expect(distances.allSatisfy { $0 >= 900 }, "\(distances)")
        #expect(program.feedback.allSatisfy { $0 == "discarded" })
        try fixture.pump()
        let end = fixture.loop.now + 60_000
        var busy = 0
        while fixture.loop.now < end { busy += try fixture.loop.runOnce(nonblocking: true) ? 1 : 0 }
        #expect(busy == 0)
    }

    @Test("V3: time has nothing to do unless such a callback is due, and idle time does not wait for one")
    func noTimer() throws {
        let fixture = try ServerFixture(screens: Self.screens, clock: .manual)
        let clock = fixture.server.clock
        let client = try fixture.connect()
        // It waits for its first frame before it is shown, for a moment.
        let toplevel = client.toplevel("t")
        toplevel.surface.send(.commit)
        try fixture.pump()
        let program = try Program(fixture, client, toplevel.surface)
        program.frames = 1
        try client.attach(0xffff_0000, width: 10, height: 10, to: toplevel.surface)
        program.draw()
        try fixture.pump()
        #expect(try fixture.step(.idle(limit: 60_000_000)).ticks == 1)
        #expect(program.times == [1020] && clock.nextDeadline == nil)
        toplevel.toplevel.send(.setMinimized)
        try fixture.pump()
        #expect(clock.nextDeadline == nil)
        program.frames = .max
        program.draw()
        try fixture.pump()
        let (outcome, ticks) = try fixture.step(.idle(limit: 60_000_000))
        guard case .done = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(ticks == 0 && clock.now == 1_020_000 && clock.nextDeadline == 2_000_000)
        // Destroying the surface ends it.
        toplevel.toplevel.send(.destroy)
        toplevel.xdg.send(.destroy)
        toplevel.surface.send(.destroy)
        try fixture.pump()
        #expect(clock.nextDeadline == nil)
    }

    @Test("V3: a buffer that a hidden program replaces is released at once, not with the next frame")
    func releases() throws {
        let fixture = try ServerFixture(screens: Self.screens, clock: .manual)
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff_0000)
        let program = try Program(fixture, client, window.surface)
        program.frames = 1
        var released = 0
        for _ in 0..<2 {
            let buffer = try client.attach(0xff00_ff00, width: 10, height: 10, to: window.surface)
            buffer.onEvent = { if case .release = $0 { released += 1 } }
            program.draw()
        }
        try fixture.pump()
        #expect(released == 1 && program.times.isEmpty)
    }
}
