// Maps files, and looks at their pages.

import CMullionLinux
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

    /// Maps a file, shared; nil with errno when that is impossible.
    package static func map(
        _ descriptor: OwnedDescriptor, size: Int, _ protection: Int32
    ) -> UnsafeMutableRawPointer? {
        let mapping = unsafe mmap(nil, size, protection, MAP_SHARED, descriptor.rawValue, 0)
        return unsafe mapping == MAP_FAILED ? nil : mapping
    }

    /// Whether all pages of a part of a mapping are in memory (mincore(2)). Reading them allocates nothing then. Linux
    /// also says so of all files that this process may neither own nor write.
    package static func isPresent(_ start: UnsafeRawPointer, count: Int) -> Bool {
        let (page, most) = (Int(getpagesize()), 1024)
        let address = UInt(bitPattern: start) & ~UInt(page - 1)
        let pages = (Int(UInt(bitPattern: start) - address) + count + page - 1) / page
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { flags in
            for first in Swift.stride(from: 0, to: pages, by: most) {
                let here = min(most, pages - first)
                guard let place = unsafe UnsafeMutableRawPointer(bitPattern: address + UInt(first * page)),
                    let base = flags.baseAddress, unsafe mincore(place, here * page, base) == 0
                else { return false }
                for index in 0..<here where unsafe flags[index] & 1 == 0 { return false }
            }
            return true
        }
    }

    /// Files and mappings of at least this many bytes are freed on another thread.
    private static let large = 1 << 20

    /// Whether a memory file has so many pages that freeing them takes time. Its owner chooses the number, which can be
    /// much more than what is used of it.
    static func isLarge(_ descriptor: Int32) -> Bool {
        var status = stat()
        // In units of 512 bytes, whatever the file system's.
        return unsafe fstat(descriptor, &status) == 0 && Int(status.st_blocks) * 512 >= large
    }

    /// The most bytes to unmap in one call, which holds the lock of the address space.
    private static let chunk = 16 << 20
    private static let worker = Worker()

    /// Closes a file and unmaps its mapping, on another thread if it is large. If these were the last references to a
    /// memory file, its pages are freed, which takes about a millisecond for 8 MiB.
    /// - Parameters:
    ///   - descriptor: memory.
    ///   - size: that of the mapping.
    ///   - done: called afterwards, on either thread.
    package static func free(
        _ mapping: UnsafeMutableRawPointer?, closing descriptor: Int32?, size: Int, done: @escaping @Sendable () -> Void
    ) {
        let address = unsafe mapping.map { UInt(bitPattern: $0) }
        let job: Worker.Job = {
            if let descriptor { close(descriptor) }
            if let address { unmap(address, size) }
            done()
        }
        if size >= large || descriptor.map(isLarge) == true { worker.perform(job) } else { job() }
    }

    private static func unmap(_ address: UInt, _ size: Int) {
        for start in stride(from: 0, to: size, by: chunk) {
            unsafe munmap(UnsafeMutableRawPointer(bitPattern: address + UInt(start)), min(chunk, size - start))
        }
    }
}
