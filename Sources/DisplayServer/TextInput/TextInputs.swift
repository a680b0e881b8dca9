// The text fields of all clients, and the input method for the enabled one.

import MullionGeometry
import MullionWayland
import WindowModel

/// Connects the text fields of a seat (zwp_text_input_v1, v2 and v3) with its input method (zwp_input_method_v2).
///
/// The text focus follows the keyboard (K1). At most one text field is enabled, of the client that has the focus.
final class TextInputs {
    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    /// The field that is being edited.
    private(set) var active: TextField? {
        didSet { server.watchersNeedUpdate = true }
    }
    /// At most one per seat.
    private(set) var inputMethod: InputMethodResource?

    init(_ seat: ServerSeat) {
        server = seat.server
        self.seat = seat
    }

    // MARK: Focus

    /// The surface that has the keyboard; its client's text fields are notified of changes.
    var focus: SurfaceResource? {
        didSet {
            guard focus !== oldValue else { return }
            deactivate()
            if let oldValue {
                for input in oldValue.client.seat(seat).textInputs { input.leave(oldValue) }
            }
            if let focus {
                for input in focus.client.seat(seat).textInputs { input.enter(focus) }
            }
        }
    }

    /// Whether a client has the keyboard.
    func hasFocus(_ connection: ServerConnection) -> Bool { focus?.connection === connection }

    func didAdd(_ input: TextField) {
        if let focus, hasFocus(input.connection) { input.enter(focus) }
    }

    // MARK: Editing

    /// Called when a field was enabled, or enabled again: its state is reset.
    func activate(_ input: TextField) {
        active = input
        // K7, E6: a window in which text is edited becomes key.
        if let window = focus?.window, case .window = server.windows[window] {
            server.logErrors { () throws(ModelError) in try server.model.beginEditing(window) }
        }
        usableInputMethod?.activate(input.state)
    }

    /// Ends editing.
    func deactivate() {
        guard active != nil else { return }
        active = nil
        if let inputMethod, inputMethod.isActive { inputMethod.deactivate() }
    }

    func stateDidChange(from old: TextInputState) {
        guard let active, let inputMethod = usableInputMethod else { return }
        if !active.state.hasNothingNew(since: old) { inputMethod.describe(active.state) }
        if active.state.cursorRectangle != old.cursorRectangle { inputMethod.placePopups() }
    }

    /// The position of the edited text in the window's points: the cursor, or the whole surface if the field does not
    /// provide it.
    var place: (window: Window.ID, rectangle: Rect)? {
        guard let active, let focus, let window = focus.window else { return nil }
        var origin = Point.zero
        var next: Surface.ID? = focus.node
        while let surface = next.flatMap({ server.model.surface($0) }) {
            origin = origin + surface.position
            next = surface.parent
        }
        let rectangle = active.state.cursorRectangle ?? Rect(origin: .zero, size: focus.size ?? .zero)
        return (window, rectangle.offsetBy(x: origin.x, y: origin.y))
    }

    /// Restores the field edited at another server, whose input method already knows it.
    func restore(active: TextField?) { self.active = active }

    /// Called at the end of a turn with changes.
    func update() { active?.endTurn() }

    // MARK: The input method

    /// - Returns: false when the seat already has one.
    func attach(_ new: InputMethodResource) -> Bool {
        guard inputMethod == nil else { return false }
        inputMethod = new
        if let active { usableInputMethod?.activate(active.state) }
        return true
    }

    /// L2, L4: the input method, unless the text is not for it.
    private var usableInputMethod: InputMethodResource? {
        inputMethod.flatMap { server.model.admitsInput(of: $0.client.application) ? $0 : nil }
    }

    /// L2, L4: called when the windows that may receive input have changed.
    func receiversDidChange() {
        if let inputMethod, inputMethod.isActive, usableInputMethod == nil { inputMethod.deactivate() }
    }

    func detach(_ old: InputMethodResource) {
        guard inputMethod === old else { return }
        inputMethod = nil
        // The composed text will never be finished.
        active?.dropPreedit()
    }

    // MARK: Keys

    /// - Returns: false when there already is a grab.
    func begin(_ new: InputMethodGrabResource) -> Bool {
        guard seat.grabs.inputMethod == nil else { return false }
        seat.grabs.push(.inputMethod(new))
        // The input method handles key repetition now.
        seat.keyboard.repetition.stop()
        return true
    }

    func end(_ old: InputMethodGrabResource) {
        guard seat.grabs.inputMethod === old else { return }
        seat.grabs.remove(.inputMethod(old))
        // Locks may have changed during the grab.
        seat.keyboard.update()
    }
}
