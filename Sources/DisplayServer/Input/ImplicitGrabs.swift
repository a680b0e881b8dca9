// What is held down, and which serials name it.

import Geometry
import Wayland
import WindowModel

/// The presses that are held on a seat, of fingers and of the pointer, with their serials.
final class ImplicitGrabs {
    private unowned let seat: ServerSeat
    /// From the first button down to the last one up.
    private(set) var pointer: ImplicitGrab?
    /// A drag has taken the pointer: until all buttons are up no surface has it.
    private(set) var isPointerTaken = false { didSet { seat.updatePointer() } }

    init(_ seat: ServerSeat) { self.seat = seat }

    /// The press of that serial, when the client holds it.
    func press(_ serial: UInt32, of client: Client) -> (means: Drag.Means, grab: ImplicitGrab)? {
        func isNamed(_ grab: ImplicitGrab) -> Bool { grab.application == client.application && grab.has(serial) }
        if !isPointerTaken, let pointer, isNamed(pointer) { return (.pointer, pointer) }
        return seat.touch.held(where: isNamed).map { (.touch($0.id), $0.grab) }
    }

    /// Takes a press from the client that holds it: a drag begins.
    func take(_ means: Drag.Means) {
        switch means {
        case .pointer: isPointerTaken = true
        case .touch(let id): seat.touch.cancel(touchesOfHolderOf: id)
        }
    }

    /// Follows what is held, and where.
    /// - Returns: the serial of a button, one for all pointer objects of the client; else 0.
    func follow(_ event: Event) -> UInt32 {
        guard case .button(let code) = event.detail else {
            if case .pointer = event.detail { pointer?.move(event) }
            return 0
        }
        let serial = seat.nextSerial()
        switch event.phase {
        case .began:
            if pointer?.press(code, serial) == nil {
                // An input method's pop-up is in a window of another client.
                let holder = seat.target(event)?.client.application
                pointer = ImplicitGrab(event, of: holder, code: code, serial: serial)
            }
        case .moved, .stationary: break
        case .ended: if pointer?.release(code) == true { pointer = nil }
        case .cancelled: pointer = nil
        }
        return serial
    }

    /// All buttons are up: who is under the pointer now has it, where it is now.
    func returnPointer() {
        let model = seat.server.model
        var focus = model.pointerFocus(of: seat.id)
        if let place = model.pointerLocation(of: seat.id), let hit = model.hitTest(place.point, on: place.screen),
            hit.window == focus?.window, hit.surface == focus?.surface
        {
            focus?.location = hit.location
        }
        seat.pointerFocus = focus
        isPointerTaken = false
    }
}

/// A finger, or the pointer from the first button down to the last one up: all its events go to one client.
struct ImplicitGrab {
    let application: Application.ID
    /// Where it is, in the screen's points.
    private(set) var screen: Screen.ID?
    private(set) var point: Point
    /// The buttons that are down, with the serials of their presses; of a finger its own.
    private var presses: [(code: UInt32, serial: UInt32)]

    init(_ event: Event, of application: Application.ID? = nil, code: UInt32, serial: UInt32) {
        self.application = application ?? event.application
        screen = event.screen
        point = event.screenLocation
        presses = [(code, serial)]
    }

    /// Whether the press that the serial names is still held.
    func has(_ serial: UInt32) -> Bool { presses.contains { $0.serial == serial } }

    mutating func move(_ event: Event) {
        screen = event.screen
        point = event.screenLocation
    }

    mutating func press(_ code: UInt32, _ serial: UInt32) { presses.append((code, serial)) }

    /// - Returns: whether it was the last one.
    mutating func release(_ code: UInt32) -> Bool {
        presses.removeAll { $0.code == code }
        return presses.isEmpty
    }
}
