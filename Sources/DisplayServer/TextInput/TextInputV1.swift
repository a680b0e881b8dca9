// zwp_text_input_manager_v1 and zwp_text_input_v1

import MullionWayland
import WindowModel

/// Chromium's and Weston's programs use it. Its objects live as long as their client.
final class TextInputManagerV1Resource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTextInputManagerV1.Request.self, opcode, &reader) {
        case .createTextInput(let id):
            try client.checkBindings(client.textInputsV1)
            _ = try TextInputV1Resource(client, id: id, version: version, seat: server.seat)
        }
    }
}

/// zwp_text_input_v1: the client activates it for a seat and a surface, until that loses the keyboard. The state takes
/// effect with `commit_state`, or at the end of the turn, because some programs never send that.
final class TextInputV1Resource: TextField {
    /// The seat and the surface for which it was activated.
    private(set) var place: (seat: ServerSeat, surface: Surface.ID)?
    /// Whether that surface has the keyboard, and text is edited.
    private(set) var isEntered = false
    /// The client's last commit_state, which events name.
    var serial: UInt32 = 0

    override var inputs: TextInputs { (place?.seat ?? seat).textInputs }

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        client.textInputsV1 += 1
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTextInputV1.Request.self, opcode, &reader) {
        case .activate(let seat, let surface):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            try activate(seat, try connection.resource(surface, as: SurfaceResource.self))
        case .deactivate(let seat):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            if place?.seat === seat { end() }
        // The input method decides this, depending on the text field.
        case .showInputPanel, .hideInputPanel, .setPreferredLanguage, .invokeAction: break
        case .reset: restart()
        case .setSurroundingText(let text, let cursor, let anchor):
            try setSurrounding(text, cursor: Int(cursor), anchor: Int(anchor))
            setNeedsUpdate()
        case .setContentType(let hint, let purpose):
            pending.contentType = TextInputState.ContentType(earlierHint: hint.rawValue, purpose: purpose.rawValue)
            setNeedsUpdate()
        case .setCursorRectangle(let x, let y, let width, let height):
            setCursorRectangle(x, y, width, height)
            setNeedsUpdate()
        case .commitState(let serial):
            self.serial = serial
            endTurn()
        }
    }

    override func willDestroy() {
        client.textInputsV1 -= 1
        end()
    }

    // MARK: Activation

    private func activate(_ seat: ServerSeat, _ surface: SurfaceResource) throws(ProtocolError) {
        guard place?.seat !== seat || place?.surface != surface.node else { return }
        let state = pending
        end()
        // What was set before it is activated.
        pending = state
        try client.seat(seat).textInputs.add(self)
        place = (seat, surface.node)
        if let focus = inputs.focus { enter(focus) }
    }

    /// Restores what another server had activated.
    func restore(_ seat: ServerSeat, _ surface: Surface.ID, isEntered: Bool) throws(ProtocolError) {
        try client.seat(seat).textInputs.add(self)
        place = (seat, surface)
        self.isEntered = isEntered
    }

    /// Ends editing, until the client activates it again.
    private func end() {
        guard let place else { return }
        if isActive { inputs.deactivate() }
        client.seat(place.seat).textInputs.remove(self)
        self.place = nil
        if isEntered { send(ZwpTextInputV1.Event.leave) }
        isEntered = false
        reset()
    }

    /// The text was changed by other means: what was composed is void.
    private func restart() {
        pending.surrounding = nil
        guard isActive else { return }
        pending.cause = .other
        applyPending(isNew: true)
    }

    private func setNeedsUpdate() {
        if isActive { server.watchersNeedUpdate = true }
    }

    // MARK: Events

    override func endTurn() {
        if isActive, pending != state { applyPending() }
    }

    override func enter(_ surface: SurfaceResource) {
        guard surface.node == place?.surface, !isEntered else { return }
        // The client edits this one now.
        if let other = inputs.active as? TextInputV1Resource { other.end() }
        guard inputs.active == nil else { return }
        isEntered = true
        send(ZwpTextInputV1.Event.enter(surface: surface.id))
        applyPending(isNew: true)
    }

    override func leave(_ surface: SurfaceResource) {
        if surface.node == place?.surface, isEntered { end() }
    }

    override func send(_ edit: TextEdit) {
        if let deletion = edit.deletion {
            send(
                ZwpTextInputV1.Event.deleteSurroundingText(
                    index: Int32(clamping: -Int64(deletion.before)),
                    length: UInt32(clamping: UInt64(deletion.before) + UInt64(deletion.after))))
        }
        // It removes the preedit text, and ends a deletion.
        if edit.insertion != nil || edit.deletion != nil {
            send(ZwpTextInputV1.Event.commitString(serial: serial, text: edit.insertion ?? ""))
        }
        guard let preedit = edit.preedit(after: hasPreedit) else { return }
        if let part = preedit.selection {
            send(ZwpTextInputV1.Event.preeditStyling(index: part.start, length: part.length, style: .selection))
        }
        send(ZwpTextInputV1.Event.preeditCursor(index: preedit.end))
        send(ZwpTextInputV1.Event.preeditString(serial: serial, text: preedit.text, commit: ""))
    }
}
