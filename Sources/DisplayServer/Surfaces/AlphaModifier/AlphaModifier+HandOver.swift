// wp_alpha_modifier_v1 and its objects of surfaces for a server that takes over.

import MullionWayland

extension AlphaModifierManagerResource: RestorableGlobal {
    typealias Interface = WpAlphaModifierV1
}

extension AlphaModifierResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once the surface is destroyed.
        var surface: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WpAlphaModifierSurfaceV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(surface: surface?.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.alphaModifier == nil else { throw HandOverError("a surface has two alpha modifiers") }
        _ = try AlphaModifierResource(reader.client, id: id, version: version, of: surface)
    }
}

extension AlphaModifierState {
    struct SavedState: FixedSizeState {
        var factor: UInt32?
    }

    var savedState: SavedState { SavedState(factor: factor) }
    init(_ saved: SavedState, for client: Client) { factor = saved.factor }
}
