// Accesses a client's shared memory safely while the client may truncate it.

import CLinux

/// Turns the SIGBUS of a shrunken file into zeros: the client loses its picture, nobody else notices.
package enum MemoryGuard {
    /// Runs `body`, which may read `range`, and write it if it can be written; within it other ranges may be guarded.
    /// - Returns: false when the memory was gone; the range reads as zeros from then on.
    package static func guarding(_ range: UnsafeMutableRawBufferPointer, isWritable: Bool, _ body: () -> Void) -> Bool {
        var memory = unsafe linux_guard()
        return unsafe withUnsafeMutablePointer(to: &memory) { memory in
            unsafe linux_guard_begin(memory, range.baseAddress, range.count, isWritable ? 1 : 0)
            body()
            return unsafe linux_guard_end(memory) == 0
        }
    }
}
