// Single events, told to the reference and injected.

import WindowModel

@testable import DisplayServer

extension RandomInputDesk {
    /// Injects a step; the reference looks first: what it sees is what the event meets.
    func inject(_ step: InputStep, _ expect: (RandomInputReference) -> Void) throws {
        expect(reference)
        _ = try fixture.server.injector.perform(step)
        fixture.server.carryOutEffects()
        reference.follow()
    }

    func hover(_ point: Point, on screen: Screen.ID) throws { try inject(.move(point, screen)) { _ in } }

    func button(_ code: UInt32, isDown: Bool) throws {
        try inject(.button(code, pressed: isDown)) { $0.button(code, isDown: isDown) }
    }

    func scroll(_ delta: Double, _ phase: Event.Phase?) throws {
        let steps: Int32 = phase == nil ? 120 : 0
        let scroll = Event.Scroll(
            deltaX: 0, deltaY: delta, stepsY: steps, source: phase == nil ? .wheel : .finger)
        try inject(.scroll(scroll, phase)) { $0.scroll(delta, phase) }
    }

    func gesture(_ delta: Double, _ phase: Event.Phase) throws {
        let swipe = Event.TransformGesture(kind: .swipe, deltaX: delta, fingers: 3)
        reference.gesture(delta, phase)
        try fixture.model.transformGesture(swipe, phase: phase, time: fixture.server.clock.now)
        fixture.server.carryOutEffects()
        reference.follow()
    }
}
