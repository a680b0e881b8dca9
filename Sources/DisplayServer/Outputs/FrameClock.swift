// Schedules frame callbacks of a screen.

import System
import WindowModel

/// Ticks at the screen's refresh rate while a request is pending, otherwise not at all; see `FrameGrid`.
///
/// A tick that is already due fires at the end of the turn at the latest, so that it includes all changes of the turn. In
/// real time, a surface's first callback is sent at the end of the turn as well, regardless of the grid: there is no
/// earlier frame to keep a distance from, and a program that shows many windows can draw them without waiting. Its
/// presentation feedback is sent with the next tick, and discarded if the client has replaced the frame by then.
final class FrameClock {
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
    /// Whether the next tick is due at the end of this turn.
    private var ticksAtOnce = false
    private unowned let server: DisplayServer
    private let clock: ServerClock
    private let screen: Screen.ID

    /// A surface's position in the waiting list.
    struct Place {
        let clock: FrameClock
        fileprivate var index: UInt32
    }

    /// - Parameter refresh: in mHz.
    init(_ server: DisplayServer, screen: Screen.ID, refresh: Int) {
        self.server = server
        clock = server.clock
        self.screen = screen
        grid = FrameGrid(server.clock.mode, refresh: UInt64(max(refresh, 1)), now: server.clock.now)
        timer = ClockTimer(server.clock) { [unowned self] _, now in tick(now) }
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
        if !surface.hadFrame, !surface.frameCallbacks.isEmpty, clock.mode == .real {
            arrived.append(surface)
            list()
        }
        armIfNeeded()
    }

    /// Removes a surface that is being destroyed. Cannot wait for the next tick: in manual time there may be none.
    func forget(_ surface: SurfaceResource) {
        guard let place = surface.framePlace else { return }
        let index = Int(place.index)
        surface.framePlace = nil
        guard index < waiting.count, waiting[index] === surface else { return }
        waiting[index] = nil
        vacancies += 1
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
        clock.mode == .real && waiting.contains { $0?.client === client }
    }

    private func armIfNeeded() {
        guard let timer, !timer.isArmed else { return }
        let now = clock.now
        grid.resume(at: now)
        timer.arm(at: grid.deadline)
        guard grid.deadline == now, clock.mode == .real else { return }
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
        guard waiting.count == vacancies, afterTick.isEmpty else { return }
        timer?.cancel()
        waiting.removeAll(keepingCapacity: true)
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
        let presentation = grid.presentation(on: screen)
        grid.didTick()
        ticksAtOnce = false
        if !arrived.isEmpty { arrived.removeAll(keepingCapacity: arrived.count <= 64) }
        swap(&waiting, &due)
        vacancies = 0
        let milliseconds = UInt32(truncatingIfNeeded: now / 1000)
        for case let surface? in due where surface.isAlive {
            if surface.isReplacedBufferDrawn, clock.mode == .real {
                // The client would have no buffer to draw into: it waits for the first tick after the drawing.
                surface.framePlace = nil
                schedule(surface)
                continue
            }
            sendCallbacks(of: surface, milliseconds)
            surface.present(presentation)
        }
        due.clear()
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
    @discardableResult
    func takeWaiting() -> [SurfaceResource] {
        let left = waiting.compactMap { $0 }
        for surface in left { surface.framePlace = nil }
        waiting = []
        arrived = []
        vacancies = 0
        return left
    }
}
