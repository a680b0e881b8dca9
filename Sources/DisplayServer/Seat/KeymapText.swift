// A keymap as clients get it.

import CLinux
import Glibc
import Wayland

/// The text of a keymap with its terminating NUL, in memory that nobody can change.
final class KeymapText {
    /// Bytes of a stranger's keymap, the NUL included.
    static let maximumSize = 1 << 20

    let descriptor: OwnedDescriptor
    /// Bytes, the NUL included.
    let size: UInt32
    /// Those that it lets repeat while they are held.
    let repeatingKeys: KeySet

    /// - Parameter text: ends with NUL.
    /// - Returns: nil when the process has no more memory or descriptors.
    init?(_ text: UnsafePointer<CChar>, repeatingKeys: KeySet) {
        let count = unsafe strlen(text) + 1
        let file = unsafe OwnedDescriptor(linux_memfd_create("mullion-keymap", MFD_CLOEXEC | MFD_ALLOW_SEALING))
        guard file.rawValue >= 0, unsafe write(file.rawValue, text, count) == count else { return nil }
        _ = linux_fcntl(file.rawValue, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)
        // wl_keyboard below version 7 lets clients map it shared, which kernels before 6.7 refuse for sealed memory that
        // is open for writing.
        let readable = unsafe open("/proc/self/fd/\(file.rawValue)", O_RDONLY | O_CLOEXEC)
        descriptor = readable >= 0 ? OwnedDescriptor(readable) : file
        size = UInt32(count)
        self.repeatingKeys = repeatingKeys
    }

    /// Whether both say the same.
    func isEqual(_ other: KeymapText) -> Bool { self === other || (size == other.size && bytes == other.bytes) }

    /// The text with its NUL.
    var bytes: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            count = unsafe max(0, pread(descriptor.rawValue, buffer.baseAddress, buffer.count, 0))
        }
    }
}
