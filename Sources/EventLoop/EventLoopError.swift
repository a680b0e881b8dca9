// The errors this module throws when a system call fails.

import CLibevent
import Glibc
import MullionSystem

/// A failed call: which call, on what, and why.
public struct EventLoopError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The C function or step that failed, `bind` for example.
    public let call: String
    /// The path, address or descriptor the call was made for; empty when there is none.
    public let subject: String
    /// The errno value; 0 when the reason does not come from the system.
    public let code: Int32
    /// The reason as text.
    public let reason: String

    /// Uses the text of `code` as the reason when `reason` is nil.
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
