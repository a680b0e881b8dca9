// Small things of the C library, in Swift's terms.

import Glibc

/// The words for errno.
func errorText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

/// An environment variable.
func environmentValue(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
