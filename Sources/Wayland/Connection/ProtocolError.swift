// A client's mistake, sent as wl_display.error before the client is disconnected.

/// The object, the error code (of the object's interface), and the reason with the violated rule.
public struct ProtocolError: Error, CustomStringConvertible {
    public let object: ObjectID
    public let code: UInt32
    public let message: String

    public init(object: ObjectID, code: UInt32, message: String) {
        self.object = object
        self.code = code
        self.message = message
    }

    /// An error of wl_display, which any object can cause.
    public init(_ code: WlDisplay.Error, object: ObjectID = .display, message: String) {
        self.init(object: object, code: code.rawValue, message: message)
    }

    public var description: String { "object \(object), code \(code): \(message)" }
}
