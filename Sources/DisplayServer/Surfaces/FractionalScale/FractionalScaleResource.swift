// wp_fractional_scale_manager_v1 and wp_fractional_scale_v1

import MullionWayland
import WindowModel

/// wp_fractional_scale_manager_v1: provides the fractional scales of surfaces.
final class FractionalScaleManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpFractionalScaleManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getFractionalScale(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard surface.fractionalScale == nil else {
                throw ProtocolError(
                    object: self.id, code: WpFractionalScaleManagerV1.Error.fractionalScaleExists.rawValue,
                    message: "surface \(surfaceID) already has a fractional scale object")
            }
            try FractionalScaleResource(client, id: id, version: version, of: surface).update()
        }
    }
}

/// wp_fractional_scale_v1: sends the scale of the screen that a surface is on.
final class FractionalScaleResource: SurfaceObject {
    /// The scale last sent, in 120ths; 0 before.
    var sent: UInt32 = 0

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpFractionalScaleV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    /// Sends the scale if it has changed.
    func update() {
        guard let surface, let screen = surface.preferringScreen(isFirst: sent == 0) else { return }
        let scale = UInt32(max(1, (screen.scale * 120).rounded()))
        guard scale != sent else { return }
        sent = scale
        send(WpFractionalScaleV1.Event.preferredScale(scale: scale))
    }
}

extension SurfaceResource {
    var fractionalScale: FractionalScaleResource? { object() }
}
