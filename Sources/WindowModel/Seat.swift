// Seats: people at one server, each with fingers, a pointer and a keyboard (K1).

/// What a seat is at one moment.
public struct Seat: Hashable, Sendable, Codable {
    /// Identifies a seat; counts up from 1 and is never reused.
    public struct ID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The seat that is always there.
        public static let first = ID(rawValue: 1)
        public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
        public var description: String { "\(rawValue)" }
    }

    public let id: ID
    /// Unique among the seats: `seat0`, `seat1`, …
    public let name: String
    /// The names of the screens that are its own, connected or not. The first seat names none: it has every screen that
    /// no other seat names.
    public let screens: [String]
}
