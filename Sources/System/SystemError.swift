// Why a system call failed.

import Glibc

/// A value of errno. Its description is that of strerror(3).
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For example ENOENT.
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// What the last failed call of this thread left in errno.
    package static var last: SystemError { SystemError(errno) }

    package var description: String { unsafe String(cString: strerror(code)) }
}
