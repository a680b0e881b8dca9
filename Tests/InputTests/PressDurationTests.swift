// How long injected keys and clicks stay down.

import Displays
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PressDurationTests {
    /// A press or a release that a program was sent, and when.
    private struct Press: Equatable {
        var code: UInt32
        var phase: Event.Phase
        var time: UInt64
    }

    /// A server with a key window, and what it is sent.
    private final class Setup {
        let fixture: ServerFixture
        let client: TestClient
        private var events: TestEvents?
        var presses: [Press] = []

        init(_ clock: ClockMode, window: Bool = true) throws {
            fixture = try ServerFixture(clock: clock)
            client = try fixture.connect()
            if window {
                let window = client.window("w").color(0xffff_0000).frame(0, 0, 400, 300)
                window.makeKeyAndVisible()
                events = TestEvents(client, window)
            }
            try fixture.pump()
            fixture.server.onEffect = { [weak self] effect in
                guard case .deliver(let event) = effect else { return }
                switch event.detail {
                case .key(let code), .button(let code):
                    self?.presses.append(Press(code: code, phase: event.phase, time: event.timestamp))
                default: break
                }
            }
        }

        func inject(_ requests: InputRequest...) throws {
            var outcome: InputQueue.Outcome?
            fixture.server.injector.queue.inject(requests) { outcome = $0 }
            try fixture.wait(for: "the list") { outcome != nil }
            _ = try outcome?.get()
        }

        /// The times from each press to the release of the same code.
        var durations: [UInt64] {
            presses.indices.filter { presses[$0].phase == .began }.compactMap { index in
                presses[index...].first { $0.code == presses[index].code && $0.phase == .ended }
                    .map { $0.time - presses[index].time }
            }
        }
    }

    private let click = InputEvent.click(button: 0x110, InputEvent.Place(screen: nil, point: Point(x: 9, y: 9)))

    @Test("in real time a key and a click last 8 ms, or as long as requested; characters of a text 1 ms")
    func real() throws {
        let setup = try Setup(.real)
        try setup.inject(InputRequest(click), InputRequest(.code(30, .tap)))
        #expect(setup.presses.map(\.code) == [0x110, 0x110, 30, 30])
        #expect(setup.durations.allSatisfy { $0 >= 8000 }, "\(setup.presses)")
        setup.presses = []
        try setup.inject(InputRequest(click, duration: 30_000), InputRequest(.code(30, .tap), duration: 20_000))
        #expect(setup.durations[0] >= 30_000 && setup.durations[1] >= 20_000, "\(setup.presses)")
        setup.presses = []
        try setup.inject(InputRequest(.text("aB漢")))
        #expect(setup.durations.count == 4 && setup.durations.allSatisfy { $0 >= 1000 }, "\(setup.presses)")
    }

    @Test("the modifiers of a chord are down as long as its key")
    func chord() throws {
        let setup = try Setup(.real)
        try setup.inject(InputRequest(.key("ctrl+a", .tap)))
        #expect(setup.presses.map(\.code) == [29, 30, 30, 29])
        #expect(setup.presses[2].time - setup.presses[1].time >= 8000)
    }

    @Test("an event that is not delivered takes no time")
    func nobody() throws {
        let setup = try Setup(.real, window: false)
        var outcome: InputQueue.Outcome?
        setup.fixture.server.injector.queue.inject([
            InputRequest(click, duration: 60_000_000), InputRequest(.key("a", .tap)), InputRequest(.text("text")),
        ]) { outcome = $0 }
        #expect(try outcome?.get().map(\.delivered) == [0, 0, 0])
    }

    @Test("in manual time a key, a click and a text take no time unless a duration is requested, which is stepped")
    func manual() throws {
        let setup = try Setup(.manual)
        var outcome: InputQueue.Outcome?
        let queue = setup.fixture.server.injector.queue
        queue.inject([InputRequest(click), InputRequest(.key("a", .tap)), InputRequest(.text("ab"))]) { outcome = $0 }
        #expect(try outcome?.get().count == 3)
        setup.fixture.server.deliverAndFlush()
        #expect(setup.durations == [0, 0, 0, 0])
        setup.presses = []
        outcome = nil
        queue.inject([InputRequest(.code(30, .tap), duration: 20_000), InputRequest(click)]) { outcome = $0 }
        try setup.fixture.step(19_999)
        #expect(setup.presses.map(\.phase) == [.began] && outcome == nil)
        try setup.fixture.step(1)
        #expect(setup.durations == [20_000, 0] && outcome != nil)
    }

    @Test("a scenario with a duration steps the manual clock past it")
    func scenario() throws {
        let setup = try Setup(.manual)
        let start = setup.fixture.server.clock.now
        let report = try TestControl(setup.fixture).run(
            "{input: [{type: 'key', key: 'a', duration: 20}, {type: 'click', x: 9, y: 9, duration: 5, after: 10}]}")
        #expect(report.isDone)
        #expect(setup.durations == [20_000, 5000])
        #expect(setup.fixture.server.clock.now == start + 25_000)
    }

    enum Ending: CaseIterable { case hidden, destroyed, disconnected, unplugged }

    @Test(
        "E2: the window closes while an injected key and an injected click are down: both end, and nothing stays down",
        arguments: Ending.allCases, [ClockMode.real, .manual])
    func closes(_ ending: Ending, _ clock: ClockMode) throws {
        let setup = try Setup(clock, window: false)
        let (fixture, server) = (setup.fixture, setup.fixture.server)
        // Behind the window, and its heir (K5).
        let behind = try TestInput(setup.client)
        setup.client.window("behind").color(0xff00_ff00).frame(0, 0, 400, 300).level(-1).show()
        for request in [InputRequest(click), InputRequest(.code(30, .tap)), InputRequest(.key("ctrl+a", .tap))] {
            var request = request
            if clock == .manual { request.duration = 8000 }
            if fixture.model.screens.isEmpty { try server.plug(ScreenSpecification(parsing: "800x600")) }
            let client = try fixture.connect()
            let window = client.window("w").color(0xffff_0000).frame(0, 0, 400, 300)
            window.makeKeyAndVisible()
            let events = TestEvents(client, window)
            try fixture.pump()
            setup.presses = []
            var outcome: InputQueue.Outcome?
            server.injector.queue.inject([request]) { outcome = $0 }
            let pressed = setup.presses
            #expect(!pressed.isEmpty && pressed.allSatisfy { $0.phase == .began } && outcome == nil)
            switch ending {
            case .hidden: try fixture.model.setHidden(true, of: fixture.model.windows[1])
            case .destroyed: try fixture.model.destroyWindow(fixture.model.windows[1])
            case .disconnected: try client.kill()
            case .unplugged: try server.disconnect(fixture.mainScreen)
            }
            server.deliverAndFlush()
            if clock == .manual { try fixture.step(8000) }
            try fixture.wait(for: "the list") { outcome != nil }
            let reports = try #require(try outcome?.get())
            // A click begins with a motion.
            #expect(reports.map(\.delivered) == [pressed.count + (pressed[0].code == 0x110 ? 1 : 0)])
            #expect(!setup.presses.contains { $0.phase == .ended }, "\(setup.presses)")
            try fixture.pump()
            let received = behind.takeEvents()
            #expect(!received.contains { $0.hasPrefix("button") || $0.hasSuffix(" 1") }, "\(received)")
            #expect(server.seat.keyboard.heldKeys == [] && fixture.model.input[.first].buttons == [])
            withExtendedLifetime(events) {}
            #expect(fixture.model.checkInvariants() == [])
            if ending != .disconnected { try client.kill() }
        }
    }

    @Test("who hangs up releases the key that its list holds")
    func hangsUp() throws {
        let setup = try Setup(.real)
        let queue = setup.fixture.server.injector.queue
        let job = queue.inject([InputRequest(.code(30, .tap), duration: 60_000_000)]) { _ in
            Issue.record("the cancelled list has an outcome")
        }
        #expect(setup.fixture.server.seat.keyboard.heldKeys == [30])
        queue.cancel(job)
        #expect(setup.fixture.server.seat.keyboard.heldKeys == [])
    }

    @Test("a duration is for whole keys and clicks, in milliseconds; a list that would take too long is refused")
    func refused() throws {
        let setup = try Setup(.real)
        let control = try ControlSession(setup.fixture)
        func status(_ body: String) throws -> Int { try control.send("POST", "/v1/input", Array(body.utf8)).status }
        #expect(try status(#"{"type": "key", "key": "a", "duration": 1.5}"#) == 200)
        #expect(try status(#"{"type": "click", "x": 1, "y": 1, "duration": 0}"#) == 200)
        #expect(try status(#"{"type": "key", "key": "a", "action": "down", "duration": 1}"#) == 400)
        #expect(try status(#"{"type": "tap", "x": 1, "y": 1, "duration": 1}"#) == 400)
        #expect(try status(#"{"type": "key", "key": "a", "duration": -1}"#) == 400)
        let key = #"{"type": "key", "key": "a", "duration": 600000}"#
        let tooLong = try control.send("POST", "/v1/input", Array("[\(key), \(key)]".utf8))
        #expect(tooLong.status == 422 && tooLong.text.contains("the list takes 1200000.0 ms"), "\(tooLong.text)")
    }
}
