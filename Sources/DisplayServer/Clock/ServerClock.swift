// The time that clients can notice.

import EventLoop

/// Where the server's time comes from.
public enum ClockMode: String, Sendable, CaseIterable {
    /// The monotonic clock of the machine.
    case real
    /// Time stands still until it is stepped: nothing ticks by itself, and two equal runs see equal times.
    case manual
}

/// The server's one source of time for all that clients can notice: frame callbacks, the times of events and of what is
/// logged. What concerns real processes, such as waiting for an answer, stays with the event loop.
public final class ServerClock {
    /// Where manual time begins, in microseconds; the same for every run.
    public static let manualStart: UInt64 = 1_000_000

    public let mode: ClockMode
    let loop: EventLoop
    private var time = ServerClock.manualStart
    /// Armed timers of manual time, ordered by deadline, equal ones by the order of arming.
    private var armed: [Entry] = []
    private var sequence: UInt64 = 0

    @safe private struct Entry {
        var deadline: UInt64
        var sequence: UInt64
        /// Not retained: a timer leaves the list when it is dropped.
        var timer: Unmanaged<ClockTimer>
    }

    init(_ loop: EventLoop, mode: ClockMode) {
        self.loop = loop
        self.mode = mode
    }

    /// Goes on with the manual time of another server.
    func restore(time: UInt64) { self.time = max(self.time, min(time, 1 << 60)) }

    /// Microseconds: of the monotonic clock, or of manual time.
    public var now: UInt64 { mode == .real ? loop.now : time }

    /// When the next timer of manual time is due; nil when none is armed, and in real mode.
    public var nextDeadline: UInt64? { armed.first?.deadline }

    /// Moves manual time on and runs the timers that are due by then; what they arm anew waits for the next time.
    /// - Parameter deadline: in microseconds; time never goes back.
    /// - Returns: how many timers ran.
    func advance(to deadline: UInt64) -> Int {
        time = max(time, deadline)
        let last = sequence
        var count = 0
        // Looked for one by one: a handler may cancel or drop others.
        while let index = armed.firstIndex(where: { $0.deadline <= time && $0.sequence <= last }) {
            let entry = armed.remove(at: index)
            let timer = unsafe entry.timer.takeUnretainedValue()
            timer.isQueued = false
            timer.handler(entry.deadline, time)
            count += 1
        }
        return count
    }

    fileprivate func insert(_ timer: ClockTimer, at deadline: UInt64) {
        sequence += 1
        let index = armed.firstIndex { $0.deadline > deadline } ?? armed.endIndex
        unsafe armed.insert(
            Entry(deadline: deadline, sequence: sequence, timer: .passUnretained(timer)), at: index)
        timer.isQueued = true
    }

    fileprivate func remove(_ timer: ClockTimer) {
        guard timer.isQueued else { return }
        timer.isQueued = false
        let pointer = unsafe Unmanaged.passUnretained(timer).toOpaque()
        armed.removeAll { unsafe $0.timer.toOpaque() == pointer }
    }
}

/// A one-shot timer of the server's clock: in real mode a timer of the event loop, in manual mode a place in the clock's
/// own list. A dropped timer is cancelled.
package final class ClockTimer {
    private let clock: ServerClock
    /// Nil in manual mode.
    private let timer: Timer?
    fileprivate let handler: Timer.Handler
    /// Whether the clock's list has it.
    fileprivate var isQueued = false

    package init(_ clock: ServerClock, handler: @escaping Timer.Handler) {
        self.clock = clock
        self.handler = handler
        timer = clock.mode == .real ? Timer(clock.loop, handler: handler) : nil
    }

    deinit {
        clock.remove(self)
    }

    var isArmed: Bool { timer?.isArmed ?? isQueued }

    /// Runs the handler at `deadline` (microseconds of the clock) or as soon after as time gets there. An armed timer
    /// moves.
    package func arm(at deadline: UInt64) {
        if let timer { return timer.arm(at: deadline) }
        clock.remove(self)
        clock.insert(self, at: deadline)
    }

    /// Forgets the deadline. Harmless when not armed.
    func cancel() {
        timer?.cancel()
        clock.remove(self)
    }
}
