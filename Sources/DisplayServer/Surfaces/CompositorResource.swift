// wl_compositor and wl_subcompositor

import MullionWayland
import WindowModel

/// wl_compositor: creates surfaces and regions.
final class CompositorResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlCompositor.Request.self, opcode, &reader) {
        case .createSurface(let id):
            let limit = connection.transport.limits.surfaces
            guard client.surfaceCount < limit else {
                throw ProtocolError(.noMemory, object: self.id, message: "limit reached: \(limit) surfaces")
            }
            _ = try SurfaceResource(client, id: id, version: version)
        case .createRegion(let id):
            _ = try RegionResource(client, id: id, version: version)
        }
    }
}

/// wl_subcompositor: makes a surface a sub-surface of another (C1).
final class SubcompositorResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlSubcompositor.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getSubsurface(let id, let surfaceID, let parentID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            let parent = try connection.resource(parentID, as: SurfaceResource.self)
            var ancestor: SurfaceResource? = parent
            var depth = 1
            while let current = ancestor {
                guard current !== surface else {
                    throw error("\(Rule.c1): a surface cannot be its own sub-surface, directly or through others")
                }
                depth += 1
                ancestor = current.subsurface?.parent
            }
            let limit = connection.transport.limits.surfaceDepth
            guard depth - 1 + surface.height <= limit else {
                throw error("limit reached: sub-surfaces nest at most \(limit) deep")
            }
            let subsurface = try SubsurfaceResource(client, id: id, version: version)
            try subsurface.start(surface: surface, parent: parent, errorOn: self.id)
        }
    }

    private func error(_ message: String) -> ProtocolError {
        ProtocolError(object: id, code: WlSubcompositor.Error.badSurface.rawValue, message: message)
    }
}
