// zwp_idle_inhibit_manager_v1 and zwp_idle_inhibitor_v1 for a server that takes over.

import MullionWayland

extension IdleInhibitManagerResource: RestorableGlobal {
    typealias Interface = ZwpIdleInhibitManagerV1
}

extension IdleInhibitorResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once the surface is destroyed.
        var surface: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpIdleInhibitorV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(surface: surface.flatMap { $0.isAlive ? $0.id : nil })
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try IdleInhibitorResource(reader.client, id: id, version: version, of: reader.resource(state.surface))
    }
}
