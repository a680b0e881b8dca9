// Fingers: turns touches into the events of wl_touch (E1, E2).

import Wayland
import WindowModel

/// The fingers that are down, by the clients that hold them.
final class Touch {
    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    /// wl_touch.cancel ends all of one client's.
    private var held: [Int32: ImplicitGrab] = [:]

    init(_ server: DisplayServer, _ seat: ServerSeat) {
        self.server = server
        self.seat = seat
    }

    func deliver(_ id: Int32, _ event: Event, _ time: UInt32) {
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
            held[id] = ImplicitGrab(event, of: client.application, code: 0, serial: serial)
            for touch in client.seat(seat).touches {
                touch.send(
                    WlTouch.Event.down(serial: serial, time: time, surface: surface.id, id: id, x: x, y: y))
                touch.send(WlTouch.Event.frame)
            }
        case .moved, .stationary:
            guard let client = held[id].flatMap({ server.client($0.application) }) else { return }
            held[id]?.move(event)
            for touch in client.seat(seat).touches {
                touch.send(WlTouch.Event.motion(time: time, id: id, x: x, y: y))
                touch.send(WlTouch.Event.frame)
            }
        case .ended:
            guard let client = held.removeValue(forKey: id).flatMap({ server.client($0.application) }) else {
                return
            }
            let serial = server.nextSerial()
            for touch in client.seat(seat).touches {
                touch.send(WlTouch.Event.up(serial: serial, time: time, id: id))
                touch.send(WlTouch.Event.frame)
            }
        case .cancelled:
            guard let holder = held[id] else { return }
            held[id] = nil
            if let client = server.client(holder.application) { cancelTouches(of: client) }
        }
    }

    /// E2: wl_touch knows only one cancel, for all touches of the client: none of them may read as a tap.
    private func cancelTouches(of client: Client) {
        held = held.filter { $0.value.application != client.application }
        for touch in client.seat(seat).touches { touch.send(WlTouch.Event.cancel) }
    }

    // MARK: Implicit grabs

    /// A finger that is held, and is meant.
    func held(where isMeant: (ImplicitGrab) -> Bool) -> (id: Int32, grab: ImplicitGrab)? {
        held.first { isMeant($0.value) }.map { ($0.key, $0.value) }
    }

    /// Takes all fingers from the client that holds this one.
    func cancel(touchesOfHolderOf id: Int32) {
        if let client = held[id].flatMap({ server.client($0.application) }) { cancelTouches(of: client) }
    }
}
