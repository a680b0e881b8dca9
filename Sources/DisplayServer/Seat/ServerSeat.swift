// A seat: turns the model's events into those of wl_keyboard and wl_touch, and hands the pointer's on.

import Wayland
import WindowModel

/// What one person at the server has: a pointer, a keyboard, any number of touches, the selections, and what is dragged.
/// The model decides who gets an event; this tells the client. Seats know nothing of each other (K1).
package final class ServerSeat {
    // The server owns its seats and never removes one.
    package unowned let server: DisplayServer
    /// The seat in the window model.
    package let id: Seat.ID
    /// Among the server's seats, and among each client's parts of them.
    let index: Int

    package private(set) lazy var keyboard = Keyboard(self)
    /// Whether its keyboard is not to be like everybody's.
    var hasOwnKeyboard = false
    /// Text fields, and the input method that writes into them.
    private(set) lazy var textInputs = TextInputs(self)
    package private(set) lazy var pointer = Pointer(self)
    private(set) lazy var touch = Touch(server, self)
    private(set) lazy var selections = Selections(self)
    private(set) lazy var dragAndDrop = DragAndDrop(self)
    private(set) lazy var popupGrabs = PopupGrabs(self)
    /// From the first button down to the last one up.
    private var pointerGrab: ImplicitGrab?
    /// A drag has taken the pointer: until all buttons are up no surface has it.
    private var isPointerTaken = false { didSet { updatePointer() } }

    init(_ server: DisplayServer, _ id: Seat.ID, index: Int) {
        self.server = server
        self.id = id
        self.index = index
    }

    /// As wl_seat tells it.
    package var name: String { server.model.seat(id)?.name ?? "" }

    // MARK: Serials

    /// Of its own events; who names one means this seat (K1).
    var serials = SerialHistory()

    /// A serial for an event of the seat that a client may refer to.
    func nextSerial() -> UInt32 {
        let serial = server.nextSerial()
        serials.append(serial)
        return serial
    }

    /// Whether a serial is known to be one of another seat's events.
    func isForeign(_ serial: UInt32) -> Bool {
        server.seats.contains { $0 !== self && $0.serials.contains(serial) }
    }

    // MARK: Events

    /// Sends one event to the client that the model chose.
    func deliver(_ event: Event) {
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        switch event.detail {
        case .key(let key): keyboard.deliver(key, event)
        case .touch(let id): touch.deliver(id, event, time)
        case .pointer, .button, .scroll, .transform: deliverPointer(event, time)
        case .shake, .remoteControl: break  // Wayland has no such things.
        }
    }

    func target(_ event: Event) -> SurfaceResource? {
        let id = event.surface ?? event.window.flatMap { server.model.root(of: $0) }
        return id.flatMap { server.surfaces[$0] }
    }

    // MARK: Pointer

    /// What the pointer is over (E5).
    var pointerFocus: PointerFocus? { didSet { updatePointer() } }

    /// A drag takes the pointer with its buttons down: the leave says so, and no release does.
    private func updatePointer() {
        pointer.focus(on: isPointerTaken ? nil : pointerFocus, releasesButtons: !isPointerTaken)
    }

    private func deliverPointer(_ event: Event, _ time: UInt32) {
        // A gesture goes on beside a drag: where it began, until it ends.
        if case .transform = event.detail { return pointer.deliver(event, to: target(event), serial: 0) }
        let serial = followPointer(event)
        guard isPointerTaken else { return pointer.deliver(event, to: target(event), serial: serial) }
        dragAndDrop.deliver(event, isLast: pointerGrab == nil, time: time)
        if pointerGrab == nil { givePointerBack() }
    }

    // MARK: Implicit grabs

    /// The press of that serial, when the client holds it.
    func grab(_ serial: UInt32, of client: Client) -> (means: Drag.Means, grab: ImplicitGrab)? {
        func isMeant(_ grab: ImplicitGrab) -> Bool { grab.application == client.application && grab.has(serial) }
        if !isPointerTaken, let pointerGrab, isMeant(pointerGrab) { return (.pointer, pointerGrab) }
        return touch.held(where: isMeant).map { (.touch($0.id), $0.grab) }
    }

    /// Takes the press from the client that holds it: a drag begins.
    func endGrab(_ means: Drag.Means) {
        switch means {
        case .pointer: isPointerTaken = true
        case .touch(let id): touch.cancel(touchesOfHolderOf: id)
        }
    }

    /// All buttons are up: who is under the pointer now has it, where it is now.
    private func givePointerBack() {
        let model = server.model
        var focus = model.pointerFocus(of: id)
        if let place = model.pointerLocation(of: id), let hit = model.hitTest(place.point, on: place.screen),
            hit.window == focus?.window, hit.surface == focus?.surface
        {
            focus?.location = hit.location
        }
        pointerFocus = focus
        isPointerTaken = false
    }

    /// Remembers what is held, and where. One serial is for all pointer objects of the client.
    private func followPointer(_ event: Event) -> UInt32 {
        guard case .button(let code) = event.detail else {
            if case .pointer = event.detail { pointerGrab?.move(event) }
            return 0
        }
        let serial = nextSerial()
        switch event.phase {
        case .began:
            if pointerGrab?.press(code, serial) == nil {
                // An input method's pop-up is in a window of another client.
                let holder = target(event)?.client.application
                pointerGrab = ImplicitGrab(event, of: holder, code: code, serial: serial)
            }
        case .moved, .stationary: break
        case .ended: if pointerGrab?.release(code) == true { pointerGrab = nil }
        case .cancelled: pointerGrab = nil
        }
        return serial
    }

    // MARK: What goes

    /// The surface goes; nothing is sent for it any more.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        keyboard.surfaceWillBeDestroyed(surface)
        pointer.surfaceWillBeDestroyed(surface)
        dragAndDrop.surfaceWillBeDestroyed(surface)
    }

    func clientDidClose(_ client: Client) {
        selections.clientDidClose(client)
        dragAndDrop.clientDidClose(client)
    }
}

// MARK: - Keyboard

extension ServerSeat {
    /// The key window (K1).
    var keyboardFocus: Window.ID? {
        get { keyboard.focus }
        set { keyboard.focus = newValue }
    }

    /// The surface that has the keyboard.
    var keyboardSurface: SurfaceResource? { keyboard.surface }

    /// A pop-up that grabbed the keyboard, before the key window.
    var keyboardGrab: SurfaceResource? {
        get { keyboard.grab }
        set { keyboard.grab = newValue }
    }

    func didResignKey(_ window: Window.ID) {
        popupGrabs.windowDidEnd(window)
        if keyboard.focus == window { keyboard.focus = nil }
    }
}
