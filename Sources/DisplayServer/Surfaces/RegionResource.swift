// wl_region

import Compositor
import Wayland

/// A region that the client builds up; whoever uses it copies it.
final class RegionResource: Resource {
    let region = Region()

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlRegion.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .add(let x, let y, let width, let height):
            region.add(IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
            try checkLimit()
        case .subtract(let x, let y, let width, let height):
            region.subtract(IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
            try checkLimit()
        }
    }

    private func checkLimit() throws(ProtocolError) {
        let limit = connection.transport.limits.regionRectangles
        guard region.rectangleCount <= limit else {
            throw ProtocolError(.noMemory, message: "limit reached: \(limit) rectangles in a region")
        }
    }
}
