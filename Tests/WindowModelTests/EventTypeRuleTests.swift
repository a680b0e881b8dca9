// All event types other than touches: motion, remote control, hover, scroll, transform (E3–E5, E7, E9).

import Geometry
import Testing
import WindowModel

@Suite struct EventTypeRuleTests {
    private func move(_ desk: Desk, _ x: Double, _ y: Double) throws -> Routing {
        try desk.model.pointerMoved(to: Point(x: x, y: y), on: desk.screen, time: 1)
    }

    @Test("E: the type numbers are UIKit's, those of remote commands too")
    func numbers() {
        #expect(Event.Kind.allCases.map(\.rawValue) == [0, 1, 2, 3, 10, 11, 14])
        #expect(Event.RemoteCommand.allCases.map(\.rawValue) == Array(100...109))
    }

    @Test("E3, E2: a shake begins and ends in the key window, and is cancelled when that resigns key")
    func shaking() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown())
        try desk.model.makeKey(a)
        try desk.model.shake(.began, time: 1)
        #expect(refusal { try desk.model.shake(.began, time: 1) }?.rule == .e3)
        #expect(refusal { try desk.model.shake(.moved, time: 1) }?.kind == .invalidValue)
        try desk.model.shake(.ended, time: 2)
        #expect(refusal { try desk.model.shake(.ended, time: 2) }?.rule == .e3)
        try desk.model.shake(.began, time: 3)
        _ = desk.model.drainEffects()
        try desk.model.makeKey(b)
        let effects = desk.effects()
        guard case .deliver(let event) = effects.first else { throw Mismatch("\(effects)") }
        #expect(event.kind == .motion && event.phase == .cancelled && event.window == a)
        #expect(effects.dropFirst() == [.didResignKey(a, desk.app), .didBecomeKey(b, desk.app)])
        #expect(try desk.model.shake(.ended, time: 4).reason == .cancelled)
        #expect(desk.events().isEmpty && desk.model.droppedPresses == 0)
    }

    @Test("E4: remote control goes to applications that asked, the key window's first, then in the order of asking")
    func remoteControl() throws {
        let desk = try Desk()
        let third = desk.model.addApplication(name: "third")
        #expect(try desk.model.remoteControl(.play, time: 1).reason == .notReceiving)
        for id in [desk.other, third, desk.app, desk.other] {
            try desk.model.beginReceivingRemoteControlEvents(id)
        }
        #expect(try desk.model.remoteControl(.pause, time: 2).receivers == [desk.other, third, desk.app])
        try desk.model.makeKey(try desk.shown())
        #expect(try desk.model.remoteControl(.nextTrack, time: 3).receivers == [desk.app, desk.other, third])
        let events = desk.events()
        #expect(events.count == 6 && events.allSatisfy { $0.kind == .remoteControl && $0.window == nil })
        #expect(events.suffix(3).map(\.application) == [desk.app, desk.other, third])
        #expect(events.last?.detail == .remoteControl(.nextTrack) && events.last?.phase == .began)
        // As in UIKit, one end is enough for any number of begins.
        try desk.model.endReceivingRemoteControlEvents(desk.other)
        try desk.model.endReceivingRemoteControlEvents(desk.other)
        try desk.model.removeApplication(third)
        let routing = try desk.model.remoteControl(.stop, time: 4, explain: true)
        #expect(routing.receivers == [desk.app] && routing.hit == nil && routing.reason == nil)
        #expect(
            routing.candidates == [.init(application: desk.other, window: nil, reason: .notReceiving)])
        #expect(desk.model.application(desk.app)?.receivesRemoteControlEvents == true)
    }

    @Test("E4: with several seats the key window's application is that of the seat whose remote control it is")
    func remoteSeats() throws {
        let desk = try Desk()
        let second = try desk.model.addSeat(name: "seat1", screens: ["Wall"])
        let wall = try desk.model.connect(Desk.wall)
        try desk.model.makeKey(try desk.shown())
        try desk.model.makeKey(try desk.shown(of: desk.other, on: wall))
        for id in [desk.app, desk.other] { try desk.model.beginReceivingRemoteControlEvents(id) }
        #expect(try desk.model.remoteControl(.play, time: 1).receivers == [desk.app, desk.other])
        #expect(try desk.model.remoteControl(.play, seat: second, time: 1).receivers == [desk.other, desk.app])
    }

    @Test("E5: hover begins when the pointer enters a window, moves in it, and ends when it leaves")
    func hovering() throws {
        let desk = try Desk()
        let (a, root) = try desk.plain()
        let child = desk.surface(50, 50)
        try desk.model.addSubsurface(child, to: root)
        let b = try desk.shown(x: 200)
        for (x, y) in [(10.0, 10.0), (11, 10), (70, 70), (210, 10), (400, 300)] { _ = try move(desk, x, y) }
        let events = desk.events()
        #expect(events.allSatisfy { $0.kind == .hover })
        #expect(events.map(\.phase) == [.began, .moved, .moved, .ended, .began, .ended])
        #expect(events.map(\.window) == [a, a, a, a, b, b])
        #expect(events.prefix(4).map(\.surface) == [child, child, root, root], "the surface in it that is under it")
        #expect(try move(desk, 401, 300).reason == .noWindow)
    }

    @Test("E5, E2: hover follows windows that change under a resting pointer, and is cancelled with its window")
    func resting() throws {
        let desk = try Desk()
        let behind = try desk.shown()
        let front = try desk.shown()
        _ = try move(desk, 10, 10)
        _ = desk.events()
        try desk.model.setUserInteractionEnabled(false, of: front)
        var events = desk.events()
        #expect(events.map(\.phase) == [.ended, .began] && events.map(\.window) == [front, behind])
        try desk.model.setHidden(true, of: behind)
        events = desk.events()
        #expect(events.map(\.phase) == [.cancelled] && events.map(\.window) == [behind])
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("E5: a drag does not hover; hovering continues where the button is released")
    func dragging() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown(x: 200))
        _ = try move(desk, 10, 10)
        try desk.model.pointerButton(code: 272, pressed: true, time: 2)
        _ = try move(desk, 210, 10)
        _ = desk.events()
        try desk.model.pointerButton(code: 272, pressed: false, time: 3)
        let events = desk.events()
        #expect(events.map(\.kind) == [.touches, .hover, .hover])
        #expect(events.map(\.phase) == [.ended, .ended, .began] && events.map(\.window) == [a, a, b])
    }

    @Test("E5: a gesture keeps its kind and number of fingers, and has them when it is cancelled")
    func gestures() throws {
        let desk = try Desk()
        let window = try desk.shown()
        _ = try move(desk, 10, 10)
        let pinch = Event.TransformGesture(kind: .pinch, scale: 1.5, rotation: 0.2, deltaX: 3, fingers: 3)
        #expect(try desk.model.transformGesture(pinch, phase: .began, time: 2).hit?.window == window)
        for other in [
            Event.TransformGesture(kind: .rotate, fingers: 3), Event.TransformGesture(kind: .pinch, fingers: 2),
        ] {
            #expect(refusal { try desk.model.transformGesture(other, phase: .moved, time: 3) }?.rule == .e5)
        }
        _ = desk.events()
        try desk.model.setHidden(true, of: window)
        var rest = pinch
        rest.deltaX = 0
        #expect(desk.events().filter { $0.kind == .transform }.map(\.detail) == [.transform(rest)])
        #expect(try desk.model.transformGesture(pinch, phase: .ended, time: 4).reason == .cancelled)
        for wrong in [
            Event.TransformGesture(fingers: 0), Event.TransformGesture(scale: 0), Event.TransformGesture(scale: .nan),
            Event.TransformGesture(kind: .swipe, scale: 2), Event.TransformGesture(kind: .swipe, rotation: 1),
        ] {
            #expect(
                refusal { try desk.model.transformGesture(wrong, phase: .began, time: 5) }?.kind == .invalidValue)
        }
        #expect(refusal { try desk.model.transformGesture(pinch, phase: .ended, time: 5) }?.rule == .e5)
    }

    @Test("E7: no interaction begins while ignoring; running ones continue; motion and remote control are unaffected")
    func ignoring() throws {
        let desk = try Desk()
        let window = try desk.shown()
        try desk.model.makeKey(window)
        try desk.model.beginReceivingRemoteControlEvents(desk.app)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        _ = try move(desk, 10, 10)
        try desk.model.press(key: 30, pressed: true, time: 1)
        try desk.model.scroll(step, phase: .began, time: 1)
        try desk.model.beginIgnoringInteractionEvents(desk.app)
        #expect(try move(desk, 11, 10).hit?.window == window, "it is in the window already")
        #expect(try desk.model.scroll(step, phase: .ended, time: 2).hit?.window == window)
        #expect(try desk.model.press(key: 30, pressed: false, time: 2).hit?.window == window)
        #expect(try desk.model.press(key: 31, pressed: true, time: 2).reason == .ignoring)
        #expect(try desk.model.press(key: 31, pressed: false, time: 2).reason == .cancelled)
        #expect(try desk.model.scroll(step, phase: nil, time: 2).reason == .ignoring)
        #expect(
            try desk.model.transformGesture(Event.TransformGesture(), phase: .began, time: 2).reason == .ignoring)
        #expect(try desk.model.shake(.began, time: 2).hit?.window == window)
        #expect(try desk.model.remoteControl(.play, time: 2).receivers == [desk.app])
        _ = try move(desk, 400, 300)
        _ = desk.events()
        #expect(try move(desk, 12, 10).reason == .ignoring)
        #expect(desk.events().isEmpty)
        try desk.model.endIgnoringInteractionEvents(desk.app)
        #expect(desk.events().map(\.phase) == [.began], "the pointer is in the window")
    }
}
