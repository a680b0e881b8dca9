// wp_fifo_manager_v1 and its objects of surfaces for a server that takes over.

import MullionWayland

extension FifoManagerResource: RestorableGlobal {
    typealias Interface = WpFifoManagerV1
}

extension FifoResource: RestorableSurfaceObject {
    typealias Interface = WpFifoV1
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
