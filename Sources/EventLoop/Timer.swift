// One-shot timers with absolute deadlines.

/// Calls its handler once, at or after a deadline of the monotonic clock, never before.
///
/// Timers due in the same turn fire in order of deadline, equal ones in order of arming. For a steady clock, re-arm at
/// `deadline + period` in the handler. Dropping a timer cancels it.
public final class Timer {
    /// Called with the requested deadline and the current time, both in monotonic microseconds.
    public typealias Handler = (_ deadline: UInt64, _ now: UInt64) -> Void

    /// Called when the timer fires.
    public var handler: Handler?
    /// The deadline in monotonic microseconds; nil when not armed.
    public internal(set) var deadline: UInt64?

    let loop: EventLoop
    /// This timer's position in the queue while armed.
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

    /// Fires at `deadline` (monotonic microseconds), or in the next turn if that has passed. Arming again replaces the
    /// deadline. Costs no system call: the loop sets its timerfd before it waits, if the earliest deadline changed.
    public func arm(at deadline: UInt64) {
        loop.timers.remove(self)
        loop.timers.insert(self, at: deadline)
    }

    /// Disarms the timer. Does nothing when not armed.
    public func cancel() {
        loop.timers.remove(self)
    }
}
