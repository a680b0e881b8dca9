// H3: every event without a receiver has a reason, and so has every candidate.

import MullionGeometry
import Testing
import WindowModel

@Suite struct RoutingRuleTests {
    @Test("H3: the window that would have received it is a candidate when its application is ignoring")
    func ignoring() throws {
        let fixture = try ModelFixture()
        _ = try fixture.shown()
        let (window, front) = (try fixture.shown(), try fixture.shown(x: 300))
        try fixture.model.beginIgnoringInteractionEvents(fixture.app)
        let point = Point(x: 50, y: 50)
        let expected: [Routing.Candidate] = [
            .init(application: fixture.app, window: front, reason: .outsideFrame),
            .init(application: fixture.app, window: window, reason: .ignoring),
        ]
        let touch = try fixture.model.touch(id: 1, phase: .began, at: point, on: fixture.screen, time: 1, explain: true)
        let hover = try fixture.model.pointerMoved(to: point, on: fixture.screen, time: 1, explain: true)
        let click = try fixture.model.pointerButton(code: 272, pressed: true, time: 1, explain: true)
        try fixture.model.pointerButton(code: 272, pressed: false, time: 1)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        let scroll = try fixture.model.scroll(step, phase: nil, time: 1, explain: true)
        let gesture = try fixture.model.transformGesture(
            Event.TransformGesture(), phase: .began, time: 1, explain: true)
        for routing in [touch, hover, click, scroll, gesture] {
            #expect(routing.reason == .ignoring && routing.candidates == expected)
        }
    }

    @Test("H3: on a non-interactive screen, that is every window's reason")
    func notInteractive() throws {
        let fixture = try ModelFixture()
        var wall = ModelFixture.wall
        wall.isInteractive = false
        let screen = try fixture.model.connect(wall)
        let window = try fixture.shown(on: screen)
        let routing = try fixture.model.pointerMoved(to: .zero, on: screen, time: 1, explain: true)
        #expect(routing.reason == .screenNotInteractive)
        #expect(
            routing.candidates == [.init(application: fixture.app, window: window, reason: .screenNotInteractive)])
        let click = try fixture.model.pointerButton(code: 272, pressed: true, time: 1)
        #expect(click.reason == .screenNotInteractive)
        #expect(fixture.events().isEmpty && fixture.model.pointerFocus == nil)
    }

    @Test("H3, W6: a point that is not on the screen is the reason, also for a frame that extends there")
    func outsideScreen() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown(x: 450)
        let hidden = try fixture.model.createWindow(application: fixture.app)
        let point = Point(x: 510, y: 50)
        let expected: [Routing.Candidate] = [
            .init(application: fixture.app, window: hidden, reason: .hidden),
            .init(application: fixture.app, window: window, reason: .outsideScreen),
        ]
        let touch = try fixture.model.touch(id: 1, phase: .began, at: point, on: fixture.screen, time: 1, explain: true)
        let hover = try fixture.model.pointerMoved(to: point, on: fixture.screen, time: 1, explain: true)
        let click = try fixture.model.pointerButton(code: 272, pressed: true, time: 1, explain: true)
        for routing in [touch, hover, click] {
            #expect(routing.reason == .outsideScreen && routing.candidates == expected)
        }
    }

    @Test("H3: without a pointer on any screen there is no receiver")
    func nowhere() throws {
        let fixture = try ModelFixture()
        _ = try fixture.shown()
        #expect(try fixture.model.pointerButton(code: 272, pressed: true, time: 1, explain: true).reason == .noWindow)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        #expect(try fixture.model.scroll(step, phase: nil, time: 1).reason == .cancelled, "the button goes nowhere")
        try fixture.model.pointerButton(code: 272, pressed: false, time: 1)
        #expect(try fixture.model.scroll(step, phase: nil, time: 1).reason == .noWindow)
    }

    @Test("H3: presses and motion report that no window is key, or that it received them")
    func keys() throws {
        let fixture = try ModelFixture()
        let (shown, other) = (try fixture.shown(), try fixture.shown(of: fixture.other))
        let hidden = try fixture.model.createWindow(application: fixture.app)
        let expected: [Routing.Candidate] = [
            .init(application: fixture.app, window: hidden, reason: .hidden),
            .init(application: fixture.other, window: other, reason: .noKeyWindow),
            .init(application: fixture.app, window: shown, reason: .noKeyWindow),
        ]
        let press = try fixture.model.press(key: 30, pressed: true, time: 1, explain: true)
        let shake = try fixture.model.shake(.began, time: 1, explain: true)
        for routing in [press, shake] {
            #expect(routing.reason == .noKeyWindow && routing.candidates == expected)
        }
        #expect(try fixture.model.press(key: 30, pressed: true, time: 1).candidates.isEmpty, "only when asked for")
        try fixture.model.makeKey(shown)
        let taken = try fixture.model.press(key: 30, pressed: true, time: 2, explain: true)
        #expect(taken.hit?.window == shown && taken.candidates.isEmpty)
        try fixture.model.beginIgnoringInteractionEvents(fixture.app)
        let passed = try fixture.model.press(key: 31, pressed: true, time: 3, explain: true)
        #expect(passed.hit?.window == shown && passed.candidates.isEmpty, "E7: keys pass")
        #expect(fixture.model.droppedPresses == 3)
    }

    @Test("H3, E4: remote control reports the applications that did not ask, the key window's first")
    func remoteControl() throws {
        let fixture = try ModelFixture()
        try fixture.model.makeKey(try fixture.shown(of: fixture.other))
        let routing = try fixture.model.remoteControl(.play, time: 1, explain: true)
        #expect(routing.reason == .notReceiving)
        #expect(routing.candidates.map(\.application) == [fixture.other, fixture.app])
        #expect(routing.candidates.allSatisfy { $0.window == nil && $0.reason == .notReceiving })
        #expect(try fixture.model.remoteControl(.play, time: 1).candidates.isEmpty)
    }
}
