// zwp_text_input_manager_v3 and zwp_text_input_v3

import MullionWayland
import WindowModel

final class TextInputManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTextInputManagerV3.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getTextInput(let id, let seat):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            _ = try TextInputResource(client, id: id, version: version, seat: seat)
        }
    }
}

/// zwp_text_input_v3: a text field of the client that has the keyboard. Its state is double-buffered (C4), and is
/// ignored without the focus.
final class TextInputResource: TextField {
    /// The enable or disable requested since the last commit.
    var wantsEnabled: Bool?
    /// The number of commits so far, which the client uses to match events.
    var commits: UInt32 = 0

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.textInputs.add(self)
        inputs.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let request = try decode(ZwpTextInputV3.Request.self, opcode, &reader)
        if case .commit = request { commits &+= 1 }
        if case .destroy = request { return destroy() }
        guard inputs.hasFocus(connection) else { return }
        switch request {
        case .destroy: break
        case .enable: start(true)
        case .disable: start(false)
        case .setSurroundingText(let text, let cursor, let anchor):
            try setSurrounding(text, cursor: Int(cursor), anchor: Int(anchor))
        case .setTextChangeCause(let cause): pending.cause = cause
        case .setContentType(let hint, let purpose):
            pending.contentType = TextInputState.ContentType(hint: hint, purpose: purpose)
        case .setCursorRectangle(let x, let y, let width, let height): setCursorRectangle(x, y, width, height)
        case .commit: commit()
        }
    }

    override func willDestroy() {
        owner.textInputs.remove(self)
        if isActive { inputs.deactivate() }
    }

    /// Enable and disable discard the pending state.
    private func start(_ enabled: Bool) {
        pending = TextInputState()
        wantsEnabled = enabled
    }

    override func reset() {
        super.reset()
        wantsEnabled = nil
    }

    private func commit() {
        let wanted = wantsEnabled
        wantsEnabled = nil
        // One at a time: a field is not enabled while another field of the client is; a disabled field has no state.
        guard isActive || (wanted == true && inputs.active == nil), wanted != false else {
            if isActive { inputs.deactivate() }
            return reset()
        }
        applyPending(isNew: wanted == true)
    }

    // MARK: Events

    override func enter(_ surface: SurfaceResource) {
        reset()
        send(ZwpTextInputV3.Event.enter(surface: surface.id))
    }

    override func leave(_ surface: SurfaceResource) {
        reset()
        send(ZwpTextInputV3.Event.leave(surface: surface.id))
    }

    override func send(_ edit: TextEdit) {
        if let preedit = edit.preedit {
            send(
                ZwpTextInputV3.Event.preeditString(
                    text: preedit.text, cursorBegin: preedit.begin, cursorEnd: preedit.end))
        }
        if let insertion = edit.insertion { send(ZwpTextInputV3.Event.commitString(text: insertion)) }
        if let deletion = edit.deletion {
            send(
                ZwpTextInputV3.Event.deleteSurroundingText(
                    beforeLength: deletion.before, afterLength: deletion.after))
        }
        send(ZwpTextInputV3.Event.done(serial: commits))
    }
}
