// How malloc() keeps and returns memory.

import CMullionLinux

/// Settings of the C library's allocator, for the whole process.
package enum Allocator {
    /// Maps blocks of at least this many bytes separately, so that they are returned to the system as soon as they are
    /// freed. By default glibc raises the limit with each such block that is freed, up to 32 MiB.
    package static func mapSeparately(from bytes: Int) { linux_keep_large_memory_apart(bytes) }

    /// Makes free() merge small blocks with their free neighbours immediately. By default glibc defers that to the next
    /// large malloc(), which then takes milliseconds.
    package static func mergeImmediately() { linux_merge_memory_at_once() }

    /// Returns free memory between blocks in use to the system. Takes milliseconds for tens of MiB.
    package static func trim() { linux_trim_memory() }
}
