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

extension SplitTime {
    /// - Returns: nil for a second of nanoseconds, or more.
    init?(secondsHigh: UInt32, secondsLow: UInt32, nanoseconds: UInt32) {
        guard nanoseconds < 1_000_000_000 else { return nil }
        (self.secondsHigh, self.secondsLow, self.nanoseconds) = (secondsHigh, secondsLow, nanoseconds)
    }

    /// Rounded down; a time beyond all clocks is the greatest.
    var microseconds: UInt64 {
        let seconds = UInt64(secondsHigh) << 32 | UInt64(secondsLow)
        return seconds < .max / 1_000_000 ? seconds * 1_000_000 + UInt64(nanoseconds) / 1000 : .max
    }
}
