// wp_viewporter and wp_viewport for a server that takes over.

import MullionWayland

extension ViewporterResource: RestorableGlobal {
    typealias Interface = WpViewporter
}

extension ViewportResource: Restorable {
    struct SavedState: FixedSizeState {
        var surface: ObjectID?
        var requested: Viewport
    }

    static var interfaces: [any WaylandInterface.Type] { [WpViewport.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(surface: surface?.id, requested: requested)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.viewport == nil else { throw HandOverError("a surface has two viewports") }
        let object = try ViewportResource(reader.client, id: id, version: version, of: surface)
        object.requested = state.requested
    }
}

extension ViewportState {
    struct SavedState: FixedSizeState {
        var viewport: Viewport?
    }

    var savedState: SavedState { SavedState(viewport: viewport) }
    init(_ saved: SavedState, for client: Client) { viewport = saved.viewport }
}

extension Viewport {
    /// Whether a client could have set it.
    var isSound: Bool {
        let isVisible = source.map { min($0.x.rawValue, $0.y.rawValue) >= 0 && !$0.rect.isEmpty } ?? true
        return isVisible && destination.map { min($0.width, $0.height) > 0 } ?? true && hasWholeSize
    }
}
