// A client's mistake, told to it by wl_display.error before it is disconnected.

/// Names the object, the error's code (of the object's interface), and in words what was wrong and which rule it broke.
public struct ProtocolError: Error, CustomStringConvertible {
    public let object: ObjectID
    public let code: UInt32
    public let message: String

    public init(object: ObjectID, code: UInt32, message: String) {
        self.object = object
        self.code = code
        self.message = message
    }

    /// An error of wl_display: any object can cause these.
    public init(_ code: WlDisplay.Error, object: ObjectID = .display, message: String) {
        self.init(object: object, code: code.rawValue, message: message)
    }

    public var description: String { "object \(object), code \(code): \(message)" }
}
