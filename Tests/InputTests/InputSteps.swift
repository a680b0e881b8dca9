// Single steps of input, as tests write them.

import Geometry
import WindowModel

@testable import DisplayServer

extension InputStep {
    /// One finger of which nothing is measured.
    static func touch(_ id: Int32, _ phase: Event.Phase, _ point: Point, _ screen: Screen.ID) -> InputStep {
        .touch(TouchUpdate(id: id, phase: phase, point: point), screen)
    }
}

extension InputInjector {
    /// Carries out a step of the first seat, or of the one whose screen it names.
    func perform(_ step: InputStep) throws(ModelError) -> Routing { try perform(step, by: server.seat) }
}
