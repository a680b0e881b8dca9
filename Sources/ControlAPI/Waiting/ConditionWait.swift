// A wait for conditions.

import ControlProtocol
import DisplayServer
import EventLoop
import MullionSystem
import WindowModel

/// Waits until all conditions hold at the same moment, and reports once how it ended.
///
/// The conditions of windows, applications and screens come first; only while they hold, pixels are watched, and clients
/// are asked whether they have settled.
final class ConditionWait {
    enum Outcome {
        case fulfilled(API.Waited)
        /// The time is up; what does not hold.
        case unfulfilled([API.Unmet])
        /// The server exits.
        case exiting
    }

    /// The user that waits; nil for a holder of the token.
    let user: UInt32?
    private let checks: [ConditionCheck]
    private let pictures: PictureWatch
    private unowned let waits: ConditionWaits
    private let server: DisplayServer
    private let body: (Outcome) -> Void
    /// When the wait began, in microseconds of real time.
    let begunAt: UInt64
    /// Whether it ends as soon as everything has been checked once.
    private let isOnce: Bool
    private var timer: Timer?
    private var isOver = false
    private var isLate = false
    /// Whether the first pictures have had time enough too.
    private var isVeryLate = false
    /// Whether there is something to do for the next look, other than for changes.
    private var needsLook = true
    /// The check with which the next look begins: none keeps the others waiting.
    private var firstCheck = 0
    /// `ConditionChanges.count` when the checks were last done, and when all held.
    private var lookedAt: UInt64?
    private var heldAt: UInt64?
    private var settling: Settler.Waiting?
    /// The watched screens when all clients had settled; nil while they have not.
    private var settledScreens: [PictureWatch.ScreenState]?
    /// Why they have not.
    private var unfinished: [Unfinished] = []
    /// Once it is unfulfilled: finds out why.
    private var search: UnmetSearch?
    /// How long clients may take to settle for a wait that only looks once, and how long a picture may take that is not
    /// finished when the time is up, in microseconds.
    private static let leastPatience: UInt64 = 5_000_000

    /// - Parameters:
    ///   - patience: in microseconds of real time; 0 checks the present state once.
    ///   - body: called once, later, unless the wait is cancelled.
    init(
        _ conditions: [Condition], in waits: ConditionWaits, patience: UInt64, user: UInt32?,
        _ body: @escaping (Outcome) -> Void
    ) {
        self.waits = waits
        self.user = user
        self.body = body
        server = waits.server
        let server = server
        let windows = conditions.contains(where: \.needsWindows) ? server.model.windows : []
        checks = conditions.map { ConditionCheck($0, windows: windows, waits.changes, on: server) }
        begunAt = server.loop.now
        isOnce = patience == 0
        pictures = PictureWatch(conditions, on: server, waits.hashes)
        pictures.onChange = { [unowned self] in pictureDidChange() }
        timer = Timer(server.loop) { [unowned self] _, _ in timeIsUp() }
        timer?.arm(at: begunAt + (isOnce ? Self.leastPatience : patience))
        waits.add(self)
    }

    /// Cancels the wait; its body is called only with an outcome.
    func cancel(_ outcome: Outcome? = nil) {
        guard !isOver else { return }
        isOver = true
        timer = nil
        settling?.cancel()
        settling = nil
        pictures.forget()
        pictures.onChange = nil
        waits.remove(self)
        if let outcome { body(outcome) }
    }

    /// Ends the wait at the next look, as soon as it is known what does not hold.
    func timeIsUp() {
        isVeryLate = isLate
        isLate = true
        needsLook = true
        timer?.arm(at: server.loop.now + Self.leastPatience)
        waits.lookAgain()
    }

    /// Called when there are new hashes of screens.
    func hashesDidChange() {
        if pictures.hasStills { needsLook = true }
    }

    private func pictureDidChange() {
        needsLook = true
        waits.lookAgain()
    }

    /// The places up to which it knows the changes of windows and applications.
    var windowPlace: UInt64? { checks.lazy.compactMap(\.windowPlace).min() }
    var applicationPlace: UInt64? { checks.lazy.compactMap(\.applicationPlace).min() }

    /// Checks what can be checked now.
    /// - Returns: false if time ran out before that was done.
    func look(until isTimeOver: () -> Bool) -> Bool {
        guard !isOver else { return true }
        if let answer = pictures.fulfilled {
            cancel(.fulfilled(answer))
            return true
        }
        if search == nil, !check(until: isTimeOver) { return false }
        guard let search, !isOver else { return true }
        guard let unmet = search.proceed(until: isTimeOver) else { return false }
        cancel(.unfulfilled(unmet))
        return true
    }

