// Single events, passed to the reference and injected.

import MullionGeometry
import WindowModel

@testable import DisplayServer

extension RandomInputFixture {
    /// Injects a step of a seat; its reference runs first, so that it sees the state which the event meets.
    func inject(_ step: InputStep, by seat: Int, _ expect: (RandomInputReference) -> Void) throws {
        expect(references[seat])
        _ = try fixture.server.injector.perform(step, by: fixture.server.seats[seat])
        fixture.server.deliverEffects()
        follow()
    }

    func touch(_ id: Int32, _ phase: Event.Phase, _ point: Point, _ screen: Screen.ID, by seat: Int) throws {
        try inject(.touch(TouchUpdate(id: id, phase: phase, point: point), screen), by: seat) {
            $0.touch(id, phase, point, on: screen)
        }
    }

    /// The screen decides whose pointer moves, not the seat.
    func hover(_ point: Point, on screen: Screen.ID) throws { try inject(.move(point, screen), by: 0) { _ in } }

    func button(_ code: UInt32, isDown: Bool, by seat: Int) throws {
        try inject(.button(code, pressed: isDown), by: seat) { $0.button(code, isDown: isDown) }
    }

    func scroll(_ delta: Double, _ phase: Event.Phase?, by seat: Int) throws {
        let steps: Int32 = phase == nil ? 120 : 0
        let scroll = Event.Scroll(
            deltaX: 0, deltaY: delta, stepsY: steps, source: phase == nil ? .wheel : .finger)
        try inject(.scroll(scroll, phase), by: seat) { $0.scroll(delta, phase) }
    }

    func gesture(_ delta: Double, _ phase: Event.Phase, by seat: Int) throws {
        let swipe = Event.TransformGesture(kind: .swipe, deltaX: delta, fingers: 3)
        references[seat].gesture(delta, phase)
        try fixture.model.transformGesture(
            swipe, phase: phase, seat: references[seat].seat, time: fixture.server.clock.now)
        fixture.server.deliverEffects()
        follow()
    }
}
