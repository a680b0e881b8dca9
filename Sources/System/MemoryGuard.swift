// Accesses a client's shared memory safely while the client may truncate it.

import CMullionLinux

/// Turns the SIGBUS of a truncated file into zeros, so that only the client's own picture is affected.
package enum MemoryGuard {
    /// Runs `body`, which may read `range`, and write it if `isWritable`; may be nested for other ranges.
    /// - Returns: false when the memory was truncated; from then on the range reads as zeros.
    package static func guarding(_ range: UnsafeMutableRawBufferPointer, isWritable: Bool, _ body: () -> Void) -> Bool {
        var memory = unsafe linux_guard()
        return unsafe withUnsafeMutablePointer(to: &memory) { memory in
            unsafe linux_guard_begin(memory, range.baseAddress, range.count, isWritable ? 1 : 0)
            body()
            return unsafe linux_guard_end(memory) == 0
        }
    }
}
