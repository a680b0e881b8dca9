// What the text fields of all versions of the protocol share.

import MullionGeometry
import MullionWayland
import WindowModel

/// A text field of a client, in any version of text-input. The versions differ in the requests that change the state;
/// the state and the edits are the same.
class TextField: SeatObject {
    /// The state in effect.
    final var state = TextInputState() {
        didSet { updateCharge() }
    }
    /// The state with the requested changes (C4).
    final var pending = TextInputState() {
        didSet { updateCharge() }
    }
    private var charge: MemoryCharge
    final var hasPreedit = false

    /// Those of the seat by which it is edited.
    var inputs: TextInputs { seat.textInputs }
    final var isActive: Bool { inputs.active === self }

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings)
        try super.init(client, id: id, version: version, seat: seat)
    }

    private func updateCharge() {
        charge.bytes = [state.surrounding, pending.surrounding].reduce(0) {
            $0 + ($1.map { MemoryCost.text($0.text) } ?? 0)
        }
    }

    // MARK: Requests

    final func setSurrounding(_ text: String, cursor: Int, anchor: Int) throws(ProtocolError) {
        try checkText(text)
        guard text.hasBoundary(at: cursor), text.hasBoundary(at: anchor) else {
            // The protocols have no error for this, and such a text is useless.
            let range = "0…\(text.utf8.count), between characters"
            return server.log(.debug, "text input \(id): cursor \(cursor) and anchor \(anchor) are not within \(range)")
        }
        pending.surrounding = TextInputState.Surrounding(text: text, cursor: cursor, anchor: anchor)
    }

    final func setCursorRectangle(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) {
        pending.cursorRectangle = Rect(
            x: Double(x), y: Double(y), width: max(0, Double(width)), height: max(0, Double(height)))
    }

    /// Puts the pending state into effect, of a field that is being edited.
    /// - Parameter isNew: whether another field or another text is edited from now on.
    final func applyPending(isNew: Bool = false) {
        let old = state
        state = pending
        pending.cause = .inputMethod
        if isNew {
            hasPreedit = false
            inputs.activate(self)
        } else {
            inputs.stateDidChange(from: old)
        }
    }

    func reset() {
        state = TextInputState()
        pending = TextInputState()
        hasPreedit = false
    }

    // MARK: Events

    /// Called when a surface of the client got the keyboard.
    func enter(_ surface: SurfaceResource) {}

    /// Called when a surface of the client lost the keyboard; nothing is edited any more.
    func leave(_ surface: SurfaceResource) {}

    /// Sends an edit, as a whole.
    func send(_ edit: TextEdit) {}

    /// Called at the end of a turn with changes, while it is being edited.
    func endTurn() {}

    /// Applies an edit to the field.
    final func apply(_ edit: TextEdit) {
        send(edit)
        hasPreedit = edit.preedit?.text.isEmpty == false
    }

    /// Called when the input method is gone: removes the preedit text.
    final func dropPreedit() {
        if hasPreedit { apply(TextEdit()) }
    }
}
