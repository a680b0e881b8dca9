// A wait for conditions.

import DisplayServer
import EventLoop
import System
import WindowModel

/// Waits until all conditions hold at the same moment, and reports once how it ended.
///
/// The conditions of windows, applications and screens come first; only while they hold, pixels are watched, and clients
/// are asked whether they have settled.
final class ConditionWait {
    enum Outcome {
        case fulfilled(WaitAnswer)
        /// The time is up; what does not hold.
        case unfulfilled([Unmet])
        /// The server exits.
        case exiting
    }

    /// Whose wait it is; nil: of a holder of the token.
    let user: UInt32?
    private let checks: [ConditionCheck]
    private let pictures: PictureWatch
    private unowned let waits: ConditionWaits
    private let server: DisplayServer
    private let body: (Outcome) -> Void
    private let begunAt: UInt64
    /// Whether it ends as soon as everything has been checked once.
    private let isOnce: Bool
    private var timer: Timer?
    private var isOver = false
    private var isLate = false
    /// Whether something may have changed since the last look.
    private var needsLook = true
    private var settling: Settler.Waiting?
    /// Whether all clients have settled since the last change.
    private var isSettled = false
    /// Why they have not.
    private var unsettled: [String] = []
    /// How long clients may take to settle for a wait that only looks once, in microseconds.
    private static let leastPatience: UInt64 = 5_000_000

    /// - Parameters:
    ///   - patience: in microseconds of real time; 0 to check once what is already the case.
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
        checks = conditions.map { ConditionCheck($0, on: server) }
        begunAt = server.loop.now
        isOnce = patience == 0
        pictures = PictureWatch(conditions, on: server, worker: waits.worker)
        pictures.onChange = { [unowned self] in
            needsLook = true
            self.waits.lookAgain()
        }
        timer = Timer(server.loop) { [unowned self] _, _ in
            isLate = true
            needsLook = true
        }
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

    func note(_ changes: ConditionChanges) {
        for check in checks { check.note(changes) }
        needsLook = true
    }

    /// Checks what can be checked now.
    /// - Returns: false if time ran out before that was done.
    func look(until isTimeOver: () -> Bool) -> Bool {
        guard !isOver, needsLook || pictures.isOutdated else { return true }
        if pictures.isOutdated { isSettled = false }
        for check in checks {
            guard check.update(until: isTimeOver) else {
                if isLate { notYet() }
                return false
            }
        }
        needsLook = false
        guard checks.allSatisfy(\.holds) else {
            pictures.forget()
            isSettled = false
            notYet()
            return true
        }
        advance()
        return true
    }

    /// The rest, when the conditions of windows, applications and screens hold.
    private func advance() {
        switch pictures.stillness() {
        case .holds: break
        case .unknown: return giveUpIfLate()
        case .fails:
            isSettled = false
            return notYet()
        }
        guard isSettled || !needsSettling else { return settle() }
        switch pictures.pixels(moment: { [weak self] in self?.momentaryAnswer }) {
        case .holds: end(.fulfilled(pictures.answer ?? answer))
        case .unknown: giveUpIfLate()
        case .fails:
            isSettled = false
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

    private func settle() {
        guard settling == nil else { return giveUpIfLate() }
        guard !isLate else { return notYet() }
        let left = timer?.deadline.map { $0 - min($0, server.loop.now) } ?? 0
        settling = server.settler.settle(within: left) { [unowned self] outcome in
            settling = nil
            needsLook = true
            waits.lookAgain()
            switch outcome {
            case .settled: (isSettled, unsettled) = (true, [])
            case .unsettled(let reasons): (isLate, unsettled) = (true, reasons)
            }
        }
        waits.lookAgain()
    }

    // MARK: The end

    private func notYet() {
        if isLate || isOnce { end(.unfulfilled(unmet)) }
    }

    private func giveUpIfLate() {
        // A picture that is being drawn decides.
        if isLate, !pictures.isDrawing, settling == nil { end(.unfulfilled(unmet)) }
    }

    private func end(_ outcome: Outcome) { cancel(outcome) }

    /// In microseconds of real time.
    var elapsed: UInt64 { server.loop.now - begunAt }

    /// Nil if the conditions do not hold, and when the wait has ended before its picture was begun.
    private var momentaryAnswer: WaitAnswer? { !isOver && checks.allSatisfy(\.holds) ? answer : nil }

    private var answer: WaitAnswer { WaitAnswer(checks, elapsed: elapsed, on: server) }

    private var unmet: [Unmet] {
        let open = checks.filter { !$0.holds }
        if !open.isEmpty { return open.map { Unmet($0, on: server) } }
        let ofPictures = pictures.unmet
        if !ofPictures.isEmpty { return ofPictures }
        if !isSettled, let open = checks.first(where: { [.idle, .still].contains($0.condition.kind) }) {
            return [Unmet(unsettled: unsettled, open.condition)]
        }
        return checks.map { Unmet($0.condition, "it did not hold at the same moment as the others", []) }
    }
}
