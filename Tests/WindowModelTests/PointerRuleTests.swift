// The pointer: E5, its focus and its implicit grab, E2 for its sequences.

import Geometry
import Testing
import WindowModel

@Suite struct PointerRuleTests {
    private func move(_ desk: Desk, _ x: Double, _ y: Double) throws {
        try desk.model.pointerMoved(to: Point(x: x, y: y), on: desk.screen, time: 1)
    }

    @Test("E5: hover goes to what is under the pointer, and the focus follows, also when windows change")
    func focus() throws {
        let desk = try Desk()
        let (_, a) = try desk.plain()
        let (second, b) = try desk.plain(x: 50)
        try move(desk, 10, 10)
        try move(desk, 11, 10)
        #expect(desk.foci() == [a])
        try move(desk, 75, 10)
        #expect(desk.foci() == [b])
        try desk.model.setHidden(true, of: second)
        #expect(desk.foci() == [a])
        try desk.model.setHidden(false, of: second)
        try desk.model.setHidden(true, of: second)
        #expect(desk.foci().isEmpty)
        try move(desk, 400, 300)
        #expect(desk.foci() == [nil])
        #expect(desk.model.pointerFocus == nil)
    }

    @Test("E5: while a button is down everything goes to the window where it was pressed; then the focus moves on")
    func grab() throws {
        let desk = try Desk()
        let (first, a) = try desk.plain()
        let (_, b) = try desk.plain(x: 200)
        try move(desk, 10, 10)
        try desk.model.pointerButton(code: 272, pressed: true, time: 2)
        try desk.model.pointerButton(code: 273, pressed: true, time: 3)
        try move(desk, 250, 10)
        try desk.model.pointerButton(code: 272, pressed: false, time: 4)
        try move(desk, 251, 10)
        let effects = desk.model.drainEffects()
        let events = effects.compactMap { if case .deliver(let event) = $0 { event } else { nil } }
        #expect(events.allSatisfy { $0.window == first && $0.surface == a })
        #expect(events.map(\.kind) == [.hover, .touches, .touches, .touches, .touches, .touches])
        #expect(events.map(\.phase) == [.began, .began, .began, .moved, .ended, .moved])
        #expect(events.last?.location == Point(x: 251, y: 10))
        try desk.model.pointerButton(code: 273, pressed: false, time: 5)
        #expect(desk.foci() == [b])
        #expect(refusal { try desk.model.pointerButton(code: 273, pressed: false, time: 6) }?.rule == .e5)
    }

    @Test("E5: a scroll or transform sequence stays where it began; a wheel's click does not")
    func sequences() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown(x: 200))
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        try move(desk, 10, 10)
        try desk.model.scroll(step, phase: .began, time: 2)
        try desk.model.transformGesture(Event.TransformGesture(), phase: .began, time: 2)
        try move(desk, 210, 10)
        #expect(try desk.model.scroll(step, phase: .moved, time: 3).hit?.window == a)
        #expect(try desk.model.transformGesture(Event.TransformGesture(), phase: .ended, time: 3).hit?.window == a)
        #expect(try desk.model.scroll(step, phase: nil, time: 3).hit?.window == b)
        _ = desk.events()
        try desk.model.setHidden(true, of: a)
        let events = desk.events()
        #expect(events.map(\.phase) == [.cancelled] && events.first?.kind == .scroll)
        #expect(try desk.model.scroll(step, phase: .ended, time: 4).reason == .cancelled)
        #expect(refusal { try desk.model.scroll(step, phase: .moved, time: 5) }?.rule == .e5)
        #expect(desk.events().isEmpty)
    }

    @Test("E2: a click whose window is hidden is cancelled once, and its release is dropped")
    func cancelledGrab() throws {
        let desk = try Desk()
        let (_, behind) = try desk.plain()
        let (front, _) = try desk.plain(of: desk.other)
        try move(desk, 10, 10)
        try desk.model.pointerButton(code: 272, pressed: true, time: 2)
        _ = desk.events()
        try desk.model.setHidden(true, of: front)
        let effects = desk.model.drainEffects()
        let events = effects.compactMap { if case .deliver(let event) = $0 { event } else { nil } }
        #expect(events.map(\.kind) == [.touches, .hover])
        #expect(events.allSatisfy { $0.phase == .cancelled && $0.window == front })
        #expect(effects.contains(.pointerFocus(nil)))
        #expect(try desk.model.pointerButton(code: 272, pressed: false, time: 3).reason == .cancelled)
        #expect(desk.foci() == [behind])
    }

    @Test("E2, S8: a drag whose pointer was on a screen that is unplugged is cancelled in the window where it began")
    func lostPointer() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        let window = try desk.shown()
        try move(desk, 10, 10)
        try desk.model.pointerButton(code: 272, pressed: true, time: 2)
        try desk.model.pointerMoved(to: Point(x: 30, y: 30), on: wall, time: 3)
        _ = desk.events()
        try desk.model.disconnect(wall)
        let events = desk.events()
        #expect(events.map(\.kind) == [.touches, .hover])
        #expect(events.allSatisfy { $0.phase == .cancelled && $0.window == window })
        #expect(desk.model.pointerLocation == nil && desk.model.pointerFocus == nil)
        #expect(try desk.model.pointerButton(code: 272, pressed: false, time: 4).reason == .cancelled)
        #expect(desk.events().isEmpty && desk.model.checkInvariants() == [])
    }

    @Test("E7: ignoring blocks clicks and scrolling that begin")
    func ignoring() throws {
        let desk = try Desk()
        _ = try desk.shown()
        try move(desk, 10, 10)
        try desk.model.beginIgnoringInteractionEvents(desk.app)
        #expect(try desk.model.pointerButton(code: 272, pressed: true, time: 2).reason == .ignoring)
        try desk.model.pointerButton(code: 272, pressed: false, time: 2)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        #expect(try desk.model.scroll(step, phase: .began, time: 3).reason == .ignoring)
    }
}
