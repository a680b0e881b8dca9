// Statistics on how late a loop's timers fire.

/// A histogram of timer lateness, with the recent maximum. Recording allocates nothing.
public struct Lateness {
    /// The upper bounds of the first buckets, in microseconds; the last bucket has none.
    public static let bounds: [UInt64] = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    ]
    /// The minimum period that `worst` covers, in microseconds; the maximum is twice that.
    public static let window: UInt64 = 5_000_000

    /// The number of timers per bucket, not cumulative.
    public private(set) var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    /// The sum of all lateness, in microseconds.
    public private(set) var total: UInt64 = 0
    private var windowBegan: UInt64 = 0
    private var worstInWindow: UInt64 = 0
    private var worstBefore: UInt64 = 0

    public init() {}

    /// The recent maximum, in microseconds.
    /// - Parameter now: monotonic microseconds.
    public func worst(at now: UInt64) -> UInt64 {
        switch now {
        case ..<(windowBegan + Self.window): max(worstInWindow, worstBefore)
        case ..<(windowBegan + 2 * Self.window): worstInWindow
        default: 0
        }
    }

    mutating func record(_ late: UInt64, at now: UInt64) {
        var bucket = 0
        while bucket < Self.bounds.count, late > Self.bounds[bucket] { bucket += 1 }
        counts[bucket] += 1
        total += late
        if now >= windowBegan + Self.window {
            worstBefore = now < windowBegan + 2 * Self.window ? worstInWindow : 0
            worstInWindow = 0
            windowBegan = now
        }
        worstInWindow = max(worstInWindow, late)
    }
}
