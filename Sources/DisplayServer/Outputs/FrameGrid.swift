// The times of a screen's frames.

import WindowModel

/// A regular grid of ticks, like a display's vertical blanks. Ticks are never closer to each other than a period, and no
/// error accumulates.
///
/// An adaptive grid ends when a tick passes without a request, and the next request starts a new one: a late frame is shown
/// at once, as on a display with adaptive sync. Screens have such grids in real time. Manual time keeps its grids, so that
/// a tick never lies in the past.
struct FrameGrid {
    private let isAdaptive: Bool
    /// In mHz.
    private(set) var refresh: UInt64
    /// The start of the grid, in microseconds.
    private(set) var start: UInt64
    /// The number of the next tick on the grid.
    private(set) var next: UInt64 = 1
    /// The number of the screen's frame at the start of the grid.
    private(set) var firstFrame: UInt64 = 0
    /// When the next tick is due, in microseconds, and when the one after it is.
    private(set) var deadline: UInt64 = 0
    private var following: UInt64 = 0

    /// - Parameters:
    ///   - refresh: in mHz, at least 1.
    ///   - now: in microseconds, like all times here.
    init(isAdaptive: Bool, refresh: UInt64, now: UInt64) {
        self.isAdaptive = isAdaptive
        self.refresh = refresh
        // The first request starts an adaptive grid.
        start = isAdaptive ? 0 : now
        computeDeadlines()
    }

    /// Continues the grid of another server.
    mutating func restore(start: UInt64, next: UInt64, firstFrame: UInt64, now: UInt64) {
        guard start <= now, next < 1 << 33, firstFrame < 1 << 62 else { return }
        (self.start, self.next, self.firstFrame) = (start, next, firstFrame)
        computeDeadlines()
    }

    /// Changes the refresh rate, which restarts the grid; the next tick is a period away.
    mutating func setRefresh(_ refresh: UInt64, now: UInt64) {
        begin(at: now, next: 1)
        self.refresh = refresh
        computeDeadlines()
    }

    /// The frame of the next tick.
    func presentation(on screen: Screen.ID) -> Presentation {
        Presentation(screen: screen, time: deadline, sequence: firstFrame + next, refresh: refresh)
    }

    /// Called before the tick. A tick that is late by a period or more starts a new grid; otherwise the next one would
    /// follow immediately.
    mutating func willTick(at now: UInt64) {
        if isAdaptive, now >= following { begin(at: now, next: 0) }
    }

    /// Called after the tick.
    mutating func didTick() {
        next += 1
        (deadline, following) = (following, time(of: next + 1))
    }

    /// Called when a request arrives at `now` and no other is pending. Afterwards the deadline is not in the past.
    /// - Parameter isTimed: whether the request was made before, for this time: a tick that would be due now is not over.
    mutating func resume(at now: UInt64, isTimed: Bool = false) {
        guard now >= deadline else { return }
        guard !isAdaptive else { return begin(at: now, next: 0) }
        let passed = periods(until: now)
        next = isTimed && passed >= next && time(of: passed) == now ? passed : passed + 1
        computeDeadlines()
    }

    /// Computed from the tick's number, so that 59.94 Hz does not become 60.
    private func time(of number: UInt64) -> UInt64 {
        let passed = number.multipliedFullWidth(by: 1_000_000_000)
        // A division of 128 bits takes several times as long, and is needed only after years.
        let (whole, rest) =
            passed.high == 0
            ? passed.low.quotientAndRemainder(dividingBy: refresh) : refresh.dividingFullWidth(passed)
        return start + whole + (rest > 0 ? 1 : 0)
    }

    private mutating func computeDeadlines() { (deadline, following) = (time(of: next), time(of: next + 1)) }

    /// The number of whole periods since the start of the grid.
    private func periods(until now: UInt64) -> UInt64 {
        let passed = (now - start).multipliedFullWidth(by: refresh)
        return UInt64(1_000_000_000).dividingFullWidth(passed).quotient
    }

    /// Restarts the grid. The frame count continues, and includes frames that no client requested.
    private mutating func begin(at now: UInt64, next: UInt64) {
        firstFrame += periods(until: now)
        (start, self.next) = (now, next)
        computeDeadlines()
    }
}
