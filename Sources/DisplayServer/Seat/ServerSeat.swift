// A seat: delivers the model's events to pointer, keyboard and touch.

import MullionWayland
import WindowModel

/// The input of one person: a pointer, a keyboard, any number of touches, the selections, and the current drag. The
/// model determines the receiver of an event; the seat sends it. Seats are independent of each other (K1).
package final class ServerSeat {
    // The server owns its seats and never removes one.
    package unowned let server: DisplayServer
    /// The seat in the window model.
    package let id: Seat.ID
    /// The index among the server's seats, and among each client's `ClientSeat`s.
    let index: Int

    package private(set) lazy var keyboard = Keyboard(self)
    /// Whether its keyboard does not use the common configuration.
    var hasOwnKeyboard = false
    /// Text fields, and the input method that writes into them.
    private(set) lazy var textInputs = TextInputs(self)
    package private(set) lazy var pointer = Pointer(self)
    private(set) lazy var touch = Touch(server, self)
    private(set) lazy var tablet = Tablet(self)
    private(set) lazy var selections = Selections(self)
    private(set) lazy var dragAndDrop = DragAndDrop(self)
    private(set) lazy var frameDrag = FrameDrag(self)
    private(set) lazy var popupGrabs = PopupGrabs(self)
    /// The grabs of the seat's input.
    private(set) lazy var grabs = GrabStack(self)

    init(_ server: DisplayServer, _ id: Seat.ID, index: Int) {
        self.server = server
        self.id = id
        self.index = index
    }

    /// The name that wl_seat sends.
    package var name: String { server.model.seat(id)?.name ?? "" }

    // MARK: Serials

    /// The serials of the seat's events; a client that names one means this seat (K1).
    var serials = SerialHistory()

    /// A serial for an event of the seat, to which clients can refer.
    func nextSerial() -> UInt32 {
        let serial = server.nextSerial()
        serials.append(serial)
        return serial
    }

    /// Whether a serial is known to belong to another seat's event.
    func isForeign(_ serial: UInt32) -> Bool {
        server.seats.contains { $0 !== self && $0.serials.contains(serial) }
    }

    // MARK: Events

    /// Ends the frames of touch and tablet events, after all events that belong together.
    func endFrames() {
        touch.endFrame()
        tablet.endFrame()
    }

    /// Sends one event to the client that the model chose, or to the grab that takes it.
    /// - Returns: whether the grab or an object of the client has received it.
    func deliver(_ event: Event, takenBy grab: Grab?) -> Bool {
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        // The X server has received it first.
        defer { dragAndDrop.x11?.follow(event, time) }
        switch event.detail {
        case .key(let key): return keyboard.deliver(key, event, takenBy: grab)
        case .touch(let id) where event.kind == .hover: return tablet.hover(id, event)
        case .touch(let id): return touch.deliver(id, event, time, takenBy: grab)
        // A gesture continues during a drag, where it began, until it ends.
        case .transform: return pointer.deliver(event, to: target(event), serial: 0)
        case .pointer, .button, .scroll: return deliverPointer(event, time, takenBy: grab)
        case .shake, .remoteControl: return false  // Wayland has no such events.
        }
    }

    func target(_ event: Event) -> SurfaceResource? {
        let id = event.surface ?? event.window.flatMap { server.model.root(of: $0) }
        return id.flatMap { server.surfaces[$0] }
    }

    // MARK: Pointer

    /// The surface under the pointer (E5).
    var pointerFocus: PointerFocus? { didSet { updatePointer() } }

    /// When a drag takes the pointer, its pressed buttons end with the leave, without releases.
    func updatePointer() {
        let isTaken = grabs.implicit.isPointerTaken
        pointer.focus(on: isTaken ? nil : pointerFocus, releasesButtons: !isTaken)
    }

    private func deliverPointer(_ event: Event, _ time: UInt32, takenBy grab: Grab?) -> Bool {
        let held = grabs.implicit
        let serial = held.follow(event)
        // May begin to move the window, which takes the pointer.
        if case .titleBars(let bars) = grab { bars.deliver(event) }
        guard held.isPointerTaken else {
            return pointer.deliver(event, to: target(event), serial: serial) || grab != nil
        }
        let isLast = held.pointer == nil
        switch grab {
        case .drag(let drag): drag.deliver(event, isLast: isLast, time: time)
        case .frame(let drag): drag.deliver(event, isLast: isLast)
        case .implicit, .titleBars, .popups, .inputMethod, nil: break
        }
        if isLast { held.returnPointer() }
        return grab != nil
    }

    // MARK: Destruction

    /// Called when the surface is being destroyed. Who has it as the focus leaves it now and not at the end of the turn:
    /// events can name it for the last time.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        grabs.surfaceWillBeDestroyed(surface)
        keyboard.surfaceWillBeDestroyed(surface)
        pointer.surfaceWillBeDestroyed(surface)
        tablet.surfaceWillBeDestroyed(surface)
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
