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
    /// Who has taken what of the input.
    private(set) lazy var grabs = GrabStack(self)

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

    /// Sends one event to the client that the model chose, or to the grab that takes it.
    func deliver(_ event: Event, takenBy grab: Grab?) {
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        switch event.detail {
        case .key(let key): keyboard.deliver(key, event, takenBy: grab)
        case .touch(let id): touch.deliver(id, event, time, takenBy: grab)
        // A gesture goes on beside a drag: where it began, until it ends.
        case .transform: pointer.deliver(event, to: target(event), serial: 0)
        case .pointer, .button, .scroll: deliverPointer(event, time, takenBy: grab)
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
    func updatePointer() {
        let isTaken = grabs.implicit.isPointerTaken
        pointer.focus(on: isTaken ? nil : pointerFocus, releasesButtons: !isTaken)
    }

    private func deliverPointer(_ event: Event, _ time: UInt32, takenBy grab: Grab?) {
        let held = grabs.implicit
        let serial = held.follow(event)
        guard held.isPointerTaken else { return pointer.deliver(event, to: target(event), serial: serial) }
        let isLast = held.pointer == nil
        if case .drag(let drag) = grab { drag.deliver(event, isLast: isLast, time: time) }
        if isLast { held.returnPointer() }
    }

    // MARK: What goes

    /// The surface goes; nothing is sent for it any more.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        grabs.surfaceWillBeDestroyed(surface)
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

    func didResignKey(_ window: Window.ID) {
        popupGrabs.windowDidEnd(window)
        if keyboard.focus == window { keyboard.focus = nil }
    }
}
