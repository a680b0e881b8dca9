// Small things of the C library, in Swift's terms.

import CLinux
import Glibc

/// The words for errno.
func errorText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

/// An environment variable.
func environmentValue(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// An empty file in memory; negative when there is none to be had.
public func mullionMemory() -> Int32 { linux_memfd_create("mullion-test", MFD_CLOEXEC) }
