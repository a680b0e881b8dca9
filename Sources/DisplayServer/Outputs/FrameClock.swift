// Schedules frame callbacks of a screen, and of what no screen shows.

import MullionSystem
import WindowModel

/// Ticks at the screen's refresh rate while a request is pending, otherwise not at all; see `FrameGrid`.
///
/// A tick that is already due fires at the end of the turn at the latest, so that it includes all changes of the turn. In
/// real time, a surface's first callback is sent at the end of the turn as well, regardless of the grid: there is no
/// earlier frame to keep a distance from, and a program that shows many windows can draw them without waiting. Its
/// presentation feedback is sent with the next tick, and discarded if the client has replaced the frame by then.
///
/// V3: one clock without a screen serves the surfaces that no screen shows, at whole seconds of the server's time.
/// Programs wait for a frame callback while they swap their buffers, and would hang without any.
final class FrameClock {
    /// The rate of what no screen shows, in mHz.
    private static let unseenRefresh: UInt64 = 1000

    private(set) var grid: FrameGrid
    private var waiting: [SurfaceResource?] = []
    private var due: [SurfaceResource?] = []
    /// The number of unused places in `waiting`.
    private var vacancies = 0
    /// Those of the waiting surfaces that have not had a callback yet.
    private var arrived: [SurfaceResource] = []
    private var afterTick: [() -> Void] = []
    private var timer: ClockTimer?
    /// Whether the server calls `turnWillEnd`.
    private var isListed = false
    /// Whether commits are being applied that the tick in progress is to show.
    private var isLatching = false
    /// Whether the next tick is due at the end of this turn.
    private var ticksAtOnce = false
    private unowned let server: DisplayServer
    private let clock: ServerClock
    /// Nil for what no screen shows.
    private let screen: Screen.ID?
    /// Whether a frame that is late is answered at once.
    private let isAdaptive: Bool

    /// A surface's position in the waiting list.
    struct Place {
        let clock: FrameClock
        fileprivate var index: UInt32

        /// Whether the surface waits for the next frame of a screen.
        var isOnScreen: Bool { clock.screen != nil }
    }

    /// - Parameter refresh: in mHz.
    init(_ server: DisplayServer, screen: Screen.ID, refresh: Int) {
        self.server = server
        clock = server.clock
        self.screen = screen
        isAdaptive = clock.mode == .real
        grid = FrameGrid(isAdaptive: isAdaptive, refresh: UInt64(max(refresh, 1)), now: clock.now)
        timer = ClockTimer(clock) { [unowned self] _, now in tick(now) }
    }

    /// V3: the clock of what no screen shows. Its ticks are no activity: nobody sees what they cause.
    init(ofUnseenOn server: DisplayServer) {
        self.server = server
        clock = server.clock
        screen = nil
        isAdaptive = false
        grid = FrameGrid(isAdaptive: false, refresh: Self.unseenRefresh, now: 0)
        timer = ClockTimer(clock, isActivity: false) { [unowned self] _, now in tick(now) }
    }

    /// Continues the grid of another server.
    func restore(start: UInt64, next: UInt64, firstFrame: UInt64) {
        grid.restore(start: start, next: next, firstFrame: firstFrame, now: clock.now)
    }

    /// Changes the refresh rate, which restarts the grid.
    func setRefresh(_ refresh: Int) {
        let refresh = UInt64(max(refresh, 1))
        guard refresh != grid.refresh else { return }
        grid.setRefresh(refresh, now: clock.now)
        ticksAtOnce = false
        if let timer, timer.isArmed { timer.arm(at: grid.deadline) }
    }

    /// Sends the surface's frame callbacks at the next tick.
    func schedule(_ surface: SurfaceResource) {
        guard surface.framePlace == nil else { return }
        surface.framePlace = Place(clock: self, index: UInt32(waiting.count))
        waiting.append(surface)
        if !surface.hadFrame, !surface.frameCallbacks.isEmpty, isAdaptive {
            arrived.append(surface)
            list()
        }
        armIfNeeded()
    }

    /// Removes a surface that is being destroyed or waits for another clock. Cannot wait for the next tick: in manual time
    /// there may be none.
    func forget(_ surface: SurfaceResource) {
        guard let place = surface.framePlace else { return }
        let index = Int(place.index)
        surface.framePlace = nil
        guard index < waiting.count, waiting[index] === surface else { return }
        waiting[index] = nil
        vacancies += 1
        // Most windows wait here for a moment before they are shown, which must not wake an idle server later.
        if screen == nil, waiting.count == vacancies { return stopTicking() }
        guard vacancies > max(16, waiting.count / 2) else { return }
        waiting.removeAll { $0 == nil }
        vacancies = 0
        for (index, surface) in waiting.enumerated() { surface?.framePlace?.index = UInt32(index) }
    }

