// zwp_idle_inhibit_manager_v1 and zwp_idle_inhibitor_v1 for a server that takes over.

import MullionWayland

extension IdleInhibitManagerResource: RestorableGlobal {
    typealias Interface = ZwpIdleInhibitManagerV1
}

extension IdleInhibitorResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [ZwpIdleInhibitorV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try IdleInhibitorResource(reader.client, id: id, version: version)
    }
}
