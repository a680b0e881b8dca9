// wl_region

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// A region that the client builds up; requests that use it take a copy.
final class RegionResource: Resource {
    let region = Region()
    private var charge: MemoryCharge
    /// The last copy, if it is still in use and the region has not changed.
    private weak var kept: KeptRegion?

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings)
        try super.init(client, id: id, version: version)
        let limit = connection.transport.limits.regions
        client.regionCount += 1
        guard client.regionCount <= limit else {
            throw ProtocolError(.noMemory, message: "limit reached: \(limit) regions")
        }
    }

    override var mayGoLater: Bool { true }

    override func willDestroy() { client.regionCount -= 1 }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlRegion.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .add(let x, let y, let width, let height):
            region.add(IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
            try didChange()
        case .subtract(let x, let y, let width, let height):
            region.subtract(IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
            try didChange()
        }
    }

    /// Adds the rectangles restored from another server.
    func restore(_ rectangles: [IntRect]) throws(ProtocolError) {
        for rectangle in rectangles { region.add(rectangle) }
        try didChange()
    }

    private func didChange() throws(ProtocolError) {
        kept = nil
        charge.bytes = region.rectangleCount * MemoryCost.rectangle
        let limit = connection.transport.limits.regionRectangles
        guard region.rectangleCount <= limit else {
            throw ProtocolError(.noMemory, message: "limit reached: \(limit) rectangles in a region")
        }
    }

    /// A copy of the current region.
    /// - Throws: `no_memory` when the client has no room for it.
    func keep() throws(ProtocolError) -> KeptRegion {
        if let kept { return kept }
        try client.checkRoom(for: region.rectangleCount * MemoryCost.keptRectangle)
        let new = KeptRegion(region.copy(), for: client)
        kept = new
        return new
    }
}

/// An immutable copy of a region, shared by all surfaces that were given the same one.
final class KeptRegion {
    /// Must not be modified.
    let region: Region
    private let charge: MemoryCharge

    init(_ region: Region, for client: Client) {
        self.region = region
        charge = MemoryCharge(to: client.holdings, bytes: region.rectangleCount * MemoryCost.keptRectangle)
    }

    /// The rectangles in the window model's types.
    private(set) lazy var rectangles = region.rectangles.map {
        Rect(x: Double($0.minX), y: Double($0.minY), width: Double($0.width), height: Double($0.height))
    }
}
