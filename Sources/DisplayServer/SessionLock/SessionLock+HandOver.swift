// The lock and reserved input for a server that takes over, which stays locked.

import MullionWayland
import WindowModel

extension SessionLockManagerResource: RestorableGlobal {
    typealias Interface = ExtSessionLockManagerV1
}

extension InputInhibitManagerResource: RestorableGlobal {
    typealias Interface = ZwlrInputInhibitManagerV1
}

extension InputInhibitorResource: Restorable {
    // The model knows for whom input is reserved.
    typealias SavedState = NoState

    static var interfaces: [any WaylandInterface.Type] { [ZwlrInputInhibitorV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try InputInhibitorResource(reader.client, id: id, version: version)
    }
}

extension SessionLockResource: Restorable {
    struct SavedState: FixedSizeState {
        var isCurrent: Bool
        var isConfirmed: Bool
        var isFinished: Bool
        var takesOver: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtSessionLockV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            isCurrent: server.sessionLock.current === self, isConfirmed: isConfirmed, isFinished: isFinished,
            takesOver: takesOver)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try SessionLockResource(reader.client, id: id, version: version)
        object.isConfirmed = state.isConfirmed
        object.isFinished = state.isFinished
        object.takesOver = state.takesOver
        if state.isCurrent { reader.server.sessionLock.restore(object) }
    }
}

extension LockSurfaceResource: Restorable {
    struct SavedState: ObjectState {
        var surface: ObjectID?
        var lock: ObjectID?
        var window: Window.ID?
        var screen: Screen.ID?
        var sent: [Configure]
        var last: Configure?
        var acknowledged: Configure?
        var uncommitted: UInt32?

        var variableSize: Int { sent.count * 18 }
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtSessionLockSurfaceV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            surface: surface?.id, lock: lock?.id, window: window, screen: screen, sent: sent, last: last,
            acknowledged: acknowledged, uncommitted: uncommitted)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try LockSurfaceResource(reader.client, id: id, version: version)
        if let surface: SurfaceResource = try reader.resource(state.surface) {
            try surface.setRole(object, errorOn: id, code: 0)
            object.restore(surface)
        }
        object.sent = state.sent.suffix(64)
        object.last = state.last
        object.acknowledged = state.acknowledged
        object.uncommitted = state.uncommitted
        guard let window = state.window, let lock: SessionLockResource = try reader.resource(state.lock) else { return }
        try reader.checkWindow(window)
        object.attach(to: lock, window: window, on: state.screen)
    }
}
