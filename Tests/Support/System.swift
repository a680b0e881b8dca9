// Small wrappers of the C library.

import CMullionLinux
import Glibc
import MullionSystem
import MullionWayland

/// The message for an errno.
func errorText(_ code: Int32 = errno) -> String { SystemError(code).description }

/// An environment variable.
func environmentValue(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

/// An empty file in memory; negative on failure.
public func mullionMemory() -> Int32 { linux_memfd_create("mullion-test", MFD_CLOEXEC) }

/// A completely sealed file in memory.
public func sealedMemory(bytes: [UInt8]) throws -> OwnedDescriptor {
    try AnonymousFile.make("mullion-test", holding: bytes)
}

/// A file in memory of this size, filled with zeros, that can shrink and grow.
public func memoryFile(bytes: Int) throws -> OwnedDescriptor {
    let file = OwnedDescriptor(mullionMemory())
    guard file.rawValue >= 0, ftruncate(file.rawValue, bytes) == 0 else { throw FixtureError("memfd: \(errorText())") }
    return file
}
