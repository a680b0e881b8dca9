// A wl_surface for a server that takes over.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

extension SurfaceResource: Restorable {
    struct SavedState: ObjectState {
        var node: Surface.ID
        var roleName: RoleName?
        var layout: BufferLayout
        var contents: BufferReference?
        var opaque: [IntRect]?
        var input: [IntRect]?
        var frameCallbacks: [ObjectID]
        var enteredScreen: Screen.ID?
        var preferred: PreferredBuffer?
        var pending: SurfaceState.SavedState?
        var cached: SurfaceState.SavedState?
        /// The sub-surfaces waiting for the surface's commit.
        var waiting: [ObjectID]
        /// Set for a cursor.
        var hotspot: Point?
        var cursorSeat: Seat.ID?

        var variableSize: Int {
            // The model has the input region as well.
            let regions = (opaque?.encodedSize ?? 0) + 3 * (input?.encodedSize ?? 0)
            let states = (pending?.size ?? 0) + (cached?.size ?? 0)
            return regions + states + (frameCallbacks.count + waiting.count) * 8
        }
    }

    static var interfaces: [any WaylandInterface.Type] { [WlSurface.self] }
    static var restorationPhase: RestorationPhase { .surfaces }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        let cursor = role as? CursorRole
        var saved = SavedState(
            node: node, roleName: roleName, layout: layout, opaque: opaqueRegion?.region.rectangles,
            input: inputRegion?.region.rectangles, frameCallbacks: frameCallbacks.all, enteredScreen: enteredScreen,
            preferred: preferred,
            waiting: family?.waiting.all.map(\.id) ?? [], hotspot: cursor?.hotspot,
            cursorSeat: cursor?.cursor.pointer.seat.id
        )
        if let contents { saved.contents = try BufferReference(contents.buffer, writer) }
        if let pending { saved.pending = try SurfaceState.SavedState(pending, writer) }
        if let cached { saved.cached = try SurfaceState.SavedState(cached, writer) }
        return saved
    }

    /// Creates only the surface; its role and extensions are restored with their own objects, the rest by
    /// `finishRestoring`.
    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let (node, layout) = (state.node, state.layout)
        guard reader.server.model.surface(node) != nil, reader.server.surfaces[node] == nil else {
            throw HandOverError("surface \(id) is not in the model, or has two objects")
        }
        guard layout.isSound else { throw HandOverError("surface \(id) has an invalid buffer scale or viewport") }
        let surface = try SurfaceResource(reader.client, id: id, version: version, node: node)
        surface.roleName = state.roleName
        surface.layout = layout
        surface.hadFrame = true
        surface.opaqueRegion = state.opaque.map { KeptRegion(Region(of: $0), for: reader.client) }
        surface.inputRegion = state.input.map { KeptRegion(Region(of: $0), for: reader.client) }
        if let buffer = try state.contents?.buffer(reader) {
            surface.contents = AttachedBuffer(buffer, layout: layout, opaqueRegion: surface.opaqueRegion)
        }
        guard surface.contents?.size == reader.server.model.surface(node)?.size else {
            throw HandOverError("surface \(id) does not have its size in the model")
        }
        for callback in state.frameCallbacks { try reader.client.reserveCallback(callback) }
        surface.frameCallbacks = FrameCallbacks(state.frameCallbacks)
        surface.enteredScreen = state.enteredScreen
        surface.preferred = state.preferred
        if let hotspot = state.hotspot, let seat = state.cursorSeat {
            let role = CursorRole(surface, try reader.seat(seat).pointer.cursor)
            try surface.setRole(role, errorOn: id, code: 0)
            role.hotspot = hotspot
        }
    }

    func finishRestoring(_ state: SavedState, _ reader: HandOverReader) throws {
        pending = try state.pending?.state(reader)
        cached = try state.cached?.state(reader)
        for child in state.waiting {
            let child: SubsurfaceResource = try reader.resource(child)
            guard child.parent === self, child.waitingPlace == nil else {
                throw HandOverError("sub-surface \(child.id) waits for another surface")
            }
            family?.waiting.append(child)
        }
        server.scheduleFrame(for: self)
    }
}

/// A buffer that a surface shows or will show; its client may have destroyed the object.
enum BufferReference: Codable {
    case object(ObjectID)
    case gone(BufferResource.SavedState)

    init(_ buffer: BufferResource, _ writer: HandOverWriter) throws(HandOverError) {
        self = buffer.isAlive ? .object(buffer.id) : .gone(try buffer.savedState(writer))
    }

    func buffer(_ reader: HandOverReader) throws -> BufferResource {
        switch self {
        case .object(let id): return try reader.resource(id)
        case .gone(let state):
            let buffer = try state.buffer(reader.client.passingID, reader)
            buffer.destroy()
            return buffer
        }
    }
}

extension BufferLayout {
    fileprivate var isSound: Bool { scale >= 1 && viewport.isSound }
}
