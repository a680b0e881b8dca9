// A watchdog that reports what a stalled loop is doing.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland
import Synchronization

/// A thread that samples a working loop and reports turns that take long, while they do. Without it, a service
/// manager's watchdog would kill the server without a hint at the cause.
///
/// Only processor time and time spent waiting count: a process that was stopped, or competes with many others, is not
/// stalled.
public final class StallWatch: Sendable {
    /// Microseconds for which a turn was watched when it is reported, and reported again.
    static let (first, second): (UInt64, UInt64) = (250_000, 10_000_000)
    /// Microseconds between two looks at a turn, and at a loop that was found between two turns: each look costs as much
    /// as a quarter of a client's frame.
    private static let (step, longStep): (UInt64, UInt64) = (125_000, 500_000)
    /// The most lines within `window` microseconds.
    private static let (lines, window): (Int, UInt64) = (20, 60_000_000)

    private let turns: TurnCounter
    private let work: CurrentWork
    private let thread = ThreadUse.current
    private let report: @Sendable (String) -> Void
    private let isStopped = Atomic(false)
    /// The names of connections, and the latest request of the control API.
    private let names = Mutex<[UInt64: String]>([:])
    private let route = Mutex<(method: String, path: [String])>(("", []))

    /// - Parameters:
    ///   - loop: the loop to watch; call this on its thread.
    ///   - report: called on another thread.
    init(_ loop: EventLoop, _ work: CurrentWork, report: @escaping @Sendable (String) -> Void) {
        turns = loop.turns
        self.work = work
        self.report = report
    }

    /// Watches until `stop`. Does nothing if the system has no thread left.
    func start() { _ = DetachedThread.start { self.run() } }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        turns.wakeWatcher()
    }

    func name(_ connection: UInt64, _ name: String?) { names.withLock { $0[connection] = name } }

    package func beginRoute(_ method: String, _ path: [String]) {
        route.withLock { $0 = (method, path) }
        work.begin("answering the control API")
    }

    // MARK: The thread

    private struct Turn {
        var number: UInt64
        /// When it was first seen.
        var start: UInt64
        /// The processor time of the loop's thread when last sampled.
        var processorTime: UInt64
        /// Processor time plus waiting time.
        var spent: UInt64 = 0
        /// How many times it was reported.
        var reports = 0

        /// False between two turns.
        var isWork: Bool { number & 1 == 1 }
    }

    private func run() {
        var budget = Budget()
        while !isStopped.load(ordering: .relaxed) {
            turns.waitForTurn()
            var turn = see()
            var rests = 0
            // Do not sleep for long at every pause: an animating client would wake this thread 60 times per second.
            while rests < 2, !isStopped.load(ordering: .relaxed) {
                let before = Self.now
                let pause = turn.isWork ? Self.step : Self.longStep
                usleep(UInt32(pause))
                let slept = Self.now - before
                let number = turns.turn
                guard number == turn.number, turn.isWork else {
                    if turn.reports > 0 {
                        report("the loop continues, after about \(Self.milliseconds(Self.now - turn.start)) ms")
                    }
                    rests = number == turn.number ? rests + 1 : 0
                    turn = see()
                    continue
                }
                // If this thread overslept, it was stopped or had no processor, and so might the loop.
                look(&turn, after: slept < 2 * pause ? slept : 0, &budget)
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
        report("the loop has been stalled for \(Self.milliseconds(turn.spent)) ms: \(description)")
    }

    private var description: String {
        let (connection, text) = work.now
        let route = text.hasSuffix("control API") ? ": \(routeText)" : ""
        guard connection != 0 else { return text + route }
        let name = names.withLock { $0[connection] } ?? "(disconnected)"
        return "client \(name): \(text)"
    }

    private var routeText: String {
        let (method, path) = route.withLock { $0 }
        return "\(method) /\(path.joined(separator: "/").shortened)"
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
    /// Reports what the loop is doing when it stalls, after 250 to 750 ms, and again after 10 s. Call it on the loop's
    /// thread; `report` is called on another one.
    public func watchStalls(_ report: @escaping @Sendable (String) -> Void) {
        stallWatch?.stop()
        let watch = StallWatch(loop, work, report: report)
        for client in clients.values { watch.name(client.workNumber, client.description) }
        watch.start()
        stallWatch = watch
    }
}
