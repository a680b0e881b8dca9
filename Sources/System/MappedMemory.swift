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
    /// The most bytes to unmap in one call, because the lock of the address space is held meanwhile.
    private static let chunk = 16 << 20
    private static let worker = Worker()

    /// Unmaps a mapping, sooner or later. The last user of a file in memory frees its pages, which takes a millisecond
    /// for 8 MiB.
    /// - Parameter done: called then, on any thread.
    package static func unmap(
        _ mapping: UnsafeMutableRawPointer, size: Int, done: @escaping @Sendable () -> Void = {}
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
