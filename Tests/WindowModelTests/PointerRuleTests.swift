// The pointer: E5, its focus and its implicit grab, E2 for its sequences.

import MullionGeometry
import Testing
import WindowModel

@Suite struct PointerRuleTests {
    private func move(_ fixture: ModelFixture, _ x: Double, _ y: Double) throws {
        try fixture.model.pointerMoved(to: Point(x: x, y: y), on: fixture.screen, time: 1)
    }

    @Test("E5: hover goes to what is under the pointer, and the focus follows, also when windows change")
    func focus() throws {
        let fixture = try ModelFixture()
        let (_, a) = try fixture.plain()
        let (second, b) = try fixture.plain(x: 50)
        try move(fixture, 10, 10)
        try move(fixture, 11, 10)
        #expect(fixture.foci() == [a])
        try move(fixture, 75, 10)
        #expect(fixture.foci() == [b])
        try fixture.model.setHidden(true, of: second)
        #expect(fixture.foci() == [a])
        try fixture.model.setHidden(false, of: second)
        try fixture.model.setHidden(true, of: second)
        #expect(fixture.foci().isEmpty)
        try move(fixture, 400, 300)
        #expect(fixture.foci() == [nil])
        #expect(fixture.model.pointerFocus == nil)
    }

    @Test("E5: while a button is down everything goes to the window where it was pressed; then the focus moves on")
    func grab() throws {
        let fixture = try ModelFixture()
        let (first, a) = try fixture.plain()
        let (_, b) = try fixture.plain(x: 200)
        try move(fixture, 10, 10)
        try fixture.model.pointerButton(code: 272, pressed: true, time: 2)
        try fixture.model.pointerButton(code: 273, pressed: true, time: 3)
        try move(fixture, 250, 10)
        try fixture.model.pointerButton(code: 272, pressed: false, time: 4)
        try move(fixture, 251, 10)
        let effects = fixture.model.drainEffects()
        let events = effects.compactMap { if case .deliver(let event) = $0 { event } else { nil } }
        #expect(events.allSatisfy { $0.window == first && $0.surface == a })
        #expect(events.map(\.kind) == [.hover, .touches, .touches, .touches, .touches, .touches])
        #expect(events.map(\.phase) == [.began, .began, .began, .moved, .ended, .moved])
        #expect(events.last?.location == Point(x: 251, y: 10))
        try fixture.model.pointerButton(code: 273, pressed: false, time: 5)
        #expect(fixture.foci() == [b])
        #expect(refusal { try fixture.model.pointerButton(code: 273, pressed: false, time: 6) }?.rule == .e5)
    }

    @Test("E5: a scroll or transform sequence stays where it began; a wheel's click does not")
    func sequences() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(x: 200))
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        try move(fixture, 10, 10)
        try fixture.model.scroll(step, phase: .began, time: 2)
        try fixture.model.transformGesture(Event.TransformGesture(), phase: .began, time: 2)
        try move(fixture, 210, 10)
        #expect(try fixture.model.scroll(step, phase: .moved, time: 3).hit?.window == a)
        #expect(try fixture.model.transformGesture(Event.TransformGesture(), phase: .ended, time: 3).hit?.window == a)
        #expect(try fixture.model.scroll(step, phase: nil, time: 3).hit?.window == b)
        _ = fixture.events()
        try fixture.model.setHidden(true, of: a)
        let events = fixture.events()
        #expect(events.map(\.phase) == [.cancelled] && events.first?.kind == .scroll)
        #expect(try fixture.model.scroll(step, phase: .ended, time: 4).reason == .cancelled)
        #expect(refusal { try fixture.model.scroll(step, phase: .moved, time: 5) }?.rule == .e5)
        #expect(fixture.events().isEmpty)
    }

    @Test("E2: a click whose window is hidden is cancelled once, and its release is dropped")
    func cancelledGrab() throws {
        let fixture = try ModelFixture()
        let (_, behind) = try fixture.plain()
        let (front, _) = try fixture.plain(of: fixture.other)
        try move(fixture, 10, 10)
        try fixture.model.pointerButton(code: 272, pressed: true, time: 2)
        _ = fixture.events()
        try fixture.model.setHidden(true, of: front)
        let effects = fixture.model.drainEffects()
        let events = effects.compactMap { if case .deliver(let event) = $0 { event } else { nil } }
        #expect(events.map(\.kind) == [.touches, .hover])
        #expect(events.allSatisfy { $0.phase == .cancelled && $0.window == front })
        #expect(effects.contains(.pointerFocus(nil)))
        #expect(try fixture.model.pointerButton(code: 272, pressed: false, time: 3).reason == .cancelled)
        #expect(fixture.foci() == [behind])
    }

    @Test("E2, S8: a drag whose pointer was on a screen that is unplugged is cancelled in the window where it began")
    func lostPointer() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let window = try fixture.shown()
        try move(fixture, 10, 10)
        try fixture.model.pointerButton(code: 272, pressed: true, time: 2)
        try fixture.model.pointerMoved(to: Point(x: 30, y: 30), on: wall, time: 3)
        _ = fixture.events()
        try fixture.model.disconnect(wall)
        let events = fixture.events()
        #expect(events.map(\.kind) == [.touches, .hover])
        #expect(events.allSatisfy { $0.phase == .cancelled && $0.window == window })
        #expect(fixture.model.pointerLocation == nil && fixture.model.pointerFocus == nil)
        #expect(try fixture.model.pointerButton(code: 272, pressed: false, time: 4).reason == .cancelled)
        #expect(fixture.events().isEmpty && fixture.model.checkInvariants() == [])
    }

    @Test("E7: ignoring blocks clicks and scrolling that begin")
    func ignoring() throws {
        let fixture = try ModelFixture()
        _ = try fixture.shown()
        try move(fixture, 10, 10)
        try fixture.model.beginIgnoringInteractionEvents(fixture.app)
        #expect(try fixture.model.pointerButton(code: 272, pressed: true, time: 2).reason == .ignoring)
        try fixture.model.pointerButton(code: 272, pressed: false, time: 2)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        #expect(try fixture.model.scroll(step, phase: .began, time: 3).reason == .ignoring)
    }
}
