// The times for which commits wait.

import EventLoop

/// The surfaces whose next commit waits for a time, and the timer for the earliest.
///
/// A commit is applied at its time, and the first frame from then on shows it; one that is due with a frame is applied
/// just before it (`FrameClock`).
final class CommitTimes {
    /// Ordered by time.
    private var entries: [(time: UInt64, surface: SurfaceResource)] = []
    private var timer: ClockTimer?
    /// Whether what is due is being applied.
    private(set) var isAdvancing = false

    init(_ clock: ServerClock) {
        timer = ClockTimer(clock) { [unowned self] _, now in advance(to: now) }
    }

    func wait(for surface: SurfaceResource, until time: UInt64) {
        guard surface.extensions?.dueTime != time else { return }
        forget(surface)
        surface.ownExtensions.dueTime = time
        surface.client.timedSurfaces += 1
        entries.insert((time, surface), at: index(after: time))
        arm()
    }

    func forget(_ surface: SurfaceResource) {
        guard let time = surface.extensions?.dueTime else { return }
        didForget(surface)
        guard let index = entries[..<index(after: time)].lastIndex(where: { $0.surface === surface }) else { return }
        entries.remove(at: index)
        arm()
    }

    private func didForget(_ surface: SurfaceResource) {
        surface.extensions?.dueTime = nil
        surface.client.timedSurfaces -= 1
    }

    /// Applies what is due at that time.
    func advance(to now: UInt64) {
        guard let first = entries.first, first.time <= now else { return }
        let count = index(after: now)
        let due = entries[..<count].map(\.surface)
        entries.removeFirst(count)
        for surface in due { didForget(surface) }
        arm()
        isAdvancing = true
        for surface in due where surface.isAlive { surface.advanceQueue(at: now) }
        isAdvancing = false
    }

    /// The index of the first entry later than that time.
    private func index(after time: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func arm() {
        if let first = entries.first { timer?.arm(at: first.time) } else { timer?.cancel() }
    }
}
