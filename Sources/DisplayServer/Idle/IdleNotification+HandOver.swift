// Idle notifications for a server that takes over.

import MullionWayland
import WindowModel

extension IdleNotifierResource: RestorableGlobal {
    typealias Interface = ExtIdleNotifierV1
}

extension KDEIdleResource: RestorableGlobal {
    typealias Interface = OrgKdeKwinIdle
}

extension IdleNotificationResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var kind: Kind
        var timeout: UInt64
        var respectsInhibitors: Bool
        /// The last activity of any kind, in microseconds of the server's clock.
        var start: UInt64
        var isIdle: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtIdleNotificationV1.self, OrgKdeKwinIdleTimeout.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            seat: seat.id, kind: kind, timeout: timeout, respectsInhibitors: respectsInhibitors,
            start: server.idleMonitor.lastActivity(self), isIdle: isIdle)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        guard state.timeout <= UInt64(UInt32.max) * 1000, state.start <= reader.server.clock.now else {
            throw HandOverError("an idle notification has impossible times")
        }
        _ = try IdleNotificationResource(
            reader.client, id: id, version: version, seat: reader.seat(state.seat), state.kind,
            timeout: state.timeout, respectsInhibitors: state.respectsInhibitors, start: state.start,
            isIdle: state.isIdle)
    }
}
