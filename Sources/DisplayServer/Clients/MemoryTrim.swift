// What clients left is given back to the system.

import EventLoop
import System

/// Gives free memory back when a client has gone for which much was kept: malloc keeps what lies between pieces in use, and
/// one client's end would leave the server as large as it ever was.
///
/// To give 64 MiB back takes some milliseconds: it is done at most once in `pause`, and not for clients as most are.
final class MemoryTrim {
    /// A client that had less is not worth the time, in bytes.
    private static let least = 4 << 20
    /// Microseconds; clients often go together.
    private static let pause: UInt64 = 1_000_000

    /// Pictures and framebuffers have at least so many bytes.
    private static let picture = 1 << 20

    private let loop: EventLoop
    private let timer: Timer

    init(_ loop: EventLoop) {
        self.loop = loop
        Allocator.mapSeparately(from: Self.picture)
        Allocator.mergeImmediately()
        timer = Timer(loop) { _, _ in Allocator.trim() }
    }

    /// A client is going, for which so much was kept.
    func clientEnds(with bytes: Int) {
        guard bytes >= Self.least, !timer.isArmed else { return }
        timer.arm(at: loop.now + Self.pause)
    }
}
