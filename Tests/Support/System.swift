// Small things of the C library, in Swift's terms.

import CLinux
import Glibc
import Wayland

/// The words for errno.
func errorText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

/// An environment variable.
func environmentValue(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// An empty file in memory; negative when there is none to be had.
public func mullionMemory() -> Int32 { linux_memfd_create("mullion-test", MFD_CLOEXEC) }

/// A file in memory that can change no more in any way.
public func sealedMemory(bytes: [UInt8]) throws -> OwnedDescriptor {
    let file = OwnedDescriptor(linux_memfd_create("mullion-test", MFD_CLOEXEC | MFD_ALLOW_SEALING))
    guard write(file.rawValue, bytes, bytes.count) == bytes.count,
        linux_fcntl(file.rawValue, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0
    else { throw FixtureError("memfd: \(errorText())") }
    return file
}

/// A file in memory of this size, filled with zeros, that can shrink and grow.
public func memory(bytes: Int) throws -> OwnedDescriptor {
    let file = OwnedDescriptor(mullionMemory())
    guard file.rawValue >= 0, ftruncate(file.rawValue, bytes) == 0 else { throw FixtureError("memfd: \(errorText())") }
    return file
}
