// Fingers: turns touches into the events of wl_touch (E1, E2).

import Wayland
import WindowModel

/// The fingers that are down, by the clients that hold them.
final class Touch {
    private struct Finger {
        var grab: ImplicitGrab
        /// What the client knows of the touched area.
        var shape = TouchShape()
    }

    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    /// wl_touch.cancel ends all of one client's.
    private var fingers: [Int32: Finger] = [:]
    /// E9: touches that happen as one are one frame: those of `group` were told to these clients without it.
    private var group: UInt64 = 0
    private var unframed: [Client] = []

    init(_ server: DisplayServer, _ seat: ServerSeat) {
        self.server = server
        self.seat = seat
    }

    func deliver(_ id: Int32, _ event: Event, _ time: UInt32) {
        if event.group != group { endFrame() }
        group = event.group
        if seat.dragAndDrop.takes(touch: id) {
            return seat.dragAndDrop.deliver(event, isLast: event.phase == .ended, time: time)
        }
        let x = Fixed(rounding: event.location.x)
        let y = Fixed(rounding: event.location.y)
        switch event.phase {
        case .began:
            guard let surface = seat.target(event) else { return }
            // An input method's pop-up is in a window of another client.
            let client = surface.client
            let serial = server.nextSerial()
            fingers[id] = Finger(grab: ImplicitGrab(event, of: client.application, code: 0, serial: serial))
            for touch in client.seat(seat).touches {
                touch.send(
                    WlTouch.Event.down(serial: serial, time: time, surface: surface.id, id: id, x: x, y: y))
            }
            tellShape(of: id, event, to: client)
        case .moved:
            guard let client = holder(of: id) else { return }
            fingers[id]?.grab.move(event)
            for touch in client.seat(seat).touches { touch.send(WlTouch.Event.motion(time: time, id: id, x: x, y: y)) }
            tellShape(of: id, event, to: client)
        case .stationary:
            guard let client = holder(of: id) else { return }
            tellShape(of: id, event, to: client)
        case .ended:
            guard let client = holder(of: id) else { return }
            fingers[id] = nil
            let serial = server.nextSerial()
            for touch in client.seat(seat).touches { touch.send(WlTouch.Event.up(serial: serial, time: time, id: id)) }
            needsFrame(client)
        case .cancelled:
            if let client = holder(of: id) { cancelTouches(of: client) }
            fingers[id] = nil
        }
    }

    private func holder(of id: Int32) -> Client? { fingers[id].flatMap { server.client($0.grab.application) } }

    /// E2: wl_touch knows only one cancel, for all touches of the client: none of them may read as a tap.
    private func cancelTouches(of client: Client) {
        if let index = unframed.firstIndex(where: { $0 === client }) { endFrame(of: unframed.remove(at: index)) }
        fingers = fingers.filter { $0.value.grab.application != client.application }
        for touch in client.seat(seat).touches { touch.send(WlTouch.Event.cancel) }
    }

    // MARK: Shapes

    /// Tells what is measured of the finger, and has changed. A finger that stands still with nothing new is silent.
    private func tellShape(of id: Int32, _ event: Event, to client: Client) {
        let old = fingers[id]?.shape ?? TouchShape()
        let new = TouchShape(event, in: server.model, after: old)
        if new != old {
            fingers[id]?.shape = new
            for touch in client.seat(seat).touches where touch.version >= 6 {
                if new.major != old.major || new.minor != old.minor {
                    touch.send(WlTouch.Event.shape(id: id, major: new.major, minor: new.minor))
                }
                if new.orientation != old.orientation {
                    touch.send(WlTouch.Event.orientation(id: id, orientation: new.orientation))
                }
            }
        } else if event.phase == .stationary {
            return
        }
        needsFrame(client)
    }

    // MARK: Frames

    private func needsFrame(_ client: Client) {
        if !unframed.contains(where: { $0 === client }) { unframed.append(client) }
    }

    /// Ends the frames of what was told so far: another group follows, or nothing.
    func endFrame() {
        guard !unframed.isEmpty else { return }
        for client in unframed { endFrame(of: client) }
        unframed.removeAll(keepingCapacity: true)
    }

    private func endFrame(of client: Client) {
        for touch in client.seat(seat).touches { touch.send(WlTouch.Event.frame) }
    }

    // MARK: Implicit grabs

    /// A finger that is held, and is meant.
    func held(where isMeant: (ImplicitGrab) -> Bool) -> (id: Int32, grab: ImplicitGrab)? {
        fingers.first { isMeant($0.value.grab) }.map { ($0.key, $0.value.grab) }
    }

    /// Takes all fingers from the client that holds this one.
    func cancel(touchesOfHolderOf id: Int32) {
        if let client = holder(of: id) { cancelTouches(of: client) }
    }
}
