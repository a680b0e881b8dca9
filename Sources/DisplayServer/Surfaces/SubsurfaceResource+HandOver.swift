// Sub-surfaces for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

extension SubsurfaceResource: Restorable {
    struct SavedState: FixedSizeState {
        var surface: ObjectID?
        var parent: ObjectID?
        var isSynchronized: Bool
        var position: Point
    }

    static var interfaces: [any WaylandInterface.Type] { [WlSubsurface.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(surface: surface?.id, parent: parent?.id, isSynchronized: isSynchronized, position: position)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try SubsurfaceResource(reader.client, id: id, version: version)
        object.isSynchronized = state.isSynchronized
        guard let x = Int32(exactly: state.position.x), let y = Int32(exactly: state.position.y) else {
            throw HandOverError("sub-surface \(id) is not at a whole point")
        }
        object.offset = (x, y)
        if let surface: SurfaceResource = try reader.resource(state.surface) {
            try surface.setRole(object, errorOn: id, code: 0)
            object.surface = surface
        }
        guard let parent: SurfaceResource = try reader.resource(state.parent) else { return }
        // The ancestors must not contain the surface itself.
        var (ancestor, depth): (SurfaceResource?, Int) = (parent, 0)
        while let current = ancestor, depth <= reader.server.limits.surfaceDepth {
            guard current !== object.surface else { throw HandOverError("surface \(parent.id) contains itself") }
            (ancestor, depth) = (current.subsurface?.parent, depth + 1)
        }
        object.parent = parent
        parent.adopt(object)
    }
}
