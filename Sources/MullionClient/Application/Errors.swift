// The library's errors, described without reference to the protocol.

import MullionSystem
import MullionWayland

/// Why an application's connection ended or could not be made.
public enum ApplicationError: Error, Sendable, CustomStringConvertible {
    /// No server answered.
    case cannotConnect(reason: String)
    /// The server does not offer an interface that the library needs.
    case missingInterface(name: String)
    /// The server went away.
    case disconnected(reason: String)
    /// The server refused a request: the code of the object's interface and the server's message.
    case refused(code: UInt32, message: String)

    init(_ error: ClientError) {
        switch error {
        case .cannotConnect, .noRuntimeDirectory: self = .cannotConnect(reason: "\(error)")
        case .connection, .malformedEvent: self = .disconnected(reason: "\(error)")
        case .protocolError(_, let code, let message): self = .refused(code: code, message: message)
        }
    }

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .cannotConnect(let reason), .disconnected(let reason): reason
        case .missingInterface(let name): "the server does not offer \(name)"
        case .refused(let code, let message): "the server refused a request (code \(code)): \(message)"
        }
    }
}

/// A window was to be put inside a window (W5).
public struct WindowInsideError: Error, Sendable, CustomStringConvertible {
    /// Names the rule, and what to do instead.
    public var description: String {
        "W5 (one role per surface): a window cannot be put inside a window or a view; put the views of one window "
            + "into the other, or give the window a higher level"
    }
}

/// Why a view could not be drawn.
public enum SurfaceError: Error, Sendable, CustomStringConvertible {
    /// The picture, of this many points and this many pixels per point, would have more than 16,384 pixels on a side.
    case invalidSize(width: Double, height: Double, scale: Double)
    /// The system provided no shared memory; the value is errno.
    case noMemory(errno: Int32)
    /// The server holds every buffer and has released none.
    case buffersBusy
    /// The connection ended while waiting for a buffer.
    case application(ApplicationError)

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .invalidSize(let width, let height, let scale):
            "\(width) × \(height) at scale \(scale) is not a picture's size; use 1…16384 pixels per side"
        case .noMemory(let number): "no shared memory: \(SystemError(number))"
        case .buffersBusy: "the server has not released any buffer"
        case .application(let error): "\(error)"
        }
    }
}
