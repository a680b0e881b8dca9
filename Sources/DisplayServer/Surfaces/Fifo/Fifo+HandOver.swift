// wp_fifo_manager_v1 and its objects of surfaces for a server that takes over.

import MullionWayland

extension FifoManagerResource: RestorableGlobal {
    typealias Interface = WpFifoManagerV1
}

extension FifoResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once the surface is destroyed.
        var surface: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WpFifoV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(surface: surface?.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.fifo == nil else { throw HandOverError("a surface has two wp_fifo_v1 objects") }
        _ = try FifoResource(reader.client, id: id, version: version, of: surface)
    }
}

extension CommitConstraints {
    struct SavedState: FixedSizeState {
        var setsBarrier = false
        var waitsForBarrier = false
        var time: UInt64?
    }

    var savedState: SavedState {
        SavedState(setsBarrier: setsBarrier, waitsForBarrier: waitsForBarrier, time: time)
    }

    init(_ saved: SavedState, for client: Client) {
        self.init(setsBarrier: saved.setsBarrier, waitsForBarrier: saved.waitsForBarrier, time: saved.time)
    }
}
