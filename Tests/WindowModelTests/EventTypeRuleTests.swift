// All event types other than touches: motion, remote control, hover, scroll, transform (E3–E5, E7, E9).

import MullionGeometry
import Testing
import WindowModel

@Suite struct EventTypeRuleTests {
    private func move(_ fixture: ModelFixture, _ x: Double, _ y: Double) throws -> Routing {
        try fixture.model.pointerMoved(to: Point(x: x, y: y), on: fixture.screen, time: 1)
    }

    @Test("E: the type numbers are UIKit's, those of remote commands too")
    func numbers() {
        #expect(Event.Kind.allCases.map(\.rawValue) == [0, 1, 2, 3, 10, 11, 14])
        #expect(Event.RemoteCommand.allCases.map(\.rawValue) == Array(100...109))
    }

    @Test("E3, E2: a shake begins and ends in the key window, and is cancelled when that resigns key")
    func shaking() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown())
        try fixture.model.makeKey(a)
        try fixture.model.shake(.began, time: 1)
        #expect(refusal { try fixture.model.shake(.began, time: 1) }?.rule == .e3)
        #expect(refusal { try fixture.model.shake(.moved, time: 1) }?.kind == .invalidValue)
        try fixture.model.shake(.ended, time: 2)
        #expect(refusal { try fixture.model.shake(.ended, time: 2) }?.rule == .e3)
        try fixture.model.shake(.began, time: 3)
        _ = fixture.model.drainEffects()
        try fixture.model.makeKey(b)
        let effects = fixture.effects()
        guard case .deliver(let event) = effects.first else { throw Mismatch("\(effects)") }
        #expect(event.kind == .motion && event.phase == .cancelled && event.window == a)
        #expect(effects.dropFirst() == [.didResignKey(a, fixture.app), .didBecomeKey(b, fixture.app)])
        #expect(try fixture.model.shake(.ended, time: 4).reason == .cancelled)
        #expect(fixture.events().isEmpty && fixture.model.droppedPresses == 0)
    }

    @Test("E4: remote control goes to applications that asked, the key window's first, then in the order of asking")
    func remoteControl() throws {
        let fixture = try ModelFixture()
        let third = fixture.model.addApplication(name: "third")
        #expect(try fixture.model.remoteControl(.play, time: 1).reason == .notReceiving)
        for id in [fixture.other, third, fixture.app, fixture.other] {
            try fixture.model.beginReceivingRemoteControlEvents(id)
        }
        #expect(try fixture.model.remoteControl(.pause, time: 2).receivers == [fixture.other, third, fixture.app])
        try fixture.model.makeKey(try fixture.shown())
        #expect(try fixture.model.remoteControl(.nextTrack, time: 3).receivers == [fixture.app, fixture.other, third])
        let events = fixture.events()
        #expect(events.count == 6 && events.allSatisfy { $0.kind == .remoteControl && $0.window == nil })
        #expect(events.suffix(3).map(\.application) == [fixture.app, fixture.other, third])
        #expect(events.last?.detail == .remoteControl(.nextTrack) && events.last?.phase == .began)
        // As in UIKit, one end is enough for any number of begins.
        try fixture.model.endReceivingRemoteControlEvents(fixture.other)
        try fixture.model.endReceivingRemoteControlEvents(fixture.other)
        try fixture.model.removeApplication(third)
        let routing = try fixture.model.remoteControl(.stop, time: 4, explain: true)
        #expect(routing.receivers == [fixture.app] && routing.hit == nil && routing.reason == nil)
        #expect(
            routing.candidates == [.init(application: fixture.other, window: nil, reason: .notReceiving)])
        #expect(fixture.model.application(fixture.app)?.receivesRemoteControlEvents == true)
    }

    @Test("E4: with several seats the key window's application is that of the seat whose remote control it is")
    func remoteSeats() throws {
        let fixture = try ModelFixture()
        let second = try fixture.model.addSeat(name: "seat1", screens: ["Wall"])
        let wall = try fixture.model.connect(ModelFixture.wall)
        try fixture.model.makeKey(try fixture.shown())
        try fixture.model.makeKey(try fixture.shown(of: fixture.other, on: wall))
        for id in [fixture.app, fixture.other] { try fixture.model.beginReceivingRemoteControlEvents(id) }
        #expect(try fixture.model.remoteControl(.play, time: 1).receivers == [fixture.app, fixture.other])
        #expect(
            try fixture.model.remoteControl(.play, seat: second, time: 1).receivers == [fixture.other, fixture.app])
    }

    @Test("E5: hover begins when the pointer enters a window, moves in it, and ends when it leaves")
    func hovering() throws {
        let fixture = try ModelFixture()
        let (a, root) = try fixture.plain()
        let child = fixture.surface(50, 50)
        try fixture.model.addSubsurface(child, to: root)
        let b = try fixture.shown(x: 200)
        for (x, y) in [(10.0, 10.0), (11, 10), (70, 70), (210, 10), (400, 300)] { _ = try move(fixture, x, y) }
        let events = fixture.events()
        #expect(events.allSatisfy { $0.kind == .hover })
        #expect(events.map(\.phase) == [.began, .moved, .moved, .ended, .began, .ended])
        #expect(events.map(\.window) == [a, a, a, a, b, b])
        #expect(events.prefix(4).map(\.surface) == [child, child, root, root], "the surface in it that is under it")
        #expect(try move(fixture, 401, 300).reason == .noWindow)
    }

    @Test("E5, E2: hover follows windows that change under a resting pointer, and is cancelled with its window")
    func resting() throws {
        let fixture = try ModelFixture()
        let behind = try fixture.shown()
        let front = try fixture.shown()
        _ = try move(fixture, 10, 10)
        _ = fixture.events()
        try fixture.model.setUserInteractionEnabled(false, of: front)
        var events = fixture.events()
        #expect(events.map(\.phase) == [.ended, .began] && events.map(\.window) == [front, behind])
        try fixture.model.setHidden(true, of: behind)
        events = fixture.events()
        #expect(events.map(\.phase) == [.cancelled] && events.map(\.window) == [behind])
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("E5: a drag does not hover; hovering continues where the button is released")
    func dragging() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(x: 200))
        _ = try move(fixture, 10, 10)
        try fixture.model.pointerButton(code: 272, pressed: true, time: 2)
        _ = try move(fixture, 210, 10)
        _ = fixture.events()
        try fixture.model.pointerButton(code: 272, pressed: false, time: 3)
        let events = fixture.events()
        #expect(events.map(\.kind) == [.touches, .hover, .hover])
        #expect(events.map(\.phase) == [.ended, .ended, .began] && events.map(\.window) == [a, a, b])
    }

    @Test("E5: a gesture keeps its kind and number of fingers, and has them when it is cancelled")
    func gestures() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        _ = try move(fixture, 10, 10)
        let pinch = Event.TransformGesture(kind: .pinch, scale: 1.5, rotation: 0.2, deltaX: 3, fingers: 3)
        #expect(try fixture.model.transformGesture(pinch, phase: .began, time: 2).hit?.window == window)
        for other in [
            Event.TransformGesture(kind: .rotate, fingers: 3), Event.TransformGesture(kind: .pinch, fingers: 2),
        ] {
            #expect(refusal { try fixture.model.transformGesture(other, phase: .moved, time: 3) }?.rule == .e5)
        }
        _ = fixture.events()
        try fixture.model.setHidden(true, of: window)
        var rest = pinch
        rest.deltaX = 0
        #expect(fixture.events().filter { $0.kind == .transform }.map(\.detail) == [.transform(rest)])
        #expect(try fixture.model.transformGesture(pinch, phase: .ended, time: 4).reason == .cancelled)
        for wrong in [
            Event.TransformGesture(fingers: 0), Event.TransformGesture(scale: 0), Event.TransformGesture(scale: .nan),
            Event.TransformGesture(kind: .swipe, scale: 2), Event.TransformGesture(kind: .swipe, rotation: 1),
        ] {
            #expect(
                refusal { try fixture.model.transformGesture(wrong, phase: .began, time: 5) }?.kind == .invalidValue)
        }
        #expect(refusal { try fixture.model.transformGesture(pinch, phase: .ended, time: 5) }?.rule == .e5)
    }

    @Test("E7: no interaction begins while ignoring; running ones continue; keys, motion and remote control pass")
    func ignoring() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        try fixture.model.makeKey(window)
        try fixture.model.beginReceivingRemoteControlEvents(fixture.app)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        _ = try move(fixture, 10, 10)
        try fixture.model.press(key: 30, pressed: true, time: 1)
        try fixture.model.scroll(step, phase: .began, time: 1)
        try fixture.model.beginIgnoringInteractionEvents(fixture.app)
        #expect(try move(fixture, 11, 10).hit?.window == window, "it is in the window already")
        #expect(try fixture.model.scroll(step, phase: .ended, time: 2).hit?.window == window)
        #expect(try fixture.model.press(key: 30, pressed: false, time: 2).hit?.window == window)
        #expect(try fixture.model.press(key: 31, pressed: true, time: 2).hit?.window == window, "keys pass")
        #expect(try fixture.model.press(key: 31, pressed: false, time: 2).hit?.window == window)
        #expect(fixture.model.ignoredEvents == 0)
        #expect(try fixture.model.scroll(step, phase: nil, time: 2).reason == .ignoring)
        #expect(
            try fixture.model.transformGesture(Event.TransformGesture(), phase: .began, time: 2).reason == .ignoring)
        #expect(try fixture.model.shake(.began, time: 2).hit?.window == window)
        #expect(try fixture.model.remoteControl(.play, time: 2).receivers == [fixture.app])
        _ = try move(fixture, 400, 300)
        _ = fixture.events()
        #expect(try move(fixture, 12, 10).reason == .ignoring)
        #expect(fixture.model.ignoredEvents == 3)
        #expect(fixture.events().isEmpty)
        try fixture.model.endIgnoringInteractionEvents(fixture.app)
        #expect(fixture.events().map(\.phase) == [.began], "the pointer is in the window")
    }
}
