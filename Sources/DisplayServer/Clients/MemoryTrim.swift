// Returns free memory to the system.

import EventLoop
import MullionSystem

/// Trims the heap when a client that used much memory has gone, and after pictures with long lists of layers: malloc
/// keeps free memory between blocks in use, and the server would stay as large as it ever was.
///
/// Trimming 64 MiB takes some milliseconds, so it is done rarely, and not for typical clients and pictures.
final class MemoryTrim {
    /// The least memory of a client worth trimming, in bytes.
    private static let leastMemory = 4 << 20
    /// The least number of layers of a picture worth trimming.
    private static let leastLayers = 256
    /// The least time between trims for clients, in microseconds; clients often end together.
    private static let pause: UInt64 = 1_000_000
    /// The least time between a trim and one for pictures, in microseconds.
    private static let pauseForPictures: UInt64 = 10_000_000
    /// How long to wait after the last such picture, in microseconds.
    private static let rest: UInt64 = 200_000

    /// The least size of pictures and framebuffers, in bytes.
    private static let picture = 1 << 20

    private let loop: EventLoop
    private let clientTimer: Timer
    private let pictureTimer: Timer
    private var lastTrim: UInt64?
    private var lastPicture: UInt64 = 0
    private let trim: () -> Void

    /// - Parameter trim: returns free memory to the system.
    init(_ loop: EventLoop, trim: @escaping () -> Void = Allocator.trim) {
        self.loop = loop
        self.trim = trim
        Allocator.mapSeparately(from: Self.picture)
        Allocator.mergeImmediately()
        clientTimer = Timer(loop)
        pictureTimer = Timer(loop)
        clientTimer.handler = { [unowned self] _, now in trimNow(now) }
        pictureTimer.handler = { [unowned self] _, now in
            if now < lastPicture + Self.rest { return pictureTimer.arm(at: lastPicture + Self.rest) }
            trimNow(now)
        }
    }

    /// Called when a client that used this much memory ends.
    func clientEnds(with bytes: Int) {
        guard bytes >= Self.leastMemory, !clientTimer.isArmed else { return }
        clientTimer.arm(at: loop.now + Self.pause)
    }

    /// Called after a picture that needed lists of this many layers, or when such a list is freed.
    func pictureEnds(layers: Int) {
        guard layers >= Self.leastLayers else { return }
        lastPicture = loop.now
        guard !pictureTimer.isArmed else { return }
        let earliest = lastTrim.map { $0 + Self.pauseForPictures } ?? 0
        pictureTimer.arm(at: max(lastPicture + Self.rest, earliest))
    }

    /// When the next trim is due, in monotonic microseconds; nil: none is planned.
    var deadline: UInt64? {
        [clientTimer, pictureTimer].compactMap(\.deadline).min()
    }

    private func trimNow(_ now: UInt64) {
        lastTrim = now
        trim()
    }
}
