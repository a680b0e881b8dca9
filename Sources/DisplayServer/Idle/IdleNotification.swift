// ext_idle_notifier_v1 and org_kde_kwin_idle, and their notifications

import MullionWayland
import WindowModel

/// ext_idle_notifier_v1
final class IdleNotifierResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtIdleNotifierV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getIdleNotification(let id, let timeout, let seat): try notify(id, timeout, seat, inhibitable: true)
        case .getInputIdleNotification(let id, let timeout, let seat): try notify(id, timeout, seat, inhibitable: false)
        }
    }

    private func notify(
        _ id: ObjectID, _ timeout: UInt32, _ seat: ObjectID, inhibitable: Bool
    ) throws(ProtocolError) {
        let seat = try connection.resource(seat, as: SeatResource.self).seat
        _ = try IdleNotificationResource(
            client, id: id, version: version, seat: seat, .ext, milliseconds: timeout, respectsInhibitors: inhibitable)
    }
}

/// org_kde_kwin_idle, the older protocol.
final class KDEIdleResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(OrgKdeKwinIdle.Request.self, opcode, &reader) {
        case .getIdleTimeout(let id, let seat, let timeout):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            _ = try IdleNotificationResource(
                client, id: id, version: version, seat: seat, .kde, milliseconds: timeout, respectsInhibitors: true)
        }
    }
}

/// Notifies a client when a seat becomes idle, and when it no longer is.
final class IdleNotificationResource: SeatObject {
    enum Kind: String, Codable { case ext, kde }

    /// The shortest time for clients without the right `view`: with a shorter one they could tell when keys are
    /// pressed.
    private static let shortest: UInt64 = 1_000_000

    let kind: Kind
    /// In microseconds.
    let timeout: UInt64
    let respectsInhibitors: Bool
    /// When it was created, or the client simulated activity.
    var start: UInt64
    var isIdle = false

    convenience init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, _ kind: Kind, milliseconds: UInt32,
        respectsInhibitors: Bool
    ) throws(ProtocolError) {
        let timeout = UInt64(milliseconds) * 1000
        try self.init(
            client, id: id, version: version, seat: seat, kind,
            timeout: client.rights.contains(.view) ? timeout : max(timeout, Self.shortest),
            respectsInhibitors: respectsInhibitors, start: client.server.clock.now)
    }

    init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, _ kind: Kind, timeout: UInt64,
        respectsInhibitors: Bool, start: UInt64, isIdle: Bool = false
    ) throws(ProtocolError) {
        self.kind = kind
        self.timeout = timeout
        self.respectsInhibitors = respectsInhibitors
        self.start = start
        self.isIdle = isIdle
        try super.init(client, id: id, version: version, seat: seat)
        try server.idleMonitor.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch kind {
        case .ext:
            switch try decode(ExtIdleNotificationV1.Request.self, opcode, &reader) {
            case .destroy: destroy()
            }
        case .kde:
            switch try decode(OrgKdeKwinIdleTimeout.Request.self, opcode, &reader) {
            case .release: destroy()
            case .simulateUserActivity:
                start = server.clock.now
                if isIdle { resume() }
                server.idleMonitor.didRestart()
            }
        }
    }

    override func willDestroy() { server.idleMonitor.remove(self) }

    func idle() {
        isIdle = true
        switch kind {
        case .ext: send(ExtIdleNotificationV1.Event.idled)
        case .kde: send(OrgKdeKwinIdleTimeout.Event.idle)
        }
    }

    func resume() {
        isIdle = false
        switch kind {
        case .ext: send(ExtIdleNotificationV1.Event.resumed)
        case .kde: send(OrgKdeKwinIdleTimeout.Event.resumed)
        }
    }
}
