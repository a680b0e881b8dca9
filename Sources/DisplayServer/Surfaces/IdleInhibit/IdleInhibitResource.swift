// zwp_idle_inhibit_manager_v1 and zwp_idle_inhibitor_v1

import MullionWayland

/// zwp_idle_inhibit_manager_v1: lets video players keep seats from being idle. Screens of this server never turn
/// themselves off.
final class IdleInhibitManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpIdleInhibitManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createInhibitor(let id, let surface):
            let surface = try connection.resource(surface, as: SurfaceResource.self)
            _ = try IdleInhibitorResource(client, id: id, version: version, of: surface)
        }
    }
}

/// zwp_idle_inhibitor_v1: while its surface is shown, no seat becomes idle.
final class IdleInhibitorResource: Resource {
    private(set) weak var surface: SurfaceResource?

    init(_ client: Client, id: ObjectID, version: UInt32, of surface: SurfaceResource?) throws(ProtocolError) {
        self.surface = surface
        try super.init(client, id: id, version: version)
        try server.idleMonitor.add(self)
    }

    /// Whether its surface is shown, covered or not.
    var isActive: Bool {
        guard let surface, surface.isAlive, surface.shownScreen != nil else { return false }
        // L1: while locked, only the lock's.
        if server.model.isLocked, surface.window.map(server.model.isShown) != true { return false }
        // C2: the window of a surface without content can be visible.
        return surface.hasContents || surface.role is WindowResource
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpIdleInhibitorV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    override func willDestroy() { server.idleMonitor.remove(self) }
}
