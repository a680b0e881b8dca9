// Times in the format of some protocols.

/// Seconds in two halves, and nanoseconds.
struct SplitTime {
    let secondsHigh: UInt32
    let secondsLow: UInt32
    let nanoseconds: UInt32

    init(microseconds: UInt64) {
        let seconds = microseconds / 1_000_000
        secondsHigh = UInt32(truncatingIfNeeded: seconds >> 32)
        secondsLow = UInt32(truncatingIfNeeded: seconds)
        nanoseconds = UInt32(microseconds % 1_000_000) * 1000
    }
}
