// xdg_wm_base

import MullionWayland
import WindowModel

/// Gives surfaces of plain Wayland programs the roles of toplevels and pop-ups.
final class WmBaseResource: Resource {
    var surfaceCount = 0

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        try client.checkBindings(client.wmBases.count)
        client.wmBases.append(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgWmBase.Request.self, opcode, &reader) {
        case .destroy:
            guard surfaceCount == 0 else {
                throw error(.defunctSurfaces, "\(surfaceCount) xdg_surface objects still exist")
            }
            destroy()
        case .createPositioner(let id):
            _ = try PositionerResource(client, id: id, version: version)
        case .getXdgSurface(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard !surface.willHaveContents, surface.pending?.attaches != true else {
                throw error(.invalidSurfaceState, "surface \(surfaceID) already has a buffer")
            }
            let xdg = try XdgSurfaceResource(client, id: id, version: version)
            try xdg.start(surface: surface, base: self)
            surfaceCount += 1
        case .pong(let serial): server.settler.didAnswer(client, serial)
        }
    }

    override func willDestroy() {
        client.wmBases.removeAll { $0 === self }
    }

    func didDestroySurface() { surfaceCount -= 1 }

    func error(_ code: XdgWmBase.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
