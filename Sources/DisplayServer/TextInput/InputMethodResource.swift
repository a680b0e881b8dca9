// zwp_input_method_manager_v2 and zwp_input_method_v2

import MullionWayland
import WindowModel

/// Exists only for peers that may view and inject: an input method reads the text around the cursor and, with a grab, each
/// key, and enters text into every program.
final class InputMethodManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpInputMethodManagerV2.Request.self, opcode, &reader) {
        case .getInputMethod(let seat, let id):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            _ = try InputMethodResource(client, id: id, version: version, seat: seat)
        case .destroy: destroy()
        }
    }
}

/// zwp_input_method_v2: enters text into the enabled text field. A second one on a seat is inert.
final class InputMethodResource: SeatObject {
    var pending = TextEdit()
    /// The number of done events so far.
    var dones: UInt32 = 0
    /// The number of the done that announced the current text field; nil when there is none.
    var activation: UInt32?
    var popups: [InputPopupResource] = []
    var isAttached = false

    private var inputs: TextInputs { seat.textInputs }

    /// - Parameter attaches: false for one that was inert at another server.
    init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, attaches: Bool = true
    ) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        isAttached = attaches && inputs.attach(self)
        if !isAttached { send(ZwpInputMethodV2.Event.unavailable) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpInputMethodV2.Request.self, opcode, &reader) {
        case .commitString(let text):
            try checkText(text)
            pending.insertion = text
        case .setPreeditString(let text, let begin, let end):
            try checkText(text)
            let fits = text.hasBoundary(at: Int(begin)) && text.hasBoundary(at: Int(end)) && begin <= end
            // Hide a cursor outside the text: programs trust the offsets.
            pending.preedit = TextEdit.Preedit(text: text, begin: fits ? begin : -1, end: fits ? end : -1)
        case .deleteSurroundingText(let before, let after): pending.deletion = (before, after)
        case .commit(let serial): commit(serial)
        case .getInputPopupSurface(let id, let surface):
            let surface = try connection.resource(surface, as: SurfaceResource.self)
            try client.checkBindings(popups.count)
            let popup = try InputPopupResource(client, id: id, version: version)
            try popup.start(surface, inputMethod: isAttached ? self : nil, errorOn: self.id)
            if isAttached { popups.append(popup) }
        case .grabKeyboard(let id):
            let grab = try InputMethodGrabResource(client, id: id, version: version, seat: seat)
            if isAttached { grab.start(self) }
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        let gone = popups
        popups = []
        for popup in gone { popup.inputMethodWillBeDestroyed() }
        if let grab = seat.grabs.inputMethod, grab.inputMethod === self { grab.end() }
        inputs.detach(self)
    }

    /// Applies the requested changes. Drops those for a previous text field, whose serial precedes the current
    /// activation. Text for an earlier state of the same field is kept.
    private func commit(_ serial: UInt32) {
        let edit = pending
        pending = TextEdit()
        guard let activation, serial &- activation <= dones &- activation else { return }
        inputs.active?.apply(edit)
    }

    // MARK: Events

    /// Whether a text field is being edited.
    var isActive: Bool { activation != nil }

    func activate(_ state: TextInputState) {
        pending = TextEdit()
        send(ZwpInputMethodV2.Event.activate)
        activation = dones &+ 1
        describe(state)
        placePopups()
    }

    func deactivate() {
        activation = nil
        send(ZwpInputMethodV2.Event.deactivate)
        done()
        placePopups()
    }

    /// Sends the complete state of the field: done resets everything that is not sent again.
    func describe(_ state: TextInputState) {
        if let surrounding = state.surrounding {
            send(
                ZwpInputMethodV2.Event.surroundingText(
                    text: surrounding.text, cursor: UInt32(surrounding.cursor), anchor: UInt32(surrounding.anchor)))
            send(ZwpInputMethodV2.Event.textChangeCause(cause: state.cause))
        }
        if let type = state.contentType {
            send(ZwpInputMethodV2.Event.contentType(hint: type.hint, purpose: type.purpose))
        }
        done()
    }

    private func done() {
        dones &+= 1
        send(ZwpInputMethodV2.Event.done)
    }

    // MARK: Pop-ups

    /// Moves the pop-ups to the cursor, or hides them.
    func placePopups() {
        for popup in popups { popup.update() }
    }

    func remove(_ popup: InputPopupResource) { popups.removeAll { $0 === popup } }
}
