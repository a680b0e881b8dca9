// Globals and regions of wl_compositor for a server that takes over.

import Compositor
import MullionWayland

extension CompositorResource: RestorableGlobal {
    typealias Interface = WlCompositor
}

extension SubcompositorResource: RestorableGlobal {
    typealias Interface = WlSubcompositor
}

extension RegionResource: Restorable {
    struct SavedState: ObjectState {
        var rectangles: [IntRect]

        var variableSize: Int { rectangles.encodedSize }
    }

    static var interfaces: [any WaylandInterface.Type] { [WlRegion.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(rectangles: region.rectangles) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try RegionResource(reader.client, id: id, version: version)
        try object.restore(state.rectangles)
    }
}

extension [IntRect] {
    /// About how many bytes the rectangles take in a saved state.
    var encodedSize: Int { count * 60 }
}

extension Region {
    convenience init(of rectangles: [IntRect]) {
        self.init()
        for rectangle in rectangles { add(rectangle) }
    }
}
