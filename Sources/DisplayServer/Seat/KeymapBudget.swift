// Limits the time spent on clients' keymaps.

/// Limits the processor time for compiling one user's keymaps.
struct KeymapBudget {
    /// The processor time allowed within `window`, in microseconds.
    static let time: UInt64 = 1_000_000
    /// In microseconds.
    static let window: UInt64 = 10_000_000

    /// By user, in microseconds.
    private(set) var spent: [UInt32: UInt64] = [:]
    /// When the window ends.
    private var end: UInt64 = 0

    /// Whether the user has time left.
    /// - Parameter now: monotonic microseconds.
    mutating func admits(_ user: UInt32, at now: UInt64) -> Bool {
        if now >= end { spent = [:] }
        if spent.isEmpty { end = now + Self.window }
        return spent[user, default: 0] < Self.time
    }

    mutating func spend(_ time: UInt64, of user: UInt32) { spent[user, default: 0] += time }
}
