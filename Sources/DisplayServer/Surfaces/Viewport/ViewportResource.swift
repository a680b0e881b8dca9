// wp_viewporter and wp_viewport

import MullionWayland

/// wp_viewporter: creates viewports of surfaces.
final class ViewporterResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpViewporter.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getViewport(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard surface.viewport == nil else {
                throw ProtocolError(
                    object: self.id, code: WpViewporter.Error.viewportExists.rawValue,
                    message: "surface \(surfaceID) already has a viewport")
            }
            _ = try ViewportResource(client, id: id, version: version, of: surface)
        }
    }
}

/// wp_viewport: crops and scales a surface's content, from its next commit on (C4).
final class ViewportResource: SurfaceObject {
    var requested = Viewport()

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpViewport.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setSource(let x, let y, let width, let height):
            let surface = try existingSurface()
            requested.source = try source(x, y, width, height)
            surface.change.ownExtensions.viewport.viewport = requested
        case .setDestination(let width, let height):
            let surface = try existingSurface()
            requested.destination = try destination(width, height)
            surface.change.ownExtensions.viewport.viewport = requested
        }
    }

    override var mayGoLater: Bool { true }

    override func willDestroy() {
        surface?.change.ownExtensions.viewport.viewport = Viewport()
        super.willDestroy()
    }

    func error(_ code: WpViewport.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }

    private func existingSurface() throws(ProtocolError) -> SurfaceResource {
        guard let surface else {
            throw error(.noSurface, "the surface was destroyed; its viewport can only be destroyed")
        }
        return surface
    }

    private func source(
        _ x: Fixed, _ y: Fixed, _ width: Fixed, _ height: Fixed
    ) throws(ProtocolError) -> Viewport.Source? {
        let unset = Fixed(rawValue: -256)
        if x == unset, y == unset, width == unset, height == unset { return nil }
        guard x.rawValue >= 0, y.rawValue >= 0, width.rawValue > 0, height.rawValue > 0 else {
            throw error(
                .badValue,
                "the source (\(x.double), \(y.double), \(width.double), \(height.double)) is neither four times -1 "
                    + "nor a position of at least 0 with a size greater than 0")
        }
        return Viewport.Source(x: x, y: y, width: width, height: height)
    }

    private func destination(_ width: Int32, _ height: Int32) throws(ProtocolError) -> Viewport.Destination? {
        if width == -1, height == -1 { return nil }
        guard width > 0, height > 0 else {
            throw error(.badValue, "the destination \(width)x\(height) is neither -1x-1 nor greater than 0")
        }
        return Viewport.Destination(width: width, height: height)
    }
}
