// zwp_text_input_manager_v2 and zwp_text_input_v2

import MullionWayland
import WindowModel

/// Qt's programs use it.
final class TextInputManagerV2Resource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTextInputManagerV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getTextInput(let id, let seat):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            _ = try TextInputV2Resource(client, id: id, version: version, seat: seat)
        }
    }
}

/// zwp_text_input_v2: the client enables surfaces; text is edited while one of them has the keyboard.
final class TextInputV2Resource: TextField {
    /// The surfaces in which text is edited.
    var enabled: Set<Surface.ID> = []
    /// The serial of the last enter; the state for an earlier one is outdated.
    var enterSerial: UInt32 = 0

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.textInputs.add(self)
        inputs.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTextInputV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .enable(let surface): try enable(try connection.resource(surface, as: SurfaceResource.self))
        case .disable(let surface): disable(try connection.resource(surface, as: SurfaceResource.self))
        // The input method decides this, depending on the text field.
        case .showInputPanel, .hideInputPanel, .setPreferredLanguage: break
        case .setSurroundingText(let text, let cursor, let anchor):
            try setSurrounding(text, cursor: Int(cursor), anchor: Int(anchor))
        case .setContentType(let hint, let purpose):
            pending.contentType = TextInputState.ContentType(earlierHint: hint.rawValue, purpose: purpose.rawValue)
        case .setCursorRectangle(let x, let y, let width, let height): setCursorRectangle(x, y, width, height)
        case .updateState(let serial, let reason): update(serial, reason)
        }
    }

    override func willDestroy() {
        owner.textInputs.remove(self)
        if isActive { inputs.deactivate() }
    }

    private func enable(_ surface: SurfaceResource) throws(ProtocolError) {
        if enabled.count >= server.limits.bindings { enabled = enabled.filter { server.surfaces[$0] != nil } }
        try client.checkBindings(enabled.count)
        enabled.insert(surface.node)
        if inputs.focus === surface { begin() }
    }

    private func disable(_ surface: SurfaceResource) {
        enabled.remove(surface.node)
        if inputs.focus === surface, isActive { inputs.deactivate() }
    }

    /// One at a time: a field is not edited while another field of the client is.
    private func begin() {
        if inputs.active == nil { applyPending(isNew: true) }
    }

    private func update(_ serial: UInt32, _ reason: ZwpTextInputV2.UpdateState) {
        guard inputs.hasFocus(connection), serial == enterSerial, isActive else { return }
        if reason == .reset { pending.cause = .other }
        applyPending(isNew: reason == .reset || reason == .enter)
    }

    // MARK: Events

    override func enter(_ surface: SurfaceResource) {
        reset()
        enterSerial = seat.nextSerial()
        send(ZwpTextInputV2.Event.enter(serial: enterSerial, surface: surface.id))
        if enabled.contains(surface.node) { begin() }
    }

    override func leave(_ surface: SurfaceResource) {
        reset()
        send(ZwpTextInputV2.Event.leave(serial: seat.nextSerial(), surface: surface.id))
    }

    override func send(_ edit: TextEdit) {
        if let deletion = edit.deletion {
            send(
                ZwpTextInputV2.Event.deleteSurroundingText(
                    beforeLength: deletion.before, afterLength: deletion.after))
        }
        // It removes the preedit text, and ends a deletion.
        if edit.insertion != nil || edit.deletion != nil {
            send(ZwpTextInputV2.Event.commitString(text: edit.insertion ?? ""))
        }
        guard let preedit = edit.preedit(after: hasPreedit) else { return }
        if let part = preedit.selection {
            send(ZwpTextInputV2.Event.preeditStyling(index: part.start, length: part.length, style: .selection))
        }
        send(ZwpTextInputV2.Event.preeditCursor(index: preedit.end))
        send(ZwpTextInputV2.Event.preeditString(text: preedit.text, commit: ""))
    }
}

extension TextInputState.ContentType {
    /// As in text-input v1 and v2: the hints have the same bits, and there is no purpose pin (9).
    init(earlierHint hint: UInt32, purpose: UInt32) {
        self.init(
            hint: ZwpTextInputV3.ContentHint(rawValue: hint),
            purpose: ZwpTextInputV3.ContentPurpose(rawValue: purpose < 9 ? purpose : purpose &+ 1))
    }
}

extension TextEdit {
    /// The preedit text to send, to programs that keep the previous one.
    func preedit(after hadPreedit: Bool) -> Preedit? {
        if let preedit, !preedit.text.isEmpty { return preedit }
        let isRemoved = insertion != nil || deletion != nil
        return hadPreedit && !isRemoved ? Preedit(text: "", begin: 0, end: 0) : nil
    }
}

extension TextEdit.Preedit {
    /// The selected part: programs of text-input v1 and v2 know only one position.
    var selection: (start: UInt32, length: UInt32)? {
        guard begin >= 0, end > begin else { return nil }
        return (UInt32(begin), UInt32(end - begin))
    }
}
