// Shorthands for single steps of input.

import MullionGeometry
import WindowModel

@testable import DisplayServer

extension InputStep {
    /// A touch without force, radius or other measurements.
    static func touch(_ id: Int32, _ phase: Event.Phase, _ point: Point, _ screen: Screen.ID) -> InputStep {
        .touch(TouchUpdate(id: id, phase: phase, point: point), screen)
    }
}

extension InputInjector {
    /// Performs a step on the first seat, or on that of the screen it names.
    func perform(_ step: InputStep) throws(ModelError) -> Routing { try perform(step, by: server.seat) }
}
