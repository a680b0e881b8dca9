// All waits for conditions.

import DisplayServer
import EventLoop
import System
import WindowModel

/// Notifies the open waits of changes. Nothing is observed while none is open.
///
/// Each turn checks only what has changed, for half of the turn's time: nobody's patterns hold up other clients.
final class ConditionWaits {
    /// The most waits at once, of all users and of one.
    static let (maximum, maximumOfUser) = (128, 64)

    let server: DisplayServer
    let worker: Worker
    /// Called when the first wait begins, and after the last one has ended.
    var isOpenDidChange: (() -> Void)?
    private var waits: [ConditionWait] = []
    private var changes = ConditionChanges()
    private var isLooking = false
    /// When the current look ends, in nanoseconds.
    private var lookEnd: UInt64 = 0
    /// Continues in the next turn.
    private var timer: Timer?

    init(_ server: DisplayServer, worker: Worker, isOpenDidChange: @escaping () -> Void) {
        self.server = server
        self.worker = worker
        self.isOpenDidChange = isOpenDidChange
        timer = Timer(server.loop) { _, _ in }
    }

    var isOpen: Bool { !waits.isEmpty }

    /// The number of waits of one user, or of the holders of the token (nil).
    func count(of user: UInt32?) -> Int { waits.count { $0.user == user } }

    /// - Throws: 503 when there are too many.
    func checkCount(of user: UInt32?) throws(Problem) {
        guard waits.count < Self.maximum, count(of: user) < Self.maximumOfUser else {
            throw Problem(
                503,
                "limit reached: \(Self.maximumOfUser) waits of a user, and \(Self.maximum) in all; end one")
        }
    }

    func add(_ wait: ConditionWait) {
        waits.append(wait)
        if waits.count == 1 { isOpenDidChange?() }
        lookAgain()
    }

    func remove(_ wait: ConditionWait) {
        guard let index = waits.firstIndex(where: { $0 === wait }) else { return }
        waits.remove(at: index)
        guard waits.isEmpty else { return }
        changes = ConditionChanges()
        isOpenDidChange?()
    }

    /// Ends all waits, because the server exits.
    func end() {
        for wait in waits { wait.cancel(.exiting) }
    }

    /// Called with every effect of the model while a wait is open.
    func note(_ effect: Effect) { changes.note(effect, in: server.model) }

    /// Makes another turn of the loop, at whose end the waits are looked at.
    func lookAgain() { timer?.arm(at: server.loop.now) }

    /// Called when the server has delivered all effects.
    func serverDidFlush() {
        // Beginning to draw ends in here again.
        guard !waits.isEmpty, !isLooking else { return }
        isLooking = true
        defer { isLooking = false }
        if !changes.isEmpty {
            for wait in waits { wait.note(changes) }
            changes = ConditionChanges()
        }
        lookEnd = MonotonicClock.nanoseconds + server.turnTime * 500
        for (index, wait) in waits.enumerated() where !wait.look(until: isTimeOver) {
            // In the next turn, the others come first.
            if waits.indices.contains(index), waits[index] === wait { waits = Array(waits[index...] + waits[..<index]) }
            lookAgain()
            break
        }
    }

    private func isTimeOver() -> Bool { MonotonicClock.nanoseconds >= lookEnd }
}
