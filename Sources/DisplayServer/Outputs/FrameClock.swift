// Schedules frame callbacks of a screen.

import WindowModel

/// Ticks at the screen's refresh rate on absolute deadlines while somebody waits, otherwise not at all.
///
/// The ticks are on a regular grid, like a display's vertical blanks: a client that is late waits for the next tick,
/// and no error accumulates. In real time, the grid restarts after a pause of two periods, so that the first tick
/// comes as soon as the requests that have arrived are handled. Manual time keeps its grid, so that a tick never
/// lies in the past.
final class FrameClock {
    /// In mHz.
    private var refresh: UInt64
    /// The start of the grid, in microseconds.
    private(set) var start: UInt64
    /// The number of the next tick on the grid.
    private(set) var next: UInt64 = 1
    /// The number of the screen's frame at the start of the grid.
    private(set) var firstFrame: UInt64 = 0
    private var waiting: [SurfaceResource?] = []
    private var due: [SurfaceResource?] = []
    /// The number of unused places in `waiting`.
    private var vacancies = 0
    private var afterTick: [() -> Void] = []
    private var timer: ClockTimer?
    /// While the first tick after a pause waits for surfaces that are still arriving: until when at most, and how many
    /// have arrived.
    private var gathering: (end: UInt64, surfaces: Int)?
    private let clock: ServerClock
    private let turns: ClientTurns

    /// The longest pause of a program between two surfaces that it shows together, in microseconds.
    private static let gap: UInt64 = 250

    /// A surface's position in the waiting list.
    struct Place {
        let clock: FrameClock
        fileprivate var index: Int
    }

    private let screen: Screen.ID

    /// - Parameter refresh: in mHz.
    init(_ clock: ServerClock, turns: ClientTurns, screen: Screen.ID, refresh: Int) {
        self.clock = clock
        self.turns = turns
        self.screen = screen
        self.refresh = UInt64(max(refresh, 1))
        // In real time, the first tick always follows a pause.
        start = clock.mode == .real ? 0 : clock.now
        timer = ClockTimer(clock) { [unowned self] deadline, now in tick(deadline, now) }
    }

    /// Continues the grid of another server.
    func restore(start: UInt64, next: UInt64, firstFrame: UInt64) {
        guard start <= clock.now, next < 1 << 33, firstFrame < 1 << 62 else { return }
        (self.start, self.next, self.firstFrame) = (start, next, firstFrame)
    }

    /// Changes the refresh rate, which restarts the grid.
    func setRefresh(_ refresh: Int) {
        let refresh = UInt64(max(refresh, 1))
        guard refresh != self.refresh else { return }
        beginGrid(at: clock.now, next: 1)
        gathering = nil
        self.refresh = refresh
        if let timer, timer.isArmed { timer.arm(at: deadline(next)) }
    }

    /// The deadline of a tick, in microseconds: computed from its number, so that 59.94 Hz does not become 60.
    private func deadline(_ number: UInt64) -> UInt64 {
        let (whole, rest) = refresh.dividingFullWidth(number.multipliedFullWidth(by: 1_000_000_000))
        return start + whole + (rest > 0 ? 1 : 0)
    }

    /// Sends the surface's frame callbacks at the next tick.
    func schedule(_ surface: SurfaceResource) {
        guard surface.framePlace == nil else { return }
        surface.framePlace = Place(clock: self, index: waiting.count)
        waiting.append(surface)
        armIfNeeded()
    }

    /// Removes a surface that is being destroyed. Cannot wait for the next tick: in manual time there may be none.
    func forget(_ surface: SurfaceResource) {
        guard let index = surface.framePlace?.index else { return }
        surface.framePlace = nil
        guard index < waiting.count, waiting[index] === surface else { return }
        waiting[index] = nil
        vacancies += 1
        guard vacancies > max(16, waiting.count / 2) else { return }
        waiting.removeAll { $0 == nil }
        vacancies = 0
        for (index, surface) in waiting.enumerated() { surface?.framePlace?.index = index }
    }

    /// Runs `body` once after the next tick.
    func afterNextTick(_ body: @escaping () -> Void) {
        afterTick.append(body)
        armIfNeeded()
    }

    /// Whether the client waits for a frame that comes without stepping the time.
    func owes(_ client: Client) -> Bool {
        clock.mode == .real && waiting.contains { $0?.client === client }
    }

    private func armIfNeeded() {
        guard let timer, !timer.isArmed else { return }
        let now = clock.now
        if now >= deadline(next) {
            if clock.mode == .manual {
                next = periods(until: now) + 1
            } else if now < deadline(next + 1) {
                next += 1
            } else {
                beginGrid(at: now, next: 0)
                gathering = (now + period / 4, max(1, waiting.count))
            }
        }
        timer.arm(at: deadline(next))
    }

    /// In microseconds, rounded down.
    private var period: UInt64 { 1_000_000_000 / refresh }

    /// The number of whole periods since the start of the grid.
    private func periods(until now: UInt64) -> UInt64 {
        let passed = (now - start).multipliedFullWidth(by: refresh)
        return UInt64(1_000_000_000).dividingFullWidth(passed).quotient
    }

    /// Restarts the grid. The frame count continues, including frames that nobody waited for.
    private func beginGrid(at now: UInt64, next: UInt64) {
        firstFrame += periods(until: now)
        (start, self.next) = (now, next)
    }

    /// Postpones the first tick after a pause while surfaces are still arriving, so that a program that shows many windows
    /// at once receives its callbacks together.
    private func postpone(_ now: UInt64) -> Bool {
        guard let (end, surfaces) = gathering, now < end, turns.isBusy || waiting.count > surfaces else {
            gathering = nil
            return false
        }
        gathering = (end, waiting.count)
        timer?.arm(at: turns.isBusy ? now : min(now + Self.gap, end))
        return true
    }

    private func tick(_ deadline: UInt64, _ now: UInt64) {
        let isFirst = gathering != nil
        guard !postpone(now) else { return }
        // The grid begins with this tick.
        if isFirst { start = deadline }
        let presentation = Presentation(
            screen: screen, time: deadline, sequence: firstFrame + next, refresh: refresh)
        next += 1
        swap(&waiting, &due)
        vacancies = 0
        let milliseconds = UInt32(truncatingIfNeeded: now / 1000)
        for case let surface? in due where surface.isAlive {
            // Send releases before the callback, because the client draws as soon as it reads that.
            surface.client.sendReleases()
            for callback in surface.takeFrameCallbacks() {
                surface.connection.finishCallback(callback, data: milliseconds)
                surface.client.server.counters.frameCallbacks &+= 1
            }
            surface.present(presentation)
        }
        due.removeAll(keepingCapacity: true)
        guard !afterTick.isEmpty else { return }
        let bodies = afterTick
        afterTick = []
        for body in bodies { body() }
    }

    /// Stops because the screen is disconnected.
    /// - Returns: the waiting surfaces, to wait for another screen.
    func stop() -> [SurfaceResource] {
        timer?.cancel()
        afterTick = []
        return takeWaiting()
    }

    /// Takes the waiting surfaces from the clock; their frame callbacks wait until they are scheduled again.
    @discardableResult
    func takeWaiting() -> [SurfaceResource] {
        let left = waiting.compactMap { $0 }
        for surface in left { surface.framePlace = nil }
        waiting = []
        vacancies = 0
        return left
    }
}
