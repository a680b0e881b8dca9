// How many lines of the log are for what others do.

/// Bounds the lines about one user, so that nobody fills the log by being refused, or ended, again and again.
struct LogBudget {
    /// Lines about one user within `window`; what is more is counted, not written.
    static let lines = 100
    /// In microseconds.
    var window: UInt64 = 10_000_000

    /// Whom lines are about. Those who come over TCP are not named; nobody is where nobody seems to be the cause.
    private var counts: [UInt32?: Int] = [:]
    /// When the window ends in which lines are counted.
    private(set) var end: UInt64 = 0

    /// Whether one more line about a user is written.
    /// - Parameter now: monotonic microseconds.
    mutating func admits(_ user: UInt32?, at now: UInt64) -> Bool {
        if counts.isEmpty { end = now + window }
        let count = counts[user, default: 0] + 1
        counts[user] = count
        return count <= Self.lines
    }

    /// Begins a new window. Says of whom lines were left out in the last one, and how many.
    mutating func takeExcess() -> [(user: UInt32?, lines: Int)] {
        defer { counts = [:] }
        return counts.filter { $0.value > Self.lines }.map { ($0.key, $0.value - Self.lines) }
            .sorted { ($0.0 ?? .max) < ($1.0 ?? .max) }
    }
}
