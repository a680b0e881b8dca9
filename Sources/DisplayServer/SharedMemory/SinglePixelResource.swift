// wp_single_pixel_buffer_manager_v1

import MullionWayland

/// wp_single_pixel_buffer_manager_v1: single-colour buffers without memory, scaled with viewports.
final class SinglePixelManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpSinglePixelBufferManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createU32RgbaBuffer(let id, let red, let green, let blue, let alpha):
            let argb = [alpha, red, green, blue].reduce(0) { $0 << 8 | $1 >> 24 }
            _ = try BufferResource(client, id: id, version: 1, argb: argb)
        }
    }
}
