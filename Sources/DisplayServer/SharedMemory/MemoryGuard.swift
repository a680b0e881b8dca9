// Reading a client's shared memory while the client may shrink it.

import CLinux
import Glibc

/// Turns the SIGBUS of a shrunken file into zeros: the client loses its picture, nobody else notices.
///
/// While a range is being read, a fault inside it replaces the whole range by anonymous zero pages and reading goes on.
/// Any other SIGBUS ends the process as it would have without us.
enum MemoryGuard {
    // Only the loop's thread reads client memory; the handler runs on the thread that faulted.
    nonisolated(unsafe) private static var base: UInt = 0
    nonisolated(unsafe) private static var length: UInt = 0
    nonisolated(unsafe) private static var faulted = false
    nonisolated(unsafe) private static var isInstalled = false

    /// Runs `body`, which may read `range`.
    /// - Returns: false when the memory was gone; the range reads as zeros from then on.
    static func reading(_ range: UnsafeRawBufferPointer, _ body: () -> Void) -> Bool {
        install()
        base = UInt(bitPattern: range.baseAddress)
        length = UInt(range.count)
        faulted = false
        body()
        base = 0
        length = 0
        return !faulted
    }

    private static func install() {
        guard !isInstalled else { return }
        isInstalled = true
        _ = linux_on_fault(SIGBUS) { _, info, _ in
            let address = UInt(bitPattern: info.map { linux_fault_address($0) } ?? nil)
            guard MemoryGuard.length > 0, address >= MemoryGuard.base,
                address - MemoryGuard.base < MemoryGuard.length,
                mmap(
                    UnsafeMutableRawPointer(bitPattern: MemoryGuard.base), Int(MemoryGuard.length), PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED
            else {
                signal(SIGBUS, SIG_DFL)
                return
            }
            MemoryGuard.faulted = true
        }
    }
}
