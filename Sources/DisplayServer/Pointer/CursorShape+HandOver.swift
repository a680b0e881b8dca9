// Cursor shapes for a server that takes over.

import MullionWayland

extension CursorShapeManagerResource: RestorableGlobal {
    typealias Interface = WpCursorShapeManagerV1
}

extension CursorShapeDeviceResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once it is released.
        var pointer: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WpCursorShapeDeviceV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(pointer: pointer.flatMap { $0.isAlive ? $0.id : nil })
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try CursorShapeDeviceResource(reader.client, id: id, version: version, of: reader.resource(state.pointer))
    }
}
