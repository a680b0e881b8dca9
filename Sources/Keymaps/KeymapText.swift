// The text of a keymap, as sent to clients.

import Glibc
import MullionSystem

/// The text of a keymap with its terminating NUL, in immutable shared memory.
package final class KeymapText {
    /// The size limit of a client's keymap in bytes, including the NUL.
    package static let maximumSize = 1 << 20

    package let descriptor: OwnedDescriptor
    /// In bytes, including the NUL.
    package let size: UInt32
    /// The keys that repeat while held.
    package let repeatingKeys: KeySet

    /// - Parameter text: ends with NUL.
    /// - Returns: nil when the process has no more memory or descriptors.
    package init?(_ text: UnsafePointer<CChar>, repeatingKeys: KeySet) {
        let count = unsafe strlen(text) + 1
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
        guard let file = unsafe try? AnonymousFile.make("mullion-keymap", holding: bytes) else { return nil }
        // wl_keyboard before version 7 lets clients map it shared, which kernels before 6.7 refuse for sealed memory
        // that is open for writing.
        let readable = unsafe open("/proc/self/fd/\(file.rawValue)", O_RDONLY | O_CLOEXEC)
        descriptor = readable >= 0 ? OwnedDescriptor(readable) : file
        size = UInt32(count)
        self.repeatingKeys = repeatingKeys
    }

    /// Whether the texts are equal.
    package func isEqual(_ other: KeymapText) -> Bool { self === other || (size == other.size && bytes == other.bytes) }

    /// Whether this is the text.
    package func isEqual(to text: String) -> Bool {
        Int(size) == text.utf8.count + 1 && bytes.dropLast().elementsEqual(text.utf8)
    }

    /// The text with its NUL.
    package var bytes: [UInt8] {
        DescriptorIO.read(descriptor.rawValue, count: Int(size))
    }
}
