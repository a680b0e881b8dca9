// Limits the time spent on clients' keymaps.

/// Limits the processor time for compiling one sender's keymaps.
struct KeymapBudget {
    /// The processor time allowed within `window`, in microseconds.
    static let time: UInt64 = 1_000_000
    /// In microseconds.
    static let window: UInt64 = 10_000_000

    /// By sender, in microseconds.
    private(set) var spent: [KeymapCompiler.Sender: UInt64] = [:]
    /// When the window ends.
    private var end: UInt64 = 0

    /// Whether the sender has time left.
    /// - Parameter now: monotonic microseconds.
    mutating func admits(_ sender: KeymapCompiler.Sender, at now: UInt64) -> Bool {
        if now >= end { spent = [:] }
        if spent.isEmpty { end = now + Self.window }
        return spent[sender, default: 0] < Self.time
    }

    mutating func spend(_ time: UInt64, of sender: KeymapCompiler.Sender) { spent[sender, default: 0] += time }
}
