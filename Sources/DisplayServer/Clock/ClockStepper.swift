// Steps manual time.

/// Advances manual time from deadline to deadline. Clients settle before each and at the end, so that their answers to
/// one tick arrive before the next.
public final class ClockStepper {
    /// How far time advances.
    public enum Goal {
        /// This many microseconds.
        case step(UInt64)
        /// Until nothing is going on that has a deadline, at most this many microseconds.
        case idle(limit: UInt64)
    }

    /// How a step ended.
    public enum Outcome {
        /// Reached its goal.
        case done
        /// Reached its limit with these deadlines left.
        case busy([Unfinished])
        /// Stopped because clients did not settle.
        case unsettled([Unfinished])
    }

    /// The longest time for clients to settle, in real microseconds.
    public static let patience: UInt64 = 5_000_000
    /// The longest step, in microseconds: a day.
    public static let longest: UInt64 = 86_400_000_000

    private unowned let server: DisplayServer
    private var run: Run?

    private struct Run {
        var target: UInt64
        var isUntilIdle: Bool
        var ticks = 0
        var patience: UInt64
        var waiting: Settler.Waiting?
        var body: (Outcome, Int) -> Void
    }

    init(_ server: DisplayServer) { self.server = server }

    /// Begins to advance time. `body` is called once it has stopped, with the number of timers that fired.
    /// - Parameter patience: the longest time for clients to settle, each time, in real microseconds.
    /// - Throws: `ClockStepError`; nothing happens then.
    public func begin(
        _ goal: Goal, patience: UInt64 = ClockStepper.patience, _ body: @escaping (Outcome, Int) -> Void
    ) throws(ClockStepError) {
        guard server.clock.mode == .manual else { throw .real }
        guard run == nil else { throw .underway }
        let (length, isUntilIdle) =
            switch goal {
            case .step(let length): (length, false)
            case .idle(let limit): (limit, true)
            }
        run = Run(
            target: server.clock.now + min(length, Self.longest), isUntilIdle: isUntilIdle, patience: patience,
            body: body)
        waitForClients()
    }

    /// Stops time where it is; the step's body is not called.
    public func cancel() {
        run?.waiting?.cancel()
        run = nil
    }

    private func waitForClients() {
        guard let patience = run?.patience else { return }
        run?.waiting = server.settler.settle(within: patience) { [unowned self] outcome in
            switch outcome {
            case .settled: proceed()
            case .unsettled(let reasons): finish(.unsettled(reasons))
            }
        }
    }

    private func proceed() {
        guard let run else { return }
        let clock = server.clock
        let deadline = run.isUntilIdle ? clock.nextActivity : clock.nextDeadline
        guard let next = deadline, next <= run.target else {
            let isBusy = run.isUntilIdle && deadline != nil
            if isBusy || !run.isUntilIdle { _ = clock.advance(to: run.target) }
            return finish(isBusy ? .busy(causes) : .done)
        }
        self.run?.ticks += clock.advance(to: next)
        waitForClients()
    }

    private func finish(_ outcome: Outcome) {
        guard let run else { return }
        self.run = nil
        run.body(outcome, run.ticks)
    }

    /// Why there are still deadlines.
    private var causes: [Unfinished] {
        let clients = server.clientsInOrder
        let keys = server.seats.compactMap { $0.keyboard.repetition.key }.map { "key \($0) is held and repeats" }
        let all =
            clients.filter { $0.framesAwaited > 0 }.map { Unfinished(.frame, $0, "requests frames") }
            + clients.filter { $0.timedSurfaces > 0 }.map { Unfinished(laterCommitOf: $0) }
            + (server.rotationTimer.turns + keys).map { Unfinished(server: $0) }
        return all.isEmpty ? [Unfinished(server: "a screen is being watched")] : all
    }
}

/// Why a step cannot begin.
public enum ClockStepError: Error {
    /// Real time cannot be stepped.
    case real
    /// Another step is in progress.
    case underway
}
