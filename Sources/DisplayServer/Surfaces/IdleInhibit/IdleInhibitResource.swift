// zwp_idle_inhibit_manager_v1 and zwp_idle_inhibitor_v1

import MullionWayland

/// zwp_idle_inhibit_manager_v1: lets video players keep screens on. Screens of this server never turn themselves off,
/// so there is nothing to inhibit.
final class IdleInhibitManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpIdleInhibitManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createInhibitor(let id, let surface):
            _ = try connection.resource(surface, as: SurfaceResource.self)
            _ = try IdleInhibitorResource(client, id: id, version: version)
        }
    }
}

/// zwp_idle_inhibitor_v1
final class IdleInhibitorResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpIdleInhibitorV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }
}
