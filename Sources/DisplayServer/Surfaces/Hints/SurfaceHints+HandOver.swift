// Hints about surfaces for a server that takes over.

import MullionWayland

extension ContentTypeManagerResource: RestorableGlobal {
    typealias Interface = WpContentTypeManagerV1
}

extension TearingControlManagerResource: RestorableGlobal {
    typealias Interface = WpTearingControlManagerV1
}

extension SurfaceHintResource: Restorable {
    struct SavedState: FixedSizeState {
        var kind: Kind
        /// Nil once the surface is destroyed.
        var surface: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WpContentTypeV1.self, WpTearingControlV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(kind: kind, surface: surface?.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.hasHint(state.kind) != true else {
            throw HandOverError("a surface has two \(state.kind.rawValue) objects")
        }
        _ = try SurfaceHintResource(reader.client, id: id, version: version, state.kind, of: surface)
    }
}
