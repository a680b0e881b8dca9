// Who gets a seat's input.

import WindowModel

/// The grabs of a seat. Who gets an event, or hears of a press before it is delivered, is asked here, from the top down.
final class GrabStack {
    private unowned let seat: ServerSeat
    let implicit: ImplicitGrabs
    /// From the bottom to the top.
    private var grabs: [Grab]
    /// The surface of a pop-up that has the keyboard before the key window has it.
    var keyboardSurface: SurfaceResource? { didSet { seat.keyboard.updateSurface() } }

    init(_ seat: ServerSeat) {
        self.seat = seat
        implicit = ImplicitGrabs(seat)
        grabs = [.implicit(implicit)]
    }

    /// Puts a grab on top, unless it is on the stack.
    func push(_ grab: Grab) {
        guard !grabs.contains(where: { $0.object === grab.object }) else { return }
        grabs.append(grab)
    }

    /// The grab has ended. One that is not on the stack: nothing.
    func remove(_ grab: Grab) { grabs.removeAll { $0.object === grab.object } }

    // MARK: Asking

    /// Who takes an event from the client that the model chose; nil: nobody. Asked once for each event, before anybody is
    /// notified of it.
    func grab(taking event: Event) -> Grab? {
        // At most times there are only presses.
        guard grabs.count > 1 else { return nil }
        let device = seat.keyboard.pressing
        return grabs.last { $0.takes(event, from: device) }
    }

    /// The input method that has the keys.
    var inputMethod: InputMethodGrabResource? {
        for case .inputMethod(let grab) in grabs { return grab }
        return nil
    }

    /// The input method that takes the key that a device presses.
    func inputMethod(takingKeysFrom device: KeyboardDevice?) -> InputMethodGrabResource? {
        Grab.inputMethodTakesKeys(from: device) ? inputMethod : nil
    }

    /// Whether pop-ups are open, which a press that begins elsewhere closes.
    var hasPopups: Bool {
        grabs.contains { if case .popups = $0 { true } else { false } }
    }

    /// A finger, or the first button, is going to go down on a surface; nil: on none.
    func pressWillBegin(on surface: SurfaceResource?) {
        for case .popups(let popups) in grabs.reversed() { popups.pressWillBegin(on: surface) }
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        if keyboardSurface === surface { keyboardSurface = nil }
    }
}
