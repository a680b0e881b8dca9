// wp_pointer_warp_v1

import MullionGeometry
import MullionWayland

/// Lets clients move the pointer within the surface that is under it.
final class PointerWarpResource: Resource, RestorableGlobal {
    typealias Interface = WpPointerWarpV1

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpPointerWarpV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .warpPointer(let surfaceID, let pointer, let x, let y, let serial):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            let pointer = try connection.resource(pointer, as: PointerResource.self)
            let area = surface.shownArea
            let point = Point(x: x.double, y: y.double)
            // Not an error: the surface may have become smaller since the program decided.
            guard !area.isEmpty, point.x >= 0, point.x <= area.maxX, point.y >= 0, point.y <= area.maxY else { return }
            pointer.warp(to: area.contains(point) ? point : point.clamped(to: area), on: surface, serial)
        }
    }
}
