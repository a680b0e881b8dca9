// Limits log lines caused by clients.

/// Limits the lines about one user, so that repeated refusals and errors do not flood the log.
struct LogBudget {
    /// The most lines about one user within `window`; further ones are counted, not written.
    static let lines = 100
    /// In microseconds.
    var window: UInt64 = 10_000_000

    /// Lines per user; nil for peers over TCP, which have no user, and for lines without a subject.
    private var counts: [UInt32?: Int] = [:]
    /// The end of the current window.
    private(set) var end: UInt64 = 0

    /// Whether another line about a user may be written.
    /// - Parameter now: monotonic microseconds.
    mutating func admits(_ user: UInt32?, at now: UInt64) -> Bool {
        if counts.isEmpty { end = now + window }
        let count = counts[user, default: 0] + 1
        counts[user] = count
        return count <= Self.lines
    }

    /// Begins a new window. Returns the users with suppressed lines in the last one, and their numbers.
    mutating func takeExcess() -> [(user: UInt32?, lines: Int)] {
        defer { counts = [:] }
        return counts.filter { $0.value > Self.lines }.map { ($0.key, $0.value - Self.lines) }
            .sorted { ($0.0 ?? .max) < ($1.0 ?? .max) }
    }
}
