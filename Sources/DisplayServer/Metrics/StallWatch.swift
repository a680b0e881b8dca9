// A watchdog that says what the loop is doing when it stands.

import EventLoop
import Glibc
import Synchronization
import System
import Wayland

/// A thread that looks at a loop now and then while it works, and says so when one turn takes long, while it does: a service
/// manager's watchdog kills the server, and nobody knows why.
///
/// What counts is processor time and time spent waiting: a process that was stopped, or has to share the machine with many
/// others, does not stand.
public final class StallWatch: Sendable {
    /// Microseconds.
    static let (first, second): (UInt64, UInt64) = (250_000, 10_000_000)
    private static let step: UInt64 = 125_000
    /// Lines at most within `window` microseconds.
    private static let (lines, window): (Int, UInt64) = (20, 60_000_000)

    private let turns: TurnRecord
    private let work: WorkRecord
    private let thread = ThreadUse.current
    private let report: @Sendable (String) -> Void
    private let isStopped = Atomic(false)
    /// Who the connections are, and what the control API was asked last.
    private let names = Mutex<[UInt64: String]>([:])
    private let route = Mutex("")

    /// - Parameters:
    ///   - loop: is watched from now on; call it on its thread.
    ///   - report: is called on another thread.
    init(_ loop: EventLoop, _ work: WorkRecord, report: @escaping @Sendable (String) -> Void) {
        turns = loop.turns
        self.work = work
        self.report = report
    }

    /// Watches until `stop`. Without a thread nobody watches.
    func start() { _ = DetachedThread.start { self.run() } }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        turns.wakeWatcher()
    }

    func name(_ connection: UInt64, _ name: String?) { names.withLock { $0[connection] = name } }

    package func beginRoute(_ name: String) {
        route.withLock { $0 = name }
        work.begin("answering the control API")
    }

    // MARK: The thread

    private struct Turn {
        var number: UInt64
        /// When it was seen first.
        var start: UInt64
        /// Of the loop's thread, when it was seen last.
        var processorTime: UInt64
        /// Processor time and waiting.
        var spent: UInt64 = 0
        /// How often it was reported.
        var reports = 0
    }

    private func run() {
        var budget = Budget()
        while !isStopped.load(ordering: .relaxed) {
            turns.waitForTurn()
            var turn = see()
            var rests = 0
            // Not every pause puts this thread to sleep for long: who animates would wake it 60 times a second.
            while rests < 8, !isStopped.load(ordering: .relaxed) {
                let before = Self.now
                usleep(UInt32(Self.step))
                let slept = Self.now - before
                let number = turns.turn
                guard number == turn.number, number & 1 == 1 else {
                    if turn.reports > 0 {
                        report("the loop goes on; it stood for about \(Self.milliseconds(Self.now - turn.start)) ms")
                    }
                    rests = number & 1 == 0 && number == turn.number ? rests + 1 : 0
                    turn = see()
                    continue
                }
                // Who oversleeps was stopped, or has no processor, as the loop may.
                look(&turn, after: slept < 2 * Self.step ? slept : 0, &budget)
            }
        }
    }

    private func see() -> Turn {
        Turn(number: turns.turn, start: Self.now, processorTime: thread.processorTime)
    }

    private func look(_ turn: inout Turn, after slept: UInt64, _ budget: inout Budget) {
        let time = thread.processorTime
        let used = time > turn.processorTime ? time - turn.processorTime : 0
        turn.processorTime = time
        guard slept > 0 else { return }
        turn.spent += thread.isWaiting ? slept : min(used, slept)
        let due = turn.reports == 0 ? Self.first : Self.second
        guard turn.reports < 2, turn.spent >= due, budget.admits(at: Self.now) else { return }
        turn.reports += 1
        report("the loop stands for \(Self.milliseconds(turn.spent)) ms already: \(description)")
    }

    private var description: String {
        let (connection, text) = work.now
        let route = text.hasSuffix("control API") ? ": " + self.route.withLock { $0 } : ""
        guard connection != 0 else { return text + route }
        let name = names.withLock { $0[connection] } ?? "that is gone"
        return "client \(name): \(text)"
    }

    private struct Budget {
        var end: UInt64 = 0
        var count = 0

        mutating func admits(at now: UInt64) -> Bool {
            if now >= end { (end, count) = (now + StallWatch.window, 0) }
            count += 1
            return count <= StallWatch.lines
        }
    }

    private static func milliseconds(_ time: UInt64) -> UInt64 { time / 1000 }

    private static var now: UInt64 { MonotonicClock.nanoseconds / 1000 }
}

extension DisplayServer {
    /// Says what the loop is doing when it stands for more than 250 ms, and again when that lasts 10 s. Call it on the loop's
    /// thread; `report` is called on another one.
    public func watchStalls(_ report: @escaping @Sendable (String) -> Void) {
        stallWatch?.stop()
        let watch = StallWatch(loop, work, report: report)
        for client in clients.values { watch.name(client.workNumber, client.description) }
        watch.start()
        stallWatch = watch
    }
}
