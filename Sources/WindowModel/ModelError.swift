// The reason the model refused a call. A refused call has no effect.

/// A refused call: the violated rule, the error, and what is allowed.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Distinguishes errors without parsing the message.
    public enum Kind: String, Hashable, Sendable {
        case unknownScreen, unknownApplication, unknownWindow, unknownSurface, unknownSeat
        /// A number, name or mode outside what the rule allows.
        case invalidValue
        /// W5: the surface already has a role, or lacks the required one.
        case role
        /// The call is not possible in the current state.
        case notAllowed
    }

    public var kind: Kind
    public var rule: Rule
    /// The error, and what is allowed instead.
    public var message: String

    public init(kind: Kind, rule: Rule, message: String) {
        self.kind = kind
        self.rule = rule
        self.message = message
    }

    public var description: String { "\(rule): \(message)" }
}

extension ModelError {
    /// S1: the screen is not connected.
    public static func unknown(_ id: Screen.ID) -> ModelError {
        ModelError(
            kind: .unknownScreen, rule: .s1, message: "screen \(id) is not connected; use one of the listed screens")
    }

    /// S1: no screen of that name is plugged in.
    public static func unknown(screenNamed name: String) -> ModelError {
        ModelError(kind: .unknownScreen, rule: .s1, message: "screen \(name) is not plugged in")
    }

    /// S1: the screen of that name is switched off.
    public static func switchedOff(_ name: String, kind: Kind = .notAllowed) -> ModelError {
        ModelError(
            kind: kind, rule: .s1, message: "screen \(name) is plugged in and switched off; switch it on or unplug it")
    }

    static func unknown(_ id: Application.ID) -> ModelError {
        ModelError(
            kind: .unknownApplication, rule: .w7,
            message: "there is no application \(id), or it has disconnected; use one of the listed applications")
    }

    static func unknown(_ id: Window.ID) -> ModelError {
        ModelError(
            kind: .unknownWindow, rule: .w7,
            message: "there is no window \(id), or it was closed; use one of the listed windows")
    }

    static func unknown(_ id: Surface.ID) -> ModelError {
        ModelError(
            kind: .unknownSurface, rule: .c1,
            message: "there is no surface \(id.index).\(id.generation), or it was destroyed; use another")
    }

    static func unknown(_ id: Seat.ID) -> ModelError {
        ModelError(kind: .unknownSeat, rule: .k1, message: "\(id) is not a seat; use one of the listed seats")
    }

    static func invalid(_ rule: Rule, _ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: rule, message: message)
    }

    static func notAllowed(_ rule: Rule, _ message: String) -> ModelError {
        ModelError(kind: .notAllowed, rule: rule, message: message)
    }

    static func role(_ message: String) -> ModelError {
        ModelError(kind: .role, rule: .w5, message: message)
    }
}
