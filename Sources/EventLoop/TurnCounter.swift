// Shows a watchdog thread whether a loop is waiting or working.

import CLibevent
import Glibc
import Synchronization

/// Counts a loop's turns. The loop's thread writes it; another thread reads it, and sleeps while the loop does.
public final class TurnCounter: Sendable {
    private let count = Atomic<UInt64>(0)
    private let isWatcherAsleep = Atomic(false)
    private let wake: Int32

    init() throws(EventLoopError) {
        wake = loop_wake_new()
        guard wake >= 0 else { throw EventLoopError("eventfd", code: errno) }
    }

    deinit { close(wake) }

    /// Odd while handlers run; a value never recurs.
    public var turn: UInt64 { count.load(ordering: .sequentiallyConsistent) }

    /// Called once per turn, before the first handler.
    func begin() {
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
        if isWatcherAsleep.load(ordering: .sequentiallyConsistent) { wakeWatcher() }
    }

    /// Called after the last handler.
    func end() { count.store(count.load(ordering: .relaxed) &+ 1, ordering: .releasing) }

    /// Waits until a turn begins, or until `wakeWatcher` is called. While the loop is idle, the process never wakes.
    public func waitForTurn() {
        isWatcherAsleep.store(true, ordering: .sequentiallyConsistent)
        var descriptor = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        if turn & 1 == 0 { unsafe poll(&descriptor, 1, -1) }
        isWatcherAsleep.store(false, ordering: .sequentiallyConsistent)
        var ignored: UInt64 = 0
        _ = unsafe read(wake, &ignored, 8)
    }

    public func wakeWatcher() {
        guard isWatcherAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        _ = unsafe write(wake, &one, 8)
    }
}
