// One-shot timers on absolute deadlines.

/// Calls its handler once, at or after a deadline of the monotonic clock, never before it.
///
/// Timers that are due in the same turn run in the order of their deadlines, equal ones in the order of arming. An
/// evenly ticking clock re-arms at `deadline + period` from its handler. A dropped timer is cancelled.
public final class Timer {
    /// The deadline that was asked for and the time now, both in monotonic microseconds.
    public typealias Handler = (_ deadline: UInt64, _ now: UInt64) -> Void

    /// What runs.
    public var handler: Handler?
    /// The deadline in monotonic microseconds while armed.
    public internal(set) var deadline: UInt64?

    let loop: EventLoop
    /// Where the queue keeps this timer while it is armed.
    var place = TimerQueue.Place.nowhere

    public init(_ loop: EventLoop, handler: Handler? = nil) {
        self.loop = loop
        self.handler = handler
    }

    deinit {
        loop.timers.remove(self)
    }

    public var isArmed: Bool {
        deadline != nil
    }

    /// Fires at `deadline` (monotonic microseconds), or in the next turn when that has passed. An armed timer moves.
    /// Costs no system call; the loop sets its timer before it waits, if the earliest deadline changed.
    public func arm(at deadline: UInt64) {
        loop.timers.remove(self)
        loop.timers.insert(self, at: deadline)
    }

    /// Forgets the deadline. Harmless when not armed.
    public func cancel() {
        loop.timers.remove(self)
    }
}
