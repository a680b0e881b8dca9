// When frame callbacks are due on a screen.

import EventLoop

/// Ticks at the screen's refresh rate on absolute deadlines while somebody waits, and not at all otherwise.
///
/// The ticks lie on a grid, as a display's vertical blanks do: a client that is late waits for the next one, and no
/// error adds up. After a pause of two periods there is no grid to keep: the first tick comes at once.
final class FrameClock {
    /// Nanoseconds from one tick to the next; exact enough that 59.94 Hz does not become 60.
    private(set) var period: UInt64
    /// The last tick, in nanoseconds.
    private var lastTick: UInt64 = 0
    private var waiting: [SurfaceResource] = []
    private var due: [SurfaceResource] = []
    private var afterTick: [() -> Void] = []
    private var timer: Timer?
    private let loop: EventLoop

    /// - Parameter refresh: in mHz.
    init(_ loop: EventLoop, refresh: Int) {
        self.loop = loop
        period = Self.period(refresh)
        timer = Timer(loop) { [unowned self] _, _ in tick() }
    }

    /// A mode change: the grid starts anew.
    func setRefresh(_ refresh: Int) { period = Self.period(refresh) }

    private static func period(_ refresh: Int) -> UInt64 { 1_000_000_000_000 / UInt64(max(refresh, 1)) }

    /// Sends the surface's frame callbacks at the next tick.
    func schedule(_ surface: SurfaceResource) {
        guard !surface.isAwaitingFrame else { return }
        surface.isAwaitingFrame = true
        waiting.append(surface)
        armIfNeeded()
    }

    /// Runs `body` once after the next tick.
    func afterNextTick(_ body: @escaping () -> Void) {
        afterTick.append(body)
        armIfNeeded()
    }

    private func armIfNeeded() {
        guard let timer, !timer.isArmed else { return }
        let now = loop.now * 1000
        let next = lastTick + period
        if now < next {
            timer.arm(at: (next + 999) / 1000)
        } else if now - lastTick < 2 * period {
            lastTick = next
            timer.arm(at: (next + period + 999) / 1000)
        } else {
            lastTick = now - period
            timer.arm(at: now / 1000)
        }
    }

    private func tick() {
        lastTick += period
        swap(&waiting, &due)
        let milliseconds = UInt32(truncatingIfNeeded: loop.now / 1000)
        for surface in due where surface.isAlive {
            // First the free buffers, then the callback: the client draws as soon as it reads that.
            surface.client.sendReleases()
            for callback in surface.takeFrameCallbacks() {
                surface.connection.finishCallback(callback, data: milliseconds)
            }
        }
        due.removeAll(keepingCapacity: true)
        guard !afterTick.isEmpty else { return }
        let bodies = afterTick
        afterTick = []
        for body in bodies { body() }
    }

    /// The screen goes: those that wait go on waiting, for another screen.
    func stop() -> [SurfaceResource] {
        timer?.cancel()
        afterTick = []
        let left = waiting
        for surface in left { surface.isAwaitingFrame = false }
        waiting = []
        return left
    }
}
