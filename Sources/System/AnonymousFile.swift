// Memory with a descriptor, for sharing with other processes.

import CMullionLinux
import Glibc

/// Creates memfds (memfd_create(2)).
package enum AnonymousFile {
    /// Creates an empty file; the caller may seal it.
    /// - Throws: the error of memfd_create(2).
    package static func make(_ name: String, sealable: Bool = true) throws(SystemError) -> OwnedDescriptor {
        let flags = UInt32(MFD_CLOEXEC) | (sealable ? UInt32(MFD_ALLOW_SEALING) : 0)
        let file = unsafe OwnedDescriptor(linux_memfd_create(name, flags))
        guard file.rawValue >= 0 else { throw .last }
        return file
    }

    /// Creates a file of zeros with a sealed size.
    /// - Throws: the error of memfd_create(2), ftruncate(2) or fcntl(2).
    package static func make(_ name: String, size: Int) throws(SystemError) -> OwnedDescriptor {
        let file = try make(name)
        guard retryingWhenInterrupted({ ftruncate(file.rawValue, size) }) == 0 else { throw .last }
        try seal(file, F_SEAL_SHRINK | F_SEAL_GROW)
        return file
    }

    /// Creates a file with these bytes, sealed against all changes.
    /// - Throws: the error of memfd_create(2), write(2) or fcntl(2).
    package static func make(_ name: String, holding bytes: some Sequence<UInt8>) throws(SystemError) -> OwnedDescriptor
    {
        let file = try make(name)
        try DescriptorIO.write(bytes, to: file.rawValue)
        try seal(file, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)
        return file
    }

    private static func seal(_ file: OwnedDescriptor, _ seals: Int32) throws(SystemError) {
        guard linux_fcntl(file.rawValue, F_ADD_SEALS, seals | F_SEAL_SEAL) == 0 else { throw .last }
    }
}
