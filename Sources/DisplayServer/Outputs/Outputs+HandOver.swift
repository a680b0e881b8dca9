// Outputs for a server that takes over.

import MullionWayland
import WindowModel

extension XdgOutputManagerResource: RestorableGlobal {
    typealias Interface = ZxdgOutputManagerV1
}

extension OutputResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once it is unplugged.
        var screen: Screen.ID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WlOutput.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(screen: screen) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try OutputResource(reader.client, id: id, version: version, screen: reader.screen(state.screen))
    }
}

extension XdgOutputResource: Restorable {
    struct SavedState: FixedSizeState {
        var output: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [ZxdgOutputV1.self] }
    static var restorationPhase: RestorationPhase { .buffers }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(output: output?.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try XdgOutputResource(reader.client, id: id, version: version)
        if let output: OutputResource = try reader.resource(state.output) { object.start(output) }
    }
}

extension WlOutput.Transform: Codable {}
