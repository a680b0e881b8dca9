// Decides who receives a seat's input.

import WindowModel

/// The grabs of a seat. They are queried from the top down for the receiver of an event, and notified before a press is
/// delivered.
final class GrabStack {
    private unowned let seat: ServerSeat
    let implicit: ImplicitGrabs
    /// From bottom to top.
    private var grabs: [Grab]
    /// The surface of a pop-up that has the keyboard instead of the key window.
    var keyboardSurface: SurfaceResource? { didSet { seat.keyboard.updateSurface() } }

    init(_ seat: ServerSeat) {
        self.seat = seat
        implicit = ImplicitGrabs(seat)
        grabs = [.implicit(implicit), .titleBars(TitleBarInput(seat))]
    }

    /// Puts a grab on top, unless it is already on the stack.
    func push(_ grab: Grab) {
        guard !grabs.contains(where: { $0.object === grab.object }) else { return }
        grabs.append(grab)
    }

    /// Removes a grab that has ended; does nothing if it is not on the stack.
    func remove(_ grab: Grab) { grabs.removeAll { $0.object === grab.object } }

    // MARK: Asking

    /// The grab that takes an event from the client that the model chose; nil: none does. Called once for each event,
    /// before any client is notified of it.
    func grab(taking event: Event) -> Grab? {
        // Usually there are only presses.
        guard grabs.count > 2 || !seat.server.titleBars.isEmpty else { return nil }
        let device = seat.keyboard.pressing
        return grabs.last { $0.takes(event, from: device) }
    }

    /// The input method that has grabbed the keys.
    var inputMethod: InputMethodGrabResource? {
        for case .inputMethod(let grab) in grabs { return grab }
        return nil
    }

    /// The input method that receives the keys. L2, L4: not while they are for others.
    var receivingInputMethod: InputMethodGrabResource? { inputMethod.flatMap { $0.mayReceive ? $0 : nil } }

    /// The input method that takes the keys pressed by a device.
    func inputMethod(takingKeysFrom device: KeyboardDevice?) -> InputMethodGrabResource? {
        Grab.inputMethodTakesKeys(from: device) ? receivingInputMethod : nil
    }

    /// Whether pop-ups are open; a press that begins elsewhere closes them.
    var hasPopups: Bool {
        grabs.contains { if case .popups = $0 { true } else { false } }
    }

    /// Called before a touch or the first button goes down on a surface; nil: on none.
    func pressWillBegin(on surface: SurfaceResource?) {
        for case .popups(let popups) in grabs.reversed() { popups.pressWillBegin(on: surface) }
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        if keyboardSurface === surface { keyboardSurface = nil }
    }
}
