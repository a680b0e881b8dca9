// A seat's pointer: focus and events.

import MullionGeometry
import MullionWayland
import WindowModel

/// Sends pointer events to the client under the pointer (E5); only for a surface that was entered.
package final class Pointer {
    // The server owns its seats, a seat its pointer, and neither outlives its owner.
    unowned let server: DisplayServer
    unowned let seat: ServerSeat
    /// The surface that was entered.
    private(set) var surface: SurfaceResource?
    /// The position on the surface as last sent to its client.
    private var sentLocation = (x: Fixed(rawValue: 0), y: Fixed(rawValue: 0))
    /// The buttons that its client knows to be down, in order.
    private var buttons: [UInt32] = []
    /// Whether a relative motion was sent without its wl_pointer.frame.
    private var isFrameOpen = false
    /// Whether it is being moved to where it is already.
    var isStill = false
    private(set) lazy var cursor = Cursor(self)
    private lazy var gestures = PointerGestures(seat)
    /// The lock or confinement that is active now.
    var constraint: PointerConstraint?

    init(_ seat: ServerSeat) {
        server = seat.server
        self.seat = seat
    }

    /// The position in points of the screen; nil before the pointer first moves, and after its screen was unplugged.
    package var location: (screen: Screen.ID, point: Point)? { server.model.pointerLocation(of: seat.id) }

    /// The position on a surface, in its points.
    func location(on surface: SurfaceResource) -> Point? {
        location.flatMap { server.model.convert($0.point, on: $0.screen, to: surface.node) }
    }

    // MARK: Focus

    /// Called when the pointer is over another surface, or none. `releasesButtons`: whether releases are sent for
    /// pressed buttons.
    func focus(on focus: PointerFocus?, releasesButtons: Bool = true) {
        let id = focus.flatMap { $0.surface ?? server.model.root(of: $0.window) }
        let next = id.flatMap { server.surfaces[$0] }
        // Even if the previous surface has already been destroyed.
        defer { cursor.focusDidChange(to: next?.client) }
        guard next !== surface else { return }
        // A relative motion in the same group is completed by a motion: Xwayland would move its pointer by it after the
        // enter, away from where it is.
        let hasMoved = isFrameOpen && next?.client === surface?.client
        let time = UInt32(truncatingIfNeeded: server.clock.now / 1000)
        // Leave and enter are one group if both surfaces belong to the same client.
        leave(releasingButtons: releasesButtons, endingFrame: next?.client !== surface?.client)
        surface = next
        if let next, let location = focus?.location {
            rememberSent(location)
            let serial = seat.nextSerial()
            for pointer in next.client.seat(seat).pointers {
                pointer.enter(
                    next, sentLocation.x, sentLocation.y, serial: serial, motionTime: hasMoved ? time : nil)
            }
        }
        updateConstraint()
    }

    private func leave(releasingButtons: Bool, endingFrame: Bool) {
        guard let old = surface else { return }
        constraint?.deactivate()
        // E9: not later than what the model has recorded and clients are yet to be sent.
        if releasingButtons { releaseButtons(server.model.now) }
        let serial = seat.nextSerial()
        for pointer in old.client.seat(seat).pointers {
            pointer.leave(old, serial: serial)
            if endingFrame { pointer.endFrame() }
        }
        buttons.removeAll(keepingCapacity: true)
        isFrameOpen = false
        surface = nil
    }

    /// Called when a client made a pointer object while one of its surfaces has the focus.
    func didAdd(_ pointer: PointerResource) {
        guard let surface, surface.isAlive, surface.connection === pointer.connection else { return }
        if let location = location(on: surface) { rememberSent(location) }
        pointer.enter(surface, sentLocation.x, sentLocation.y, serial: seat.nextSerial())
    }

    /// Called when the surface is being destroyed: the pointer leaves it now, because the leave names it.
    func surfaceWillBeDestroyed(_ gone: SurfaceResource) {
        if surface === gone { leave(releasingButtons: true, endingFrame: true) }
    }

    // MARK: Events

    /// - Parameter target: the surface that the model chose; nothing is sent if the pointer has not entered it, because
    ///   a sequence stays where it began (E5).
    /// - Parameter serial: for a button.
    /// - Returns: whether the client has an object for it.
    func deliver(_ event: Event, to target: SurfaceResource?, serial: UInt32) -> Bool {
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        if case .transform(let gesture) = event.detail {
            return gestures.deliver(gesture, event, to: target, hasEntered: target === surface)
        }
        guard let surface, surface.isAlive, target === surface else { return false }
        deliver(event, time, on: surface, serial: serial)
        return !surface.client.seat(seat).pointers.isEmpty
    }

    private func deliver(_ event: Event, _ time: UInt32, on surface: SurfaceResource, serial: UInt32) {
        switch event.detail {
        case .pointer:
            // Leaving and entering are sent by `focus`; but an enter delayed by E7 can have another position.
            guard event.phase == .moved || (event.phase == .began && !wasSent(event.location)) else { return }
            move(to: event.location, on: surface, time)
            updateConstraint()
        case .button(let code):
            guard event.phase != .cancelled else { return releaseButtons(event.timestamp) }
            button(code, isDown: event.phase == .began, on: surface, time, serial: serial)
            // During the grab only motion updated the position; if content moved under the pointer, send the new one
            // now.
            guard buttons.isEmpty, !wasSent(event.location) else { return }
            move(to: event.location, on: surface, time)
            updateConstraint()
        case .scroll:
            guard case .scroll(let scroll) = surface.client.seen(event).detail else { return }
            for pointer in surface.client.seat(seat).pointers { pointer.scroll(scroll, event.phase, time) }
        default: break
        }
    }

    private func move(to location: Point, on surface: SurfaceResource, _ time: UInt32) {
        // A locked pointer does not move; only relative motion is sent.
        guard constraint?.holdsStill != true else { return endFrame() }
        // To Xwayland, a motion without a relative one is another device's than scrolling, and programs ignore the first
        // scrolling step of a device that they have just been notified of.
        guard isFrameOpen || !isStill || !wasSent(location) else { return }
        isFrameOpen = false
        rememberSent(location)
        for pointer in surface.client.seat(seat).pointers {
            pointer.send(WlPointer.Event.motion(time: time, surfaceX: sentLocation.x, surfaceY: sentLocation.y))
            pointer.endFrame()
        }
    }

    private func button(
        _ code: UInt32, isDown: Bool, on surface: SurfaceResource, _ time: UInt32, serial: UInt32? = nil
    ) {
        if isDown {
            buttons.append(code)
        } else {
            // Ignore a button that was pressed elsewhere, or already released by a cancellation.
            guard let index = buttons.firstIndex(of: code) else { return }
            buttons.remove(at: index)
        }
        let serial = serial ?? seat.nextSerial()
        for pointer in surface.client.seat(seat).pointers {
            pointer.send(
                WlPointer.Event.button(
                    serial: serial, time: time, button: code, state: isDown ? .pressed : .released))
            pointer.endFrame()
        }
    }

    /// E2: a cancelled press is sent as a release of all pressed buttons, because wl_pointer has no cancellation.
    private func releaseButtons(_ timestamp: UInt64) {
        guard let surface else { return }
        let time = UInt32(truncatingIfNeeded: timestamp / 1000)
        while let code = buttons.last { button(code, isDown: false, on: surface, time) }
    }

    /// Called when content moved under a pointer that did not: its client is sent the new position.
    func contentsDidMove(on screen: Screen.ID) {
        guard let surface, surface.isAlive, buttons.isEmpty, self.location?.screen == screen,
            let location = location(on: surface), !wasSent(location)
        else { return }
        move(to: location, on: surface, UInt32(truncatingIfNeeded: server.clock.now / 1000))
        updateConstraint()
    }

    private func rememberSent(_ location: Point) {
        sentLocation = (Fixed(rounding: location.x), Fixed(rounding: location.y))
    }

    private func wasSent(_ location: Point) -> Bool {
        sentLocation == (Fixed(rounding: location.x), Fixed(rounding: location.y))
    }

    // MARK: Relative motion

    /// Sends the relative motion, in points, even if the pointer cannot move.
    func moved(by delta: Point, at time: UInt64) {
        guard let surface, surface.isAlive, !surface.client.seat(seat).relativePointers.isEmpty else { return }
        // R3: as the positions on the surface.
        let delta = surface.client.seen(delta, on: surface.window.flatMap { server.model.screen(of: $0) })
        for pointer in surface.client.seat(seat).relativePointers { pointer.move(delta, time) }
        isFrameOpen = true
    }

    /// Ends the group of a relative motion, unless a motion has done that.
    func endFrame() {
        guard isFrameOpen else { return }
        isFrameOpen = false
        for pointer in surface?.client.seat(seat).pointers ?? [] { pointer.endFrame() }
    }
}
