// The colours of screens for a server that takes over.

import MullionWayland
import StateCoding
import WindowModel

extension GammaControlManagerResource: RestorableGlobal {
    typealias Interface = ZwlrGammaControlManagerV1
}

extension GammaControlResource: Restorable {
    struct SavedState: ObjectState {
        var screen: Screen.ID?
        var table: StateBytes

        var variableSize: Int { table.bytes.count }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrGammaControlV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(screen: screen, table: StateBytes(screen == nil ? [] : bytes))
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try GammaControlResource(reader.client, id: id, version: version)
        guard let screen = try reader.screen(state.screen) else { return }
        object.start(on: screen.id)
        if state.table.bytes.count == tableBytes { object.set(state.table.bytes) }
    }
}
