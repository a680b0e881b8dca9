// When frame callbacks are due on a screen.

/// Ticks at the screen's refresh rate on absolute deadlines while somebody waits, and not at all otherwise.
///
/// The ticks lie on a grid, as a display's vertical blanks do: a client that is late waits for the next one, and no
/// error adds up. After a pause of two periods real time has no grid to keep: the first tick comes at once. Manual time
/// keeps its grid for ever, so that a tick is always still to come.
final class FrameClock {
    /// In mHz.
    private var refresh: UInt64
    /// Where the grid begins, in microseconds.
    private(set) var start: UInt64
    /// The number of the next tick on the grid.
    private(set) var next: UInt64 = 1
    /// The number of the screen's frame at which the grid begins.
    private(set) var firstFrame: UInt64 = 0
    private var waiting: [SurfaceResource?] = []
    private var due: [SurfaceResource?] = []
    /// How many places of `waiting` nobody has any more.
    private var vacancies = 0
    private var afterTick: [() -> Void] = []
    private var timer: ClockTimer?
    private let clock: ServerClock

    /// Where a surface waits.
    struct Place {
        let clock: FrameClock
        fileprivate var index: Int
    }

    /// - Parameter refresh: in mHz.
    init(_ clock: ServerClock, refresh: Int) {
        self.clock = clock
        self.refresh = UInt64(max(refresh, 1))
        // Real time finds a pause before the first tick.
        start = clock.mode == .real ? 0 : clock.now
        timer = ClockTimer(clock) { [unowned self] deadline, now in tick(deadline, now) }
    }

    /// Goes on with the grid of another server.
    func restore(start: UInt64, next: UInt64, frame: UInt64) {
        guard start <= clock.now, next < 1 << 33, frame < 1 << 62 else { return }
        (self.start, self.next, firstFrame) = (start, next, frame)
    }

    /// A mode change: the grid starts anew.
    func setRefresh(_ refresh: Int) {
        let refresh = UInt64(max(refresh, 1))
        guard refresh != self.refresh else { return }
        beginGrid(at: clock.now, next: 1)
        self.refresh = refresh
        if let timer, timer.isArmed { timer.arm(at: deadline(next)) }
    }

    /// When a tick is due, in microseconds: exact for any number, so that 59.94 Hz does not become 60.
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

    /// The surface goes, and waits no more: with manual time there may never be another tick.
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

    /// Whether the client waits for a frame that comes without anybody stepping the time.
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
            }
        }
        timer.arm(at: deadline(next))
    }

    /// How many whole periods of the grid have passed.
    private func periods(until now: UInt64) -> UInt64 {
        let passed = (now - start).multipliedFullWidth(by: refresh)
        return UInt64(1_000_000_000).dividingFullWidth(passed).quotient
    }

    /// Frames go on being counted, those too that nobody waited for.
    private func beginGrid(at now: UInt64, next: UInt64) {
        firstFrame += periods(until: now)
        (start, self.next) = (now, next)
    }

    private func tick(_ deadline: UInt64, _ now: UInt64) {
        let presentation = Presentation(time: deadline, sequence: firstFrame + next, refresh: refresh)
        next += 1
        swap(&waiting, &due)
        vacancies = 0
        let milliseconds = UInt32(truncatingIfNeeded: now / 1000)
        for case let surface? in due where surface.isAlive {
            // First the free buffers, then the callback: the client draws as soon as it reads that.
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

    /// The screen goes: those that wait go on waiting, for another screen.
    func stop() -> [SurfaceResource] {
        timer?.cancel()
        afterTick = []
        let left = waiting.compactMap { $0 }
        for surface in left { surface.framePlace = nil }
        waiting = []
        vacancies = 0
        return left
    }
}
