// Measures how long work has been running.

import MullionSystem

/// Reports when a time slice is used up. It is queried after every request, but reads the clock only occasionally.
public final class Stopwatch {
    /// Queries between two clock readings: a request usually takes a fraction of a microsecond, and slower ones call
    /// `expectMore`.
    private static let stride: Int32 = 16

    @safe @exclusivity(unchecked) private var deadline: UInt64 = 0
    @safe @exclusivity(unchecked) private var began: UInt64 = 0
    @safe @exclusivity(unchecked) private var unasked: Int32 = 0

    public init() {}

    /// Starts a time slice.
    public func start(microseconds: UInt64) {
        began = MonotonicClock.nanoseconds
        deadline = began &+ microseconds &* 1000
        unasked = Self.stride
    }

    /// Ends the time slice early.
    public func end() {
        deadline = 0
        unasked = 0
    }

    /// Microseconds since the start.
    public var elapsed: UInt64 { (MonotonicClock.nanoseconds &- began) / 1000 }

    /// Makes the next query read the clock, because the current request can take long.
    public func expectMore() { unasked = 0 }

    /// Whether the time slice is used up.
    public var isOver: Bool {
        unasked &-= 1
        guard unasked <= 0 else { return false }
        unasked = Self.stride
        return MonotonicClock.nanoseconds >= deadline
    }
}