    /// Runs `body` once after the next tick.
    func afterNextTick(_ body: @escaping () -> Void) {
        afterTick.append(body)
        armIfNeeded()
    }

    /// Whether the client waits for a frame that comes without stepping the time.
    func owes(_ client: Client) -> Bool {
        isAdaptive && waiting.contains { $0?.client === client }
    }

    private func armIfNeeded() {
        guard let timer, !timer.isArmed, !isLatching else { return }
        let now = clock.now
        grid.resume(at: now, isTimed: server.commitTimes.isAdvancing)
        timer.arm(at: grid.deadline)
        guard grid.deadline == now, isAdaptive else { return }
        ticksAtOnce = true
        list()
    }

    private func list() {
        guard !isListed else { return }
        isListed = true
        server.clocksDue.append(self)
    }

    /// Called at the end of a turn in which a tick became due at once or a surface arrived.
    func turnWillEnd() {
        isListed = false
        // Work that follows a tick may take long, so such a tick gets a turn of its own.
        if ticksAtOnce, afterTick.isEmpty {
            timer?.cancel()
            tick(clock.now)
        } else {
            sendFirstFrames()
        }
    }

    private func sendFirstFrames() {
        guard !arrived.isEmpty else { return }
        let milliseconds = UInt32(truncatingIfNeeded: clock.now / 1000)
        for surface in arrived where surface.isAlive && surface.framePlace?.clock === self {
            forget(surface)
            sendCallbacks(of: surface, milliseconds)
            // Presentation feedback waits for the tick.
            server.scheduleFrame(for: surface)
        }
        arrived.removeAll(keepingCapacity: arrived.count <= 64)
        if waiting.count == vacancies, afterTick.isEmpty { stopTicking() }
    }

    /// Called when nothing is left to wait for.
    private func stopTicking() {
        timer?.cancel()
        waiting.removeAll(keepingCapacity: waiting.count <= 64)
        vacancies = 0
    }

    private func sendCallbacks(of surface: SurfaceResource, _ milliseconds: UInt32) {
        // Send releases before the callback, because the client draws as soon as it reads that.
        surface.client.sendReleases()
        surface.takeFrameCallbacks().forEach { callback in
            surface.hadFrame = true
            surface.connection.finishCallback(callback, data: milliseconds)
            surface.client.server.counters.frameCallbacks &+= 1
        }
    }

    private func tick(_ now: UInt64) {
        grid.willTick(at: now)
        isLatching = true
        server.commitTimes.advance(to: grid.deadline)
        isLatching = false
        let presentation = screen.map { grid.presentation(on: $0) }
        grid.didTick()
        ticksAtOnce = false
        if !arrived.isEmpty { arrived.removeAll(keepingCapacity: arrived.count <= 64) }
        swap(&waiting, &due)
        vacancies = 0
        var barred: [SurfaceResource] = []
        let milliseconds = UInt32(truncatingIfNeeded: now / 1000)
        for case let surface? in due where surface.isAlive {
            if surface.isReplacedBufferDrawn, clock.mode == .real {
                // The client would have no buffer to draw into: it waits for the first tick after the drawing.
                surface.framePlace = nil
                schedule(surface)
                continue
            }
            sendCallbacks(of: surface, milliseconds)
            if let presentation { surface.present(presentation) } else { surface.missPresentation() }
            if surface.hasBarrier { barred.append(surface) }
        }
        due.clear()
        // What waits for this frame is for the next one, also where it is part of other surfaces' commits.
        for surface in barred where surface.isAlive { surface.liftBarrier() }
        guard !afterTick.isEmpty else { return }
        let bodies = afterTick
        afterTick = []
        for body in bodies { body() }
    }

    /// Stops because the screen is disconnected.
    /// - Returns: the waiting surfaces, to wait for another screen.
    func stop() -> [SurfaceResource] {
        timer?.cancel()
        ticksAtOnce = false
        afterTick = []
        return takeWaiting()
    }

    /// Takes the waiting surfaces from the clock; their frame callbacks wait until they are scheduled again.
    func takeWaiting() -> [SurfaceResource] {
        let left = waiting.compactMap { $0 }
        for surface in left { surface.framePlace = nil }
        waiting = []
        arrived = []
        vacancies = 0
        return left
    }
}
