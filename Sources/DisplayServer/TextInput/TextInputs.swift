// Text fields of all clients, and the one input method that writes into the enabled one.

import Geometry
import Wayland
import WindowModel

/// Joins the text fields of a seat (zwp_text_input_v3) with its input method (zwp_input_method_v2).
///
/// The text focus is where the keyboard is (K1). At most one text field is enabled, of the client that has the focus.
final class TextInputs {
    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    /// The field that is being edited.
    private(set) var active: TextInputResource?
    /// The seat has at most one.
    private(set) var inputMethod: InputMethodResource?

    init(_ seat: ServerSeat) {
        server = seat.server
        self.seat = seat
    }

    // MARK: Focus

    /// The surface that has the keyboard; the text fields of its client are told.
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

    /// Whether a client's text fields are where the keyboard is.
    func hasFocus(_ connection: ServerConnection) -> Bool { focus?.connection === connection }

    func didAdd(_ input: TextInputResource) {
        if let focus, hasFocus(input.connection) { input.enter(focus) }
    }

    // MARK: Editing

    /// A field was enabled, or enabled anew: its state starts from the beginning.
    func activate(_ input: TextInputResource) {
        active = input
        // K7, E6: whoever edits text is to have the keys.
        if let window = focus?.window, case .window = server.windows[window] {
            server.ignore { () throws(ModelError) in try server.model.beginEditing(window) }
        }
        inputMethod?.activate(input.state)
    }

    /// No field is edited any more.
    func deactivate() {
        guard active != nil else { return }
        active = nil
        inputMethod?.deactivate()
    }

    func stateDidChange(from old: TextInputState) {
        guard let active, let inputMethod else { return }
        if !active.state.tellsNothingNew(after: old) { inputMethod.describe(active.state) }
        if active.state.cursorRectangle != old.cursorRectangle { inputMethod.placePopups() }
    }

    /// Where the edited text is: the cursor, or the whole surface of a field that does not tell, in the window's points.
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

    /// Goes on with the field that was edited at another server, whose input method knows of it.
    func restore(active: TextInputResource?) { self.active = active }

    // MARK: The input method

    /// - Returns: false when the seat has another one.
    func attach(_ new: InputMethodResource) -> Bool {
        guard inputMethod == nil else { return false }
        inputMethod = new
        if let active { new.activate(active.state) }
        return true
    }

    func detach(_ old: InputMethodResource) {
        guard inputMethod === old else { return }
        inputMethod = nil
        // What was being composed will never be finished.
        active?.dropPreedit()
    }

    // MARK: Keys

    /// - Returns: false when another grab has the keys.
    func begin(_ new: InputMethodGrabResource) -> Bool {
        guard seat.grabs.inputMethod == nil else { return false }
        seat.grabs.push(.inputMethod(new))
        // What the keys mean is the input method's business now.
        seat.keyboard.repetition.stop()
        return true
    }

    func end(_ old: InputMethodGrabResource) {
        guard seat.grabs.inputMethod === old else { return }
        seat.grabs.remove(.inputMethod(old))
        // What was locked meanwhile.
        seat.keyboard.update()
    }
}
