// Limits log lines caused by clients.

/// Limits the lines about one user, so that repeated refusals and errors do not flood the log. Equal refusals are written
/// once and counted. Why clients are disconnected has a budget of its own, which other lines do not use up.
struct LogBudget {
    /// The most lines about one user within `window`, and the most about the ends of clients; further ones are
    /// counted, not written.
    static let lines = 100
    /// In microseconds.
    var window: UInt64 = 10_000_000
    /// What is said only once, see `DisplayServer.logOnce`.
    var saidOnce: Set<String> = []

    /// Who has caused a line.
    enum Source: Hashable {
        case user(UInt32)
        /// Peers over TCP, and any other without credentials.
        case unidentified
        /// Not a client, as far as is known.
        case server
    }

    enum Kind: Hashable {
        /// A client is disconnected: each line names another one.
        case end
        case other
    }

    /// Lines that were counted and not written.
    struct Excess: Equatable {
        let source: Source
        /// The highest of theirs.
        let level: DisplayServer.LogLevel
        /// What they say; nil for different ones.
        let reason: String?
        let lines: Int
    }

    private struct Key: Hashable {
        let source: Source
        let kind: Kind

        /// Users in the order of their numbers, then the others.
        var rank: (UInt64, Int) {
            let kind = kind == .end ? 0 : 1
            return switch source {
            case .user(let id): (UInt64(id), kind)
            case .unidentified: (1 << 32, kind)
            case .server: (1 << 33, kind)
            }
        }
    }

    private struct Count {
        var written = 0
        /// By reason, in the order of their first lines.
        var places: [String: Int] = [:]
        var equal: [Suppressed] = []
        var others = Suppressed()

        /// Whether to write another line.
        mutating func admits(_ reason: String?, _ kind: Kind, _ level: DisplayServer.LogLevel) -> Bool {
            let place = reason.flatMap { places[$0] }
            if written < LogBudget.lines, kind == .end || place == nil {
                written += 1
                if place == nil, let reason {
                    places[reason] = equal.count
                    equal.append(Suppressed(reason: reason))
                }
                return true
            }
            if let place { equal[place].add(level) } else { others.add(level) }
            return false
        }
    }

    private struct Suppressed {
        var reason: String?
        var lines = 0
        var level = DisplayServer.LogLevel.debug

        mutating func add(_ next: DisplayServer.LogLevel) {
            lines += 1
            if next.rawValue > level.rawValue { level = next }
        }
    }

    private var counts: [Key: Count] = [:]
    /// The end of the current window.
    private(set) var end: UInt64 = 0

    /// Whether another line may be written.
    /// - Parameters:
    ///   - reason: what it says, without the client or the request that it is about; nil for a line that is written however
    ///     often it is repeated.
    ///   - now: monotonic microseconds.
    mutating func admits(
        _ reason: String?, _ kind: Kind = .other, _ level: DisplayServer.LogLevel = .warning, from source: Source,
        at now: UInt64
    ) -> Bool {
        if counts.isEmpty { end = now + window }
        return counts[Key(source: source, kind: kind), default: Count()].admits(reason, kind, level)
    }

    /// Begins a new window. Returns what was not written in the last one.
    mutating func takeExcess() -> [Excess] {
        defer { counts = [:] }
        return counts.sorted { $0.key.rank < $1.key.rank }.flatMap { key, count in
            (count.equal + [count.others]).filter { $0.lines > 0 }.map {
                Excess(source: key.source, level: $0.level, reason: $0.reason, lines: $0.lines)
            }
        }
    }
}

extension LogBudget.Source: CustomStringConvertible {
    var description: String {
        switch self {
        case .user(let id): "user \(id)"
        case .unidentified: "unidentified peers"
        case .server: "the server"
        }
    }
}
