// The value types of the wire format.

/// The id of an object on one connection; never 0 (null is an absent `ObjectID?`).
public struct ObjectID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32
    @inlinable public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    public var description: String { String(rawValue) }

    /// wl_display, which exists from the start.
    public static let display = ObjectID(1)
    /// The first id of the server's range; lower ones are the client's.
    public static let firstServerID: UInt32 = 0xff00_0000
    @inlinable public var isServers: Bool { rawValue >= ObjectID.firstServerID }
}

/// wl_fixed: a signed 24.8 fixed-point number.
public struct Fixed: Hashable, Codable, Sendable {
    public let rawValue: Int32
    @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The nearest representable value, clamped to the range; NaN becomes 0.
    @inlinable
    public init(rounding value: Double) {
        let scaled = (value * 256).rounded()
        rawValue = scaled.isNaN ? 0 : Int32(min(max(scaled, Double(Int32.min)), Double(Int32.max)))
    }

    /// Nil when the value is not exactly representable: not a multiple of 1/256, or outside ±8,388,608 (W2).
    public init?(exactly value: Double) {
        guard let raw = Int32(exactly: value * 256) else { return nil }
        rawValue = raw
    }

    @inlinable public var double: Double { Double(rawValue) / 256 }
}

/// The new_id of an interface that the message names itself (wl_registry.bind).
public struct AnyNewID: Hashable, Sendable {
    public let interface: String
    public let version: UInt32
    public let id: ObjectID

    public init(interface: String, version: UInt32, id: ObjectID) {
        self.interface = interface
        self.version = version
        self.id = id
    }
}

/// Why bytes are not a valid message.
public enum WireError: Error, Hashable, Sendable {
    /// The interface has no such request or event, or not in the bound version.
    case invalidOpcode
    /// The message ends before its arguments do.
    case truncated
    /// The message continues after its arguments.
    case trailingBytes
    /// A string without its terminating NUL.
    case invalidString
    /// Null where the protocol forbids it.
    case unexpectedNull
    /// A message needs a descriptor that did not arrive with it.
    case missingDescriptor
}
