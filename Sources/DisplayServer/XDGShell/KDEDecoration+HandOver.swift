// org_kde_kwin_server_decoration_manager for a server that takes over.

import MullionWayland

extension KDEDecorationManagerResource: RestorableGlobal {
    typealias Interface = OrgKdeKwinServerDecorationManager
}

extension KDEDecorationResource: Restorable {
    struct SavedState: FixedSizeState {
        var surface: ObjectID?
        var requested: Mode?
    }

    static var interfaces: [any WaylandInterface.Type] { [OrgKdeKwinServerDecoration.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(surface: surface?.id, requested: requested) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.kdeDecoration == nil else { throw HandOverError("a surface has two decorations") }
        try KDEDecorationResource(reader.client, id: id, version: version, of: surface).requested = state.requested
    }
}
