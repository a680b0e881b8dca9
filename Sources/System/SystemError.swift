// Errors of system calls.

import Glibc

/// A value of errno, described by strerror(3).
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For example ENOENT.
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// The errno of this thread's last failed call.
    package static var last: SystemError { SystemError(errno) }

    package var description: String { unsafe String(cString: strerror(code)) }
}
