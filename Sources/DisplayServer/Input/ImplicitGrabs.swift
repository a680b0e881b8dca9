// Held presses and their serials.

import MullionGeometry
import MullionWayland
import WindowModel

/// The held presses of a seat, of touches and of the pointer, with their serials.
final class ImplicitGrabs {
    private unowned let seat: ServerSeat
    /// From the first button's press to the last one's release.
    private(set) var pointer: ImplicitGrab?
    /// Whether a drag has taken the pointer: no surface has it until all buttons are released.
    private(set) var isPointerTaken = false { didSet { seat.updatePointer() } }

    init(_ seat: ServerSeat) { self.seat = seat }

    /// The press with that serial, if the client holds it.
    func press(_ serial: UInt32, of client: Client) -> (means: Drag.Means, grab: ImplicitGrab)? {
        press { $0.application == client.application && $0.has(serial) }
    }

    /// A press that the client holds: the pointer's, if it has several.
    func press(of client: Client) -> (means: Drag.Means, grab: ImplicitGrab)? {
        press { $0.application == client.application }
    }

    private func press(where matches: (ImplicitGrab) -> Bool) -> (means: Drag.Means, grab: ImplicitGrab)? {
        if !isPointerTaken, let pointer, matches(pointer) { return (.pointer, pointer) }
        return seat.touch.held(where: matches).map { (.touch($0.id), $0.grab) }
    }

    /// Takes a press from the client that holds it, because a drag begins.
    func take(_ means: Drag.Means) {
        switch means {
        case .pointer: isPointerTaken = true
        case .touch(let id): seat.touch.cancel(touchesOfHolderOf: id)
        }
    }

    /// Tracks which presses are held, and where.
    /// - Returns: the serial of a button, the same for all pointer objects of the client; otherwise 0.
    func follow(_ event: Event) -> UInt32 {
        guard case .button(let code) = event.detail else {
            if case .pointer = event.detail { pointer?.move(event) }
            return 0
        }
        let serial = seat.nextSerial()
        switch event.phase {
        case .began:
            if pointer?.press(code, serial) == nil {
                // An input method's pop-up belongs to another client than its window.
                let holder = seat.target(event)?.client.application
                pointer = ImplicitGrab(event, of: holder, code: code, serial: serial)
            }
        case .moved, .stationary: break
        case .ended: if pointer?.release(code) == true { pointer = nil }
        case .cancelled: pointer = nil
        }
        return serial
    }

    /// Called when all buttons are released: the surface that is now under the pointer gets it.
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

/// A touch, or the pointer from the first button's press to the last one's release: all its events go to one client.
struct ImplicitGrab {
    let application: Application.ID
    /// The current position, in the screen's points.
    private(set) var screen: Screen.ID?
    private(set) var point: Point
    /// The pressed buttons with the serials of their presses; for a touch, only its own serial.
    private var presses: [(code: UInt32, serial: UInt32)]

    init(_ event: Event, of application: Application.ID? = nil, code: UInt32, serial: UInt32) {
        self.application = application ?? event.application
        screen = event.screen
        point = event.screenLocation
        presses = [(code, serial)]
    }

    /// Whether the press with that serial is still held.
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
