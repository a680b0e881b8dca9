// How long something has been going on.

import System

/// Says when a share of time is used up. It is asked after every request, and asks the clock only now and then.
public final class Stopwatch {
    /// Questions between two looks at the clock: a request takes a fraction of a microsecond where it only asks, and
    /// what takes longer says so (`expectMore`).
    private static let stride: Int32 = 16

    @safe @exclusivity(unchecked) private var deadline: UInt64 = 0
    @safe @exclusivity(unchecked) private var began: UInt64 = 0
    @safe @exclusivity(unchecked) private var unasked: Int32 = 0

    public init() {}

    /// Starts a share.
    public func start(microseconds: UInt64) {
        began = MonotonicClock.nanoseconds
        deadline = began &+ microseconds &* 1000
        unasked = Self.stride
    }

    /// Ends the share early.
    public func end() {
        deadline = 0
        unasked = 0
    }

    /// Since the start, in microseconds.
    public var elapsed: UInt64 { (MonotonicClock.nanoseconds &- began) / 1000 }

    /// The request being carried out is one of those that can take long: the clock is looked at after it.
    public func expectMore() { unasked = 0 }

    /// Whether the share is used up.
    public var isOver: Bool {
        unasked &-= 1
        guard unasked <= 0 else { return false }
        unasked = Self.stride
        return MonotonicClock.nanoseconds >= deadline
    }
}
