// Drags that wait until a program begins drag and drop.

import EventLoop
import FoundationEssentials
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct DragWaitTests {
    private let setup: DragFixture
    private var fixture: ServerFixture { setup.fixture }
    private var queue: InputQueue { fixture.server.injector.queue }

    init() throws { setup = try DragFixture() }

    /// From the left window to the right one.
    private func drag(
        _ means: InputEvent.Drag.Means = .pointer, drop: Bool?, steps: Int = 10, to end: Point = Point(x: 150, y: 50)
    ) -> InputRequest {
        InputRequest(
            .drag(
                InputEvent.Drag(
                    means: means, id: 1, button: 0x110, from: Point(x: 10, y: 10), to: end, steps: steps, drop: drop)))
    }

    /// Injects a drag to its end.
    /// - Parameter onWait: called once, when it waits.
    /// - Returns: the outcome, and whether it has waited.
    private func inject(
        _ request: InputRequest, onWait: () throws -> Void = {}
    ) throws -> (outcome: InputQueue.Outcome, hasWaited: Bool) {
        var outcome: InputQueue.Outcome?
        var hasWaited = false
        queue.inject([request]) { outcome = $0 }
        try fixture.wait(for: "the drag") {
            if queue.isAwaitingDrag, !hasWaited {
                hasWaited = true
                try onWait()
            }
            return outcome != nil
        }
        try fixture.pump()
        return (try #require(outcome), hasWaited)
    }

    private func startDrag() {
        setup.from.startDrag(setup.from.source(), from: setup.left.surface)
    }

    @Test(
        "a drag ends in a drop however late its program begins drag and drop",
        arguments: [(.pointer, nil), (.pointer, true), (.touch, true)] as [(InputEvent.Drag.Means, Bool?)],
        [1, 2, 10, 100])
    func late(kind: (means: InputEvent.Drag.Means, drop: Bool?), steps: Int) throws {
        setup.to.onDrag = { [unowned to = setup.to] event in
            if case .enter = event { to.answer("text/plain") }
            if case .drop = event { to.drag?.send(.finish) }
        }
        let (outcome, hasWaited) = try inject(drag(kind.means, drop: kind.drop, steps: steps)) {
            // It does not settle meanwhile, so a manual clock is not stepped.
            let reasons = try fixture.settle(seconds: 0.01)
            #expect(reasons.contains("input is being injected"))
            startDrag()
        }
        guard case .success(let reports) = outcome else { throw FixtureError("\(outcome)") }
        #expect(hasWaited && reports[0].delivered > 0)
        #expect(setup.to.events.contains("drop"), "\(setup.to.events)")
        // What was begun half-way is dragged over the target.
        #expect(steps < 10 || setup.to.events.contains { $0.hasPrefix("motion") })
        #expect(setup.from.events.last == "source finished", "\(setup.from.events)")
        #expect(!setup.isHurt)
    }

    @Test("a target that accepts late gets the drop; one that does not accept does not", arguments: [true, false])
    func acceptance(accepts: Bool) throws {
        setup.from.onPress = { startDrag() }
        var timer: Timer?
        setup.to.onDrag = { [unowned to = setup.to] event in
            if case .drop = event { to.drag?.send(.finish) }
            guard case .enter = event, accepts else { return }
            // Longer than a drag waits for its participants to settle.
            timer = Timer(fixture.loop) { _, _ in to.answer("text/plain") }
            timer?.arm(at: fixture.loop.now + 700_000)
        }
        let (outcome, hasWaited) = try inject(drag(drop: nil))
        guard case .success = outcome else { throw FixtureError("\(outcome)") }
        #expect(!hasWaited && setup.to.events.contains("drop") == accepts)
        #expect(setup.from.events.last == (accepts ? "source finished" : "source cancelled"))
        timer?.cancel()
    }

    @Test(
        "E2: drag and drop that no program begins is an error, and nothing stays pressed",
        arguments: [
            InputEvent.Drag.Means.pointer, .touch,
        ])
    func never(means: InputEvent.Drag.Means) throws {
        queue.longDropPatience = 1_000_000
        let (outcome, hasWaited) = try inject(drag(means, drop: true))
        guard case .failure(let refusal) = outcome else { throw FixtureError("\(outcome)") }
        #expect(hasWaited && refusal.index == 0 && refusal.reason.kind == .notAllowed)
        #expect(refusal.reason.message.hasPrefix("no program began drag and drop within 1 s"))
        #expect(fixture.model.input[.first].buttons == [] && fixture.model.touchCount == 0)
        #expect(setup.from.events.contains { ["button 0", "touch cancel"].contains($0) })
        // The queue goes on.
        let click = InputEvent.Place(screen: nil, point: Point(x: 150, y: 50))
        #expect(try fixture.server.injector.inject([.click(button: 0x110, click)]).first?.delivered == 3)
    }

    @Test("a plain drag does not wait: if it says so, with a finger, and where there is nothing to wait for")
    func plain() throws {
        func expectPlain(_ request: InputRequest, _ what: String) throws {
            let (outcome, hasWaited) = try inject(request)
            guard case .success(let reports) = outcome else { throw FixtureError("\(what): \(outcome)") }
            #expect(!hasWaited && reports[0].delivered == reports[0].steps, "\(what)")
        }
        try expectPlain(drag(drop: false), "drop: false")
        try expectPlain(drag(.touch, drop: false), "a finger, drop: false")
        try expectPlain(drag(.touch, drop: nil), "a finger")
        // A client without a wl_data_device cannot begin drag and drop.
        let other = try fixture.connect("other")
        let input = try TestInput(other)
        other.window("above").color(0xff00ff00).frame(0, 0, 200, 100).show()
        try fixture.pump()
        try expectPlain(drag(drop: nil), "no data device")
        withExtendedLifetime(input) {}
    }

    @Test("a plain drag that does not say so goes on after a second; one that moves a window, at once")
    func undecided() throws {
        let (outcome, hasWaited) = try inject(drag(drop: nil, to: Point(x: 90, y: 90)))
        guard case .success(let reports) = outcome else { throw FixtureError("\(outcome)") }
        #expect(hasWaited && reports[0].delivered == reports[0].steps)
        #expect(setup.from.events.suffix(1) == ["button 0"])
    }

    @Test("a drag that waits can be cancelled, and ends when its screen is unplugged")
    func cancelled() throws {
        var outcome: InputQueue.Outcome?
        let job = queue.inject([drag(drop: true)]) { outcome = $0 }
        try fixture.wait(for: "the wait") { queue.isAwaitingDrag }
        queue.cancel(job)
        try fixture.pump()
        #expect(!queue.isAwaitingDrag && outcome == nil && fixture.model.input[.first].buttons == [])
        let (next, _) = try inject(drag(drop: true)) { try fixture.server.disconnect(fixture.mainScreen) }
        guard case .failure = next else { throw FixtureError("\(next)") }
        #expect(!queue.isAwaitingDrag && fixture.model.input[.first].buttons == [])
    }

    @Test("a drag that is cancelled while it waits for its target takes nothing from the next one's time")
    func cancelledAtTarget() throws {
        setup.from.onPress = { startDrag() }
        let job = queue.inject([drag(drop: nil)]) { _ in }
        try fixture.wait(for: "the target") { setup.to.events.contains { $0.hasPrefix("enter") } }
        try fixture.wait(for: "the end of its way") { queue.acceptanceEnd != nil }
        queue.cancel(job)
        try fixture.pump()
        // Until the time for its target would be over.
        var isOver = false
        let pause = Timer(fixture.loop) { _, _ in isOver = true }
        pause.arm(at: fixture.loop.now + 1_100_000)
        try fixture.wait(for: "a second") { isOver }
        try acceptance(accepts: true)
    }

    @Test("mullionctl drag, scenarios and the API take drop, and refuse other values")
    func interfaces() throws {
        let control = try ControlSession(fixture)
        setup.from.onPress = { startDrag() }
        setup.to.onDrag = { [unowned to = setup.to] event in
            if case .enter = event { to.answer("text/plain") }
            if case .drop = event { to.drag?.send(.finish) }
        }
        let screen = try #require(setup.model.screen(fixture.mainScreen)?.name)
        let way = [screen, "10,10", "150,50", "by=pointer"]
        let done = try control.mullionctl(["drag"] + way + ["drop=true"])
        #expect(done.status == 0 && setup.from.events.last == "source finished", "\(done.output)")
        setup.from.onPress = nil
        queue.longDropPatience = 1_000_000
        let failed = try control.mullionctl(["drag"] + way + ["drop=true"])
        #expect(failed.status == 1 && failed.output.contains("no program began drag and drop"), "\(failed.output)")
        let wrong = try control.mullionctl(["drag"] + way + ["drop=perhaps"])
        #expect(wrong.status == 2 && wrong.output.contains("is not true or false"), "\(wrong.output)")
        let event = #"{"type": "drag", "by": "pointer", "from": {"x": 10, "y": 10}, "to": {"x": 90, "y": 9}, "drop": "#
        let body = #"{"name": "drag", "steps": [{"input": \#(event)true}}]}"#
        let scenario = try control.send("POST", "/v1/scenarios", Array(body.utf8))
        #expect(scenario.text.contains("no program began drag and drop"), "\(scenario.text)")
        let plain = try control.send("POST", "/v1/input", Array("\(event)false}".utf8))
        #expect(plain.status == 200, "\(plain.text)")
        let number = try control.send("POST", "/v1/input", Array("\(event)1}".utf8))
        #expect(number.status == 422 || number.status == 400, "\(number.text)")
    }
}
