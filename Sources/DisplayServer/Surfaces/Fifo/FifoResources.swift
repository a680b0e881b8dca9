// wp_fifo_manager_v1 and wp_fifo_v1

import MullionWayland

/// wp_fifo_manager_v1: creates the objects of surfaces.
final class FifoManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpFifoManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getFifo(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard surface.fifo == nil else {
                throw ProtocolError(
                    object: self.id, code: WpFifoManagerV1.Error.alreadyExists.rawValue,
                    message: "surface \(surfaceID) already has a wp_fifo_v1 object")
            }
            _ = try FifoResource(client, id: id, version: version, of: surface)
        }
    }
}

/// wp_fifo_v1: lets a surface's commits wait until a frame has shown an earlier one (`CommitConstraints`).
final class FifoResource: SurfaceObject {
    override init(_ client: Client, id: ObjectID, version: UInt32, of surface: SurfaceResource?) throws(ProtocolError) {
        try super.init(client, id: id, version: version, of: surface)
        client.queuesCommits = true
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpFifoV1.Request.self, opcode, &reader) {
        case .setBarrier: try change().ownExtensions.constraints.setsBarrier = true
        case .waitBarrier: try change().ownExtensions.constraints.waitsForBarrier = true
        case .destroy: destroy()
        }
    }

    private func change() throws(ProtocolError) -> SurfaceState {
        if let surface { return surface.change }
        throw ProtocolError(
            object: id, code: WpFifoV1.Error.surfaceDestroyed.rawValue,
            message: "the surface was destroyed; its wp_fifo_v1 object can only be destroyed")
    }
}

extension SurfaceResource {
    var fifo: FifoResource? { object() }
}
