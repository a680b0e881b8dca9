// wp_fractional_scale_manager_v1 and wp_fractional_scale_v1 for a server that takes over.

import MullionWayland

extension FractionalScaleManagerResource: RestorableGlobal {
    typealias Interface = WpFractionalScaleManagerV1
}

extension FractionalScaleResource: Restorable {
    struct SavedState: FixedSizeState {
        var surface: ObjectID?
        var sent: UInt32
    }

    static var interfaces: [any WaylandInterface.Type] { [WpFractionalScaleV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(surface: surface?.id, sent: sent) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.fractionalScale == nil else { throw HandOverError("a surface has two fractional scales") }
        let object = try FractionalScaleResource(reader.client, id: id, version: version, of: surface)
        object.sent = state.sent
    }
}
