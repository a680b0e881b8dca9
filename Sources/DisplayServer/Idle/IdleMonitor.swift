// How long users have been away.

import MullionWayland
import WindowModel

/// The notifications of clients that want to know when a seat is idle, on the server's clock: manual time counts too.
/// Every step of input is activity, injected or not, delivered or dropped. One timer serves all of them, and none runs
/// while nobody waits.
final class IdleMonitor {
    private unowned let server: DisplayServer
    private var notifications: [IdleNotificationResource] = [] {
        didSet { server.isIdlenessWatched = !notifications.isEmpty }
    }
    /// What keeps seats from being idle: zwp_idle_inhibitor_v1.
    private var inhibitors: [IdleInhibitorResource] = []
    /// By the seat's index: the model's count of input steps, and when it was last seen to change.
    private var seen: [(count: UInt64, time: UInt64)] = []
    /// Whether an inhibitor's surface is shown, and when that ended.
    private var isInhibited = false
    private var inhibitedUntil: UInt64 = 0
    private var timer: ClockTimer?

    init(_ server: DisplayServer) { self.server = server }

    private var now: UInt64 { server.clock.now }

    // MARK: Notifications

    func add(_ notification: IdleNotificationResource) throws(ProtocolError) {
        try notification.client.checkBindings(notifications.count { $0.connection === notification.connection })
        // Earlier input is not this notification's.
        update()
        notifications.append(notification)
        if notifications.count == 1 { start() }
        arm()
    }

    func remove(_ notification: IdleNotificationResource) {
        notifications.removeAll { $0 === notification }
        if notifications.isEmpty { timer?.cancel() }
    }

    /// What happened while nobody waited does not count.
    private func start() {
        seen = server.seats.map { (server.model.inputCount(of: $0.id), 0) }
        isInhibited = inhibitors.contains(where: \.isActive)
    }

    /// Called when a notification starts anew.
    func didRestart() { arm() }

    // MARK: Inhibitors

    func add(_ inhibitor: IdleInhibitorResource) throws(ProtocolError) {
        try inhibitor.client.checkBindings(inhibitors.count { $0.connection === inhibitor.connection })
        inhibitors.append(inhibitor)
    }

    func remove(_ inhibitor: IdleInhibitorResource) { inhibitors.removeAll { $0 === inhibitor } }

    // MARK: Time

    /// Called at the end of a turn.
    func update() {
        guard !notifications.isEmpty else { return }
        var needsArming = false
        for seat in server.seats where hadInput(seat) {
            for notification in notifications where notification.isIdle && notification.seat === seat {
                notification.resume()
                needsArming = true
            }
        }
        if isInhibited || !inhibitors.isEmpty {
            let wasInhibited = isInhibited
            isInhibited = inhibitors.contains(where: \.isActive)
            if wasInhibited, !isInhibited {
                inhibitedUntil = now
                needsArming = true
            }
        }
        if needsArming { arm() }
    }

    private func hadInput(_ seat: ServerSeat) -> Bool {
        let count = server.model.inputCount(of: seat.id)
        // Seats are only ever added.
        while seen.count <= seat.index { seen.append((0, 0)) }
        guard seen[seat.index].count != count else { return false }
        seen[seat.index] = (count, now)
        return true
    }

    /// When a notification is due; nil while it is idle already, or inhibited.
    private func deadline(_ notification: IdleNotificationResource) -> UInt64? {
        guard !notification.isIdle, !(isInhibited && notification.respectsInhibitors) else { return nil }
        return lastActivity(notification) + notification.timeout
    }

    /// Since when there is nothing that keeps a notification from being idle.
    func lastActivity(_ notification: IdleNotificationResource) -> UInt64 {
        let index = notification.seat.index
        let input = seen.indices.contains(index) ? seen[index].time : 0
        return max(notification.start, input, notification.respectsInhibitors ? inhibitedUntil : 0)
    }

    /// Input does not move the timer: when it fires too early, it is set again.
    private func arm() {
        guard let next = notifications.compactMap({ deadline($0) }).min() else {
            timer?.cancel()
            return
        }
        if timer == nil {
            timer = ClockTimer(server.clock, isActivity: false) { [unowned self] _, now in fire(now) }
        }
        timer?.arm(at: next)
    }

    private func fire(_ now: UInt64) {
        // Input or an inhibitor of this turn comes first.
        update()
        for notification in notifications {
            if let deadline = deadline(notification), deadline <= now { notification.idle() }
        }
        arm()
    }
}
