// wp_commit_timing_manager_v1 and its objects of surfaces for a server that takes over.

import MullionWayland

extension CommitTimingManagerResource: RestorableGlobal {
    typealias Interface = WpCommitTimingManagerV1
}

extension CommitTimerResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once the surface is destroyed.
        var surface: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WpCommitTimerV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(surface: surface?.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.commitTimer == nil else { throw HandOverError("a surface has two commit timers") }
        _ = try CommitTimerResource(reader.client, id: id, version: version, of: surface)
    }
}
