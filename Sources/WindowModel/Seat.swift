// Seats: users of one server, each with touches, a pointer and a keyboard (K1).

/// The state of a seat at one moment.
public struct Seat: Hashable, Sendable, Codable {
    /// Identifies a seat; counts up from 1 and is never reused.
    public struct ID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The seat that always exists.
        public static let first = ID(rawValue: 1)
        public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
        public var description: String { "\(rawValue)" }
    }

    public let id: ID
    /// Unique among the seats: `seat0`, `seat1`, …
    public let name: String
    /// The names of the screens that belong to the seat, connected or not. Empty for the first seat, which has every
    /// screen that no other seat names.
    public let screens: [String]
}