    private func check(until isTimeOver: () -> Bool) -> Bool {
        let changes = waits.changes
        guard needsLook || lookedAt != changes.count || pictures.isOutdated else { return true }
        for offset in checks.indices {
            let index = (firstCheck + offset) % checks.count
            guard checks[index].update(changes, until: isTimeOver) else {
                // One that had all the time is not the first again.
                firstCheck = offset > 0 ? index : (index + 1) % checks.count
                if isVeryLate || isLate && checks.allSatisfy(\.isComplete) { notYet() }
                return false
            }
        }
        (needsLook, lookedAt) = (false, changes.count)
        guard checks.allSatisfy(\.holds) else {
            (heldAt, settledScreens) = (nil, nil)
            pictures.forget()
            notYet()
            return true
        }
        heldAt = changes.count
        advance()
        return true
    }

    /// The rest, when the conditions of windows, applications and screens hold.
    private func advance() {
        switch pictures.stillness() {
        case .holds: break
        case .unknown: return giveUpIfLate()
        case .fails:
            settledScreens = nil
            return notYet()
        }
        guard isSettled else { return settle() }
        switch pictures.pixels(moment: { [weak self] in self?.momentaryAnswer }) {
        case .holds: cancel(.fulfilled(answer))
        case .unknown: giveUpIfLate()
        case .fails:
            settledScreens = nil
            notYet()
        }
    }

    // MARK: Settling

    /// With the manual clock no time passes, so that pixels which have not changed do not mean that clients are done.
    private var needsSettling: Bool {
        checks.contains { check in
            check.condition.kind == .idle || (check.condition.kind == .still && server.clock.mode == .manual)
        }
    }

    /// Whether all clients have settled, if they need to, since the watched screens changed last.
    private var isSettled: Bool { !needsSettling || settledScreens == pictures.screens }

    private func settle() {
        guard settling == nil else { return giveUpIfLate() }
        guard !isLate else { return notYet() }
        let left = timer?.deadline.map { $0 - min($0, server.loop.now) } ?? 0
        settling = server.settler.settle(within: left) { [unowned self] outcome in
            settling = nil
            needsLook = true
            waits.lookAgain()
            switch outcome {
            case .settled: (settledScreens, unfinished) = (pictures.screens, [])
            case .unsettled(let left): (isLate, unfinished) = (true, left)
            }
        }
        waits.lookAgain()
    }

    // MARK: The end

    private func notYet() {
        guard isLate || isOnce, search == nil else { return }
        settling?.cancel()
        settling = nil
        search = UnmetSearch(checks.filter { !$0.holds }, on: server) { [unowned self] in otherReasons }
    }

    /// The last pictures decide. Only the first ones are waited for.
    private func giveUpIfLate() {
        guard isLate, settling == nil, isVeryLate || !pictures.isBeginning else { return }
        notYet()
    }

    /// What it waits for.
    var text: String { API.Waited.text(checks) }

    /// The names of the conditions that it waits for.
    var kinds: String { checks.map(\.condition.kind.rawValue).joined(separator: " and ") }

    /// Whether it is about pixels, so that the right to capture is needed to see why it goes on.
    var needsPictures: Bool { checks.contains { $0.condition.needsPictures } }

    /// What does not hold now; nil if time runs out before that is known.
    func unmet(until isTimeOver: () -> Bool) -> [API.Unmet]? {
        UnmetSearch(checks.filter { !$0.holds }, on: server) { [unowned self] in otherReasons }
            .proceed(until: isTimeOver)
    }

    /// The answer at the moment of a picture; nil if the other conditions do not hold then, or the wait has ended.
    private var momentaryAnswer: API.Waited? {
        let changes = waits.changes
        let isKnown = heldAt == changes.count || checks.allSatisfy { $0.isCurrent(changes) }
        guard !isOver, isKnown, checks.allSatisfy(\.holds), pictures.isStill, isSettled else { return nil }
        return answer
    }

    private var answer: API.Waited { API.Waited(checks, elapsed: server.loop.now - begunAt, on: server) }

    /// What does not hold when the conditions of windows, applications and screens do.
    private var otherReasons: [API.Unmet] {
        let ofPictures = pictures.unmet
        if !ofPictures.isEmpty { return ofPictures }
        if settledScreens == nil, let open = checks.first(where: { [.idle, .still].contains($0.condition.kind) }) {
            return [API.Unmet(unsettled: unfinished, open.condition)]
        }
        return checks.map { API.Unmet($0.condition, "the conditions held, but not all at the same moment", []) }
    }
}
