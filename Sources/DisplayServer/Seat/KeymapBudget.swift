// How much time may go into strangers' keymaps.

/// How long the keymaps of one user are compiled, since nobody is served meanwhile.
struct KeymapBudget {
    /// Microseconds of processor time within `window`.
    static let time: UInt64 = 1_000_000
    /// Microseconds.
    static let window: UInt64 = 10_000_000

    private var spent: [UInt32: UInt64] = [:]
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
