// Resizes memory mappings.

import CLinux
import Glibc

/// System calls for mapped memory.
package enum MappedMemory {
    /// Resizes a mapping, which may move (mremap(2)).
    /// - Returns: nil when there is not enough room; nothing has changed then.
    package static func resize(
        _ mapping: UnsafeMutableRawPointer, from size: Int, to newSize: Int
    ) -> UnsafeMutableRawPointer? {
        let moved = unsafe linux_mremap(mapping, size, newSize)
        return unsafe moved == MAP_FAILED ? nil : moved
    }
}
