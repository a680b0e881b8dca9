// Reading and writing a client's shared memory while the client may shrink it.

import CLinux
import Glibc
import Synchronization

/// Turns the SIGBUS of a shrunken file into zeros: the client loses its picture, nobody else notices.
///
/// While a range is in use, a fault inside it replaces the whole range by anonymous zero pages, and its use goes on.
/// Any other SIGBUS ends the process as it would have without us.
enum MemoryGuard {
    private static let isInstalled = Atomic(false)

    /// Runs `body`, which may read `range`, and write it if it can be written.
    /// - Returns: false when the memory was gone; the range reads as zeros from then on.
    static func guarding(_ range: UnsafeRawBufferPointer, isWritable: Bool, _ body: () -> Void) -> Bool {
        if !isInstalled.exchange(true, ordering: .relaxed) { install() }
        // Per thread: the handler runs on the thread that faulted.
        guard let current = linux_guard() else { return false }
        current.pointee.base = UInt(bitPattern: range.baseAddress)
        current.pointee.length = UInt(range.count)
        current.pointee.protection = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
        current.pointee.faulted = 0
        body()
        current.pointee.length = 0
        return current.pointee.faulted == 0
    }

    private static func install() {
        _ = linux_on_fault(SIGBUS) { _, info, _ in
            let address = UInt(bitPattern: info.map { linux_fault_address($0) } ?? nil)
            guard let current = linux_guard(), current.pointee.length > 0, address >= current.pointee.base,
                address - current.pointee.base < current.pointee.length,
                mmap(
                    UnsafeMutableRawPointer(bitPattern: current.pointee.base), Int(current.pointee.length),
                    current.pointee.protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED
            else {
                signal(SIGBUS, SIG_DFL)
                return
            }
            current.pointee.faulted = 1
        }
    }
}
