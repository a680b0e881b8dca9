// Maps the model's surfaces to the clients' objects.

import WindowModel

/// Finds the wl_surface of a model surface in constant time.
struct SurfaceIndex {
    private var slots: [SurfaceResource?] = []

    subscript(id: Surface.ID) -> SurfaceResource? {
        let index = Int(id.index)
        guard index < slots.count, let surface = slots[index], surface.node == id else { return nil }
        return surface
    }

    var all: [SurfaceResource] { slots.compactMap { $0 } }

    mutating func insert(_ surface: SurfaceResource) {
        let index = Int(surface.node.index)
        while slots.count <= index { slots.append(nil) }
        slots[index] = surface
    }

    mutating func remove(_ surface: SurfaceResource) {
        slots[Int(surface.node.index)] = nil
    }
}
