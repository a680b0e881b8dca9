// All waits for conditions.

import ControlProtocol
import DisplayServer
import EventLoop
import MullionSystem
import WindowModel

/// Notifies the open waits of changes. Nothing is observed while none is open.
///
/// Each turn checks only what has changed, for half of the turn's time, so that slow patterns do not delay other clients.
/// The next turn continues with the next wait, so that they do not delay other waits either.
final class ConditionWaits {
    /// Changes are dropped when this many are kept, as soon as all waits know them.
    private static let mostChanges = 256

    let server: DisplayServer
    let worker: Worker
    /// The waits at once.
    let limit: SharedLimit
    /// Called when the first wait begins, and after the last one has ended.
    var isOpenDidChange: (() -> Void)?
    /// The monotonic clock, in nanoseconds. Tests replace it.
    var time: () -> UInt64 = { MonotonicClock.nanoseconds }
    /// The processor time of the loop's thread, in nanoseconds. Tests replace it.
    var work: () -> UInt64 = { ThreadClock.nanoseconds }
    private(set) var changes = ConditionChanges()
    private var waits: [ConditionWait] = []
    /// What pictures of screens have shown; shared by the open waits.
    private var begunHashes: ScreenHashes?
    private var isLooking = false
    /// When the current look ends, in nanoseconds.
    private var lookEnd: UInt64 = 0
    /// Begins the next look. Until then there is none if time ran out: there are several flushes in a turn.
    private var timer: Timer?
    private var hasUsedTurn = false

    init(_ server: DisplayServer, worker: Worker, _ limit: SharedLimit, isOpenDidChange: @escaping () -> Void) {
        self.server = server
        self.worker = worker
        self.limit = limit
        self.isOpenDidChange = isOpenDidChange
        timer = Timer(server.loop) { [unowned self] _, _ in hasUsedTurn = false }
    }

    var hashes: ScreenHashes {
        if let begunHashes { return begunHashes }
        let hashes = ScreenHashes(server, worker: worker) { [weak self] in self?.hashesDidChange() }
        begunHashes = hashes
        return hashes
    }

    var isOpen: Bool { !waits.isEmpty }

    /// The number of waits of one user, or of the holders of the token (nil).
    func count(of user: UInt32?) -> Int { waits.count { $0.user == user } }

    /// - Throws: 503 when there are too many.
    func checkCount(of user: UInt32?) throws(Problem) {
        try limit.check("waits", for: user, own: count(of: user), all: waits.count, "end one")
    }

    private func hashesDidChange() {
        for wait in waits { wait.hashesDidChange() }
        lookAgain()
    }

    func add(_ wait: ConditionWait) {
        waits.append(wait)
        guard waits.count == 1 else { return lookAgain() }
        server.countsPictures = true
        isOpenDidChange?()
        lookAgain()
    }

    func remove(_ wait: ConditionWait) {
        guard let index = waits.firstIndex(where: { $0 === wait }) else { return }
        waits.remove(at: index)
        guard waits.isEmpty else { return }
        changes = ConditionChanges()
        // Pictures are not counted from now on, so that it would not be known whether they have changed.
        begunHashes = nil
        server.countsPictures = false
        isOpenDidChange?()
    }

    /// Ends all waits, because the server exits.
    func end() {
        for wait in waits { wait.cancel(.exiting) }
    }

    /// The open waits, and why they go on. All reasons together get half a turn's length of processor time, so that
    /// none is left out because other programs ran meanwhile.
    /// - Parameter disclosure: decides whether the reader sees expected and actual pixel colours.
    func list(for disclosure: Disclosure) -> [API.OpenWait] {
        let end = work() + server.turnTime * 500
        let now = server.loop.now
        return waits.sorted { $0.begunAt < $1.begunAt }.map { wait in
            let isDisclosed = disclosure.includesPixels || !wait.needsPictures
            let isIncluded = isDisclosed && work() < end
            return API.OpenWait(
                condition: isDisclosed ? wait.text : wait.kinds, waited: Double(now - wait.begunAt) / 1000,
                unmet: isIncluded ? wait.unmet { work() >= end } : nil)
        }
    }

    /// Called with every effect of the model while a wait is open.
    func note(_ effect: Effect) { changes.note(effect) }

    /// Makes another turn of the loop, after which the waits are checked.
    func lookAgain() { timer?.arm(at: server.loop.now) }

    /// Called when the server has delivered all effects.
    func serverDidFlush() {
        // Beginning to draw ends in here again.
        guard !waits.isEmpty, !isLooking, !hasUsedTurn else { return }
        isLooking = true
        defer { isLooking = false }
        let known = changes.count
        lookEnd = time() + server.turnTime * 500
        let open = waits
        for (index, wait) in open.enumerated() {
            let isDone = wait.look(until: isTimeOver)
            guard !isDone || isTimeOver() else { continue }
            hasUsedTurn = true
            begin(with: open[(index + 1)...])
            lookAgain()
            break
        }
        // An ended wait may have changed something for waits checked earlier.
        if isOpen, changes.count != known { lookAgain() }
        forgetChanges()
    }

    private func isTimeOver() -> Bool { time() >= lookEnd }

    /// Puts the first of these that is open to the front.
    private func begin(with next: ArraySlice<ConditionWait>) {
        for wait in next {
            guard let index = waits.firstIndex(where: { $0 === wait }) else { continue }
            waits = Array(waits[index...] + waits[..<index])
            return
        }
    }

    private func forgetChanges() {
        guard changes.windows.count + changes.applications.count > Self.mostChanges else { return }
        changes.forget(
            windows: waits.lazy.compactMap(\.windowPlace).min(),
            applications: waits.lazy.compactMap(\.applicationPlace).min())
    }
}
