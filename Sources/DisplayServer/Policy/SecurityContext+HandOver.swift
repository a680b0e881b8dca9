// Sandboxes' sockets for a server that takes over.

import MullionWayland

extension SecurityContextManagerResource: RestorableGlobal {
    typealias Interface = WpSecurityContextManagerV1
}

extension SecurityContextResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [WpSecurityContextV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> NoState {
        guard sockets == nil else { throw HandOverError("a wp_security_context_v1 is not committed yet") }
        return NoState()
    }

    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try SecurityContextResource(reader.client, id: id, version: version)
    }
}
