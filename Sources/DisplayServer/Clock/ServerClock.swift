// The clock that clients can observe.

import EventLoop

/// The source of the server's time.
public enum ClockMode: String, Sendable, CaseIterable {
    /// The monotonic clock of the machine.
    case real
    /// Time advances only when stepped, so that two identical runs see identical times.
    case manual
}

/// The server's clock for everything that clients can observe: frame callbacks, and the times of events and log lines.
/// Timeouts for real processes use the event loop instead.
public final class ServerClock {
    /// The start of manual time, in microseconds; the same for every run.
    public static let manualStart: UInt64 = 1_000_000

    public let mode: ClockMode
    let loop: EventLoop
    private var time = ServerClock.manualStart
    /// Armed timers of manual time, ordered by deadline, then by order of arming.
    private var armed: [Entry] = []
    private var sequence: UInt64 = 0

    @safe private struct Entry {
        var deadline: UInt64
        var sequence: UInt64
        var isActivity: Bool
        /// Not retained: a timer leaves the list when it is deallocated.
        var timer: Unmanaged<ClockTimer>
    }

    init(_ loop: EventLoop, mode: ClockMode) {
        self.loop = loop
        self.mode = mode
    }

    /// Continues the manual time of another server.
    func restore(time: UInt64) { self.time = max(self.time, min(time, 1 << 60)) }

    /// In microseconds of the monotonic clock or of manual time.
    public var now: UInt64 { mode == .real ? loop.now : time }

    /// The deadline of the next timer of manual time; nil when none is armed, and in real mode.
    public var nextDeadline: UInt64? { armed.first?.deadline }

    /// The same, without the timers that wait for nothing to happen.
    var nextActivity: UInt64? { armed.first(where: \.isActivity)?.deadline }

    /// Advances manual time and fires the timers that are due; timers they arm wait for the next call.
    /// - Parameter deadline: in microseconds; time never goes back.
    /// - Returns: how many timers fired.
    func advance(to deadline: UInt64) -> Int {
        time = max(time, deadline)
        let last = sequence
        var count = 0
        // Search again each time, because a handler may cancel or drop other timers.
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
            Entry(
                deadline: deadline, sequence: sequence, isActivity: timer.isActivity, timer: .passUnretained(timer)),
            at: index)
        timer.isQueued = true
    }

    fileprivate func remove(_ timer: ClockTimer) {
        guard timer.isQueued else { return }
        timer.isQueued = false
        let pointer = unsafe Unmanaged.passUnretained(timer).toOpaque()
        armed.removeAll { unsafe $0.timer.toOpaque() == pointer }
    }
}

/// A one-shot timer of the server's clock: in real mode a timer of the event loop, in manual mode an entry in the
/// clock's list. A dropped timer is cancelled.
package final class ClockTimer {
    private let clock: ServerClock
    /// Nil in manual mode.
    private let timer: Timer?
    fileprivate let handler: Timer.Handler
    /// Whether something is going on until it fires; otherwise it waits for nothing to happen.
    fileprivate let isActivity: Bool
    /// Whether it is in the clock's list.
    fileprivate var isQueued = false

    package init(_ clock: ServerClock, isActivity: Bool = true, handler: @escaping Timer.Handler) {
        self.clock = clock
        self.isActivity = isActivity
        self.handler = handler
        timer = clock.mode == .real ? Timer(clock.loop, handler: handler) : nil
    }

    deinit {
        clock.remove(self)
    }

    var isArmed: Bool { timer?.isArmed ?? isQueued }

    /// Fires at `deadline` (microseconds of the clock) or as soon as possible afterwards. Arming again replaces the
    /// deadline.
    package func arm(at deadline: UInt64) {
        if let timer { return timer.arm(at: deadline) }
        clock.remove(self)
        clock.insert(self, at: deadline)
    }

    /// Disarms the timer. Does nothing when not armed.
    func cancel() {
        timer?.cancel()
        clock.remove(self)
    }
}
