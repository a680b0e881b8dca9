// What can go wrong between this module and the system.

import CLibevent
import Glibc
import System

/// A failed call: which, on what, and why.
public struct EventLoopError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The C function or step that failed, `bind` for example.
    public let call: String
    /// The path, address or descriptor it was asked for; empty when there is none.
    public let subject: String
    /// The errno value; 0 when the reason is not one of the system's.
    public let code: Int32
    /// The reason in words.
    public let reason: String

    /// With `reason` nil, the text of `code` is the reason.
    public init(_ call: String, _ subject: String = "", code: Int32, reason: String? = nil) {
        self.call = call
        self.subject = subject
        self.code = code
        self.reason = reason ?? "\(SystemError(code))"
    }

    public var description: String {
        subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }
}
