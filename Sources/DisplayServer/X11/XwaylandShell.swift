// xwayland_shell_v1 and xwayland_surface_v1

import MullionWayland
import WindowModel

/// Lets an X server give its surfaces serials, by which its manager finds them.
final class XwaylandShellResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XwaylandShellV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getXwaylandSurface(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard surface.roleName == nil || surface.roleName == X11WindowResource.roleName else {
                throw ProtocolError(
                    object: self.id, code: XwaylandShellV1.Error.role.rawValue,
                    message: "\(Rule.w5): surface \(surfaceID) is or was \(surface.roleName?.rawValue ?? "")")
            }
            surface.roleName = X11WindowResource.roleName
            try XwaylandSurfaceResource(client, id: id, version: version).surface = surface
        }
    }
}

/// The serial of a surface. It is known at once, not at the next commit: the manager cannot know it earlier.
final class XwaylandSurfaceResource: Resource {
    weak var surface: SurfaceResource?
    private(set) var serial: UInt64?

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XwaylandSurfaceV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setSerial(let low, let high):
            let value = UInt64(high) << 32 | UInt64(low)
            guard serial == nil, client.x11Server?.didName(self, value) != false else {
                throw ProtocolError(
                    object: id, code: XwaylandSurfaceV1.Error.alreadyAssociated.rawValue,
                    message: "the surface has a serial already, or another one has \(value)")
            }
            serial = value
        }
    }

    override func willDestroy() {
        if let serial { client.x11Server?.forget(self, serial) }
    }

    /// Restores the state of another server.
    func restore(_ surface: SurfaceResource?, serial: UInt64?) {
        self.surface = surface
        self.serial = serial
        if let serial { _ = client.x11Server?.didName(self, serial) }
    }
}
