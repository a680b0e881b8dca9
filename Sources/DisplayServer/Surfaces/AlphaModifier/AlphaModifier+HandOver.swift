// wp_alpha_modifier_v1 and its objects of surfaces for a server that takes over.

import MullionWayland

extension AlphaModifierManagerResource: RestorableGlobal {
    typealias Interface = WpAlphaModifierV1
}

extension AlphaModifierResource: RestorableSurfaceObject {
    typealias Interface = WpAlphaModifierSurfaceV1
}

extension AlphaModifierState {
    struct SavedState: FixedSizeState {
        var factor: UInt32?
    }

    var savedState: SavedState { SavedState(factor: factor) }
    init(_ saved: SavedState, for client: Client) { factor = saved.factor }
}
