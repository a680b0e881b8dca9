// Returns the memory of disconnected clients to the system.

import EventLoop
import System

/// Trims the heap when a client that used much memory has gone: malloc keeps free memory between blocks in use, and the
/// server would stay as large as it ever was.
///
/// Trimming 64 MiB takes some milliseconds, so it is done at most once per `pause`, and not for typical clients.
final class MemoryTrim {
    /// The least memory of a client worth trimming, in bytes.
    private static let least = 4 << 20
    /// In microseconds; clients often end together.
    private static let pause: UInt64 = 1_000_000

    /// The least size of pictures and framebuffers, in bytes.
    private static let picture = 1 << 20

    private let loop: EventLoop
    private let timer: Timer

    init(_ loop: EventLoop) {
        self.loop = loop
        Allocator.mapSeparately(from: Self.picture)
        Allocator.mergeImmediately()
        timer = Timer(loop) { _, _ in Allocator.trim() }
    }

    /// Called when a client that used this much memory ends.
    func clientEnds(with bytes: Int) {
        guard bytes >= Self.least, !timer.isArmed else { return }
        timer.arm(at: loop.now + Self.pause)
    }
}
