// wl_region

import Compositor
import Wayland

/// A region that the client builds up; whoever uses it copies it.
final class RegionResource: Resource {
    let region = Region()

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        let limit = connection.transport.limits.regions
        client.regionCount += 1
        guard client.regionCount <= limit else {
            throw ProtocolError(.noMemory, message: "limit reached: \(limit) regions")
        }
    }

    override func willDestroy() { client.regionCount -= 1 }

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
