// H3: every event without a receiver has a reason, and so has every candidate.

import Geometry
import Testing
import WindowModel

@Suite struct RoutingRuleTests {
    @Test("H3: the window that would have received it is a candidate when its application is ignoring")
    func ignoring() throws {
        let desk = try Desk()
        _ = try desk.shown()
        let (window, front) = (try desk.shown(), try desk.shown(x: 300))
        try desk.model.beginIgnoringInteractionEvents(desk.app)
        let point = Point(x: 50, y: 50)
        let expected: [Routing.Candidate] = [
            .init(application: desk.app, window: front, reason: .outsideFrame),
            .init(application: desk.app, window: window, reason: .ignoring),
        ]
        let touch = try desk.model.touch(id: 1, phase: .began, at: point, on: desk.screen, time: 1, explain: true)
        let hover = try desk.model.pointerMoved(to: point, on: desk.screen, time: 1, explain: true)
        let click = try desk.model.pointerButton(code: 272, pressed: true, time: 1, explain: true)
        try desk.model.pointerButton(code: 272, pressed: false, time: 1)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        let scroll = try desk.model.scroll(step, phase: nil, time: 1, explain: true)
        let gesture = try desk.model.transformGesture(
            Event.TransformGesture(), phase: .began, time: 1, explain: true)
        for routing in [touch, hover, click, scroll, gesture] {
            #expect(routing.reason == .ignoring && routing.candidates == expected)
        }
    }

    @Test("H3: on a non-interactive screen, that is every window's reason")
    func notInteractive() throws {
        let desk = try Desk()
        var wall = Desk.wall
        wall.isInteractive = false
        let screen = try desk.model.connect(wall)
        let window = try desk.shown(on: screen)
        let routing = try desk.model.pointerMoved(to: .zero, on: screen, time: 1, explain: true)
        #expect(routing.reason == .screenNotInteractive)
        #expect(
            routing.candidates == [.init(application: desk.app, window: window, reason: .screenNotInteractive)])
        let click = try desk.model.pointerButton(code: 272, pressed: true, time: 1)
        #expect(click.reason == .screenNotInteractive)
        #expect(desk.events().isEmpty && desk.model.pointerFocus == nil)
    }

    @Test("H3: without a pointer on any screen there is no receiver")
    func nowhere() throws {
        let desk = try Desk()
        _ = try desk.shown()
        #expect(try desk.model.pointerButton(code: 272, pressed: true, time: 1, explain: true).reason == .noWindow)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        #expect(try desk.model.scroll(step, phase: nil, time: 1).reason == .cancelled, "the button goes nowhere")
        try desk.model.pointerButton(code: 272, pressed: false, time: 1)
        #expect(try desk.model.scroll(step, phase: nil, time: 1).reason == .noWindow)
    }

    @Test("H3: presses and motion report that no window is key, that it is ignoring, or that it received them")
    func keys() throws {
        let desk = try Desk()
        let (shown, other) = (try desk.shown(), try desk.shown(of: desk.other))
        let hidden = try desk.model.createWindow(application: desk.app)
        let expected: [Routing.Candidate] = [
            .init(application: desk.app, window: hidden, reason: .hidden),
            .init(application: desk.other, window: other, reason: .noKeyWindow),
            .init(application: desk.app, window: shown, reason: .noKeyWindow),
        ]
        let press = try desk.model.press(key: 30, pressed: true, time: 1, explain: true)
        let shake = try desk.model.shake(.began, time: 1, explain: true)
        for routing in [press, shake] {
            #expect(routing.reason == .noKeyWindow && routing.candidates == expected)
        }
        #expect(try desk.model.press(key: 30, pressed: true, time: 1).candidates.isEmpty, "only when asked for")
        try desk.model.makeKey(shown)
        let taken = try desk.model.press(key: 30, pressed: true, time: 2, explain: true)
        #expect(taken.hit?.window == shown && taken.candidates.isEmpty)
        try desk.model.beginIgnoringInteractionEvents(desk.app)
        let ignored = try desk.model.press(key: 31, pressed: true, time: 3, explain: true)
        #expect(ignored.candidates == [.init(application: desk.app, window: shown, reason: .ignoring)])
        #expect(desk.model.droppedPresses == 3)
    }

    @Test("H3, E4: remote control reports the applications that did not ask, the key window's first")
    func remoteControl() throws {
        let desk = try Desk()
        try desk.model.makeKey(try desk.shown(of: desk.other))
        let routing = try desk.model.remoteControl(.play, time: 1, explain: true)
        #expect(routing.reason == .notReceiving)
        #expect(routing.candidates.map(\.application) == [desk.other, desk.app])
        #expect(routing.candidates.allSatisfy { $0.window == nil && $0.reason == .notReceiving })
        #expect(try desk.model.remoteControl(.play, time: 1).candidates.isEmpty)
    }
}
