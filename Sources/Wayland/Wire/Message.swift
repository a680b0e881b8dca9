// The requirements on every generated interface and message.

/// An interface of a protocol, generated from its description.
public protocol WaylandInterface: SendableMetatype {
    associatedtype Request: WaylandMessage
    associatedtype Event: WaylandMessage
    /// The name on the wire.
    static var name: String { get }
    /// The highest version that was generated, and that the server advertises.
    static var version: UInt32 { get }
}

/// A request or an event, which can be decoded and encoded.
public protocol WaylandMessage: SendableMetatype {
    /// The name, version and arguments of each message, by opcode.
    static var descriptions: [MessageDescription] { get }
    /// Decodes the arguments; `version` is the version of the object.
    init(opcode: UInt16, version: UInt32, from reader: inout MessageReader) throws(WireError)
    /// Appends the whole message, header included.
    func encode(to out: OutputBuffer, object: ObjectID)
}

/// A message's format on the wire.
public struct MessageDescription: Sendable {
    public let name: String
    public let since: UInt32
    public let isDestructor: Bool
    public let arguments: [ArgumentDescription]

    public init(name: String, since: UInt32, isDestructor: Bool, arguments: [ArgumentDescription]) {
        self.name = name
        self.since = since
        self.isDestructor = isDestructor
        self.arguments = arguments
    }

    /// How many descriptors travel with the message.
    public var descriptorCount: Int { arguments.reduce(0) { $0 + ($1.kind == .fd ? 1 : 0) } }
}

public struct ArgumentDescription: Sendable {
    public enum Kind: Sendable {
        case int, uint, fixed, string, object, newID, anyNewID, array, fd
    }
    public let name: String
    public let kind: Kind
    public let allowsNull: Bool

    public init(name: String, kind: Kind, allowsNull: Bool) {
        self.name = name
        self.kind = kind
        self.allowsNull = allowsNull
    }
}
