// The power of screens for a server that takes over: the model has the state.

import MullionWayland
import WindowModel

extension OutputPowerManagerResource: RestorableGlobal {
    typealias Interface = ZwlrOutputPowerManagerV1
}

extension OutputPowerResource: Restorable {
    struct SavedState: FixedSizeState {
        var screen: Screen.ID?
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrOutputPowerV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(screen: screen) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try OutputPowerResource(reader.client, id: id, version: version)
        if let screen = try reader.screen(state.screen) { try object.start(on: screen.id) }
    }
}
