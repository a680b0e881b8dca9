// A wl_surface for a server that takes over.

import Compositor
import Geometry
import Wayland
import WindowModel

extension SurfaceResource: HandedOver {
    struct Record: Codable {
        var node: Surface.ID
        var roleName: String?
        var layout: BufferLayout
        var contents: BufferReference?
        var opaque: [IntRect]?
        var input: [IntRect]?
        var frameCallbacks: [ObjectID]
        var enteredScreen: Screen.ID?
        var pending: SurfaceState.Record?
        var cached: SurfaceState.Record?
        /// The sub-surfaces that wait for the surface's commit.
        var waiting: [ObjectID]
        /// Of a cursor.
        var hotspot: Point?
        var cursorSeat: Seat.ID?

        /// The surface alone: what it has to do with others comes with them, and with `link`.
        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            guard reader.server.model.surface(node) != nil, reader.server.surfaces[node] == nil else {
                throw HandOver.Refusal("surface \(id) is not in the model, or twice")
            }
            guard layout.isSound else { throw HandOver.Refusal("surface \(id) has no such buffer scale or viewport") }
            let surface = try SurfaceResource(reader.client, id: id, version: version, node: node)
            surface.roleName = roleName
            surface.layout = layout
            surface.opaqueRegion = opaque.map { KeptRegion(Region(of: $0), for: reader.client) }
            surface.inputRegion = input.map { KeptRegion(Region(of: $0), for: reader.client) }
            if let buffer = try contents?.buffer(reader) {
                surface.contents = AttachedBuffer(buffer, layout: layout, opaqueRegion: surface.opaqueRegion)
            }
            guard surface.contents?.size == reader.server.model.surface(node)?.size else {
                throw HandOver.Refusal("surface \(id) has another size than in the model")
            }
            for callback in frameCallbacks { try reader.client.reserveCallback(callback) }
            surface.frameCallbacks = frameCallbacks
            surface.enteredScreen = enteredScreen
            if let hotspot, let seat = cursorSeat {
                let role = CursorRole(surface, try reader.seat(seat).pointer.cursor)
                try surface.setRole(role, errorOn: id, code: 0)
                role.hotspot = hotspot
            }
        }

        /// Once all objects of the client are there.
        func link(_ id: ObjectID, _ reader: HandOverReader) throws {
            let surface: SurfaceResource = try reader.resource(id)
            surface.pending = try pending?.make(reader)
            surface.cached = try cached?.make(reader)
            for child in waiting {
                let child: SubsurfaceResource = try reader.resource(child)
                guard child.parent === surface, child.waitingPlace == nil else {
                    throw HandOver.Refusal("sub-surface \(child.id) waits for another surface")
                }
                surface.waitingChildren.append(child)
            }
            reader.server.scheduleFrame(for: surface)
        }
    }

    func record(in writer: HandOverWriter) throws(HandOver.Refusal) -> ObjectRecord.State {
        let cursor = role as? CursorRole
        var record = Record(
            node: node, roleName: roleName, layout: layout, opaque: opaqueRegion?.region.rectangles,
            input: inputRegion?.region.rectangles, frameCallbacks: frameCallbacks, enteredScreen: enteredScreen,
            waiting: waitingChildren.all.map(\.id), hotspot: cursor?.hotspot, cursorSeat: cursor?.cursor.pointer.seat.id
        )
        if let contents { record.contents = try BufferReference(contents.buffer, writer) }
        record.pending = try pending.map { (state) throws(HandOver.Refusal) in try SurfaceState.Record(state, writer) }
        record.cached = try cached.map { (state) throws(HandOver.Refusal) in try SurfaceState.Record(state, writer) }
        return .surface(record)
    }
}

/// A buffer that a surface shows or will show: its client may have destroyed the object.
enum BufferReference: Codable {
    case object(ObjectID)
    case gone(BufferResource.Record)

    init(_ buffer: BufferResource, _ writer: HandOverWriter) throws(HandOver.Refusal) {
        self = buffer.isAlive ? .object(buffer.id) : .gone(try buffer.record(writer))
    }

    func buffer(_ reader: HandOverReader) throws -> BufferResource {
        switch self {
        case .object(let id): return try reader.resource(id)
        case .gone(let record):
            let buffer = try record.make(reader.client.passingID, reader)
            buffer.destroy()
            return buffer
        }
    }
}

extension BufferLayout {
    fileprivate var isSound: Bool { scale >= 1 && viewport.isSound }
}

extension Viewport {
    var isSound: Bool {
        let isVisible = source.map { min($0.x.rawValue, $0.y.rawValue) >= 0 && !$0.rect.isEmpty } ?? true
        return isVisible && destination.map { min($0.width, $0.height) > 0 } ?? true && hasWholeSize
    }
}

extension Region {
    convenience init(of rectangles: [IntRect]) {
        self.init()
        for rectangle in rectangles { add(rectangle) }
    }
}

extension RegionResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .region(region.rectangles) }
}
