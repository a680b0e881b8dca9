// Resizes and unmaps memory mappings.

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

    /// Mappings of at least this many bytes are unmapped on another thread.
    private static let large = 1 << 20
    /// The most bytes to unmap in one call, which holds the lock of the address space.
    private static let chunk = 16 << 20
    private static let worker = Worker()

    /// Unmaps a mapping, on another thread if it is large. If this was the last reference to a memory file, its pages are
    /// freed, which takes about a millisecond for 8 MiB.
    /// - Parameter done: called afterwards, on either thread.
    package static func unmap(
        _ mapping: UnsafeMutableRawPointer, size: Int, done: @escaping @Sendable () -> Void
    ) {
        let address = UInt(bitPattern: mapping)
        let job: Worker.Job = {
            unmap(address, size)
            done()
        }
        if size >= large { worker.perform(job) } else { job() }
    }

    private static func unmap(_ address: UInt, _ size: Int) {
        for start in stride(from: 0, to: size, by: chunk) {
            unsafe munmap(UnsafeMutableRawPointer(bitPattern: address + UInt(start)), min(chunk, size - start))
        }
    }
}
