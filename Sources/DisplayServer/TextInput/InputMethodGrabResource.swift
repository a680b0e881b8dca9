// zwp_input_method_keyboard_grab_v2

import MullionKeymaps
import MullionWayland

/// Delivers the keys to an input method instead of the key window. Only one grab at a time is active.
final class InputMethodGrabResource: SeatObject {
    private(set) weak var inputMethod: InputMethodResource?
    private var sentModifiers: ModifierState?

    func start(_ inputMethod: InputMethodResource) {
        guard seat.textInputs.begin(self) else { return }
        self.inputMethod = inputMethod
        describeKeyboard()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpInputMethodKeyboardGrabV2.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() { end() }

    /// L2, L4: whether its client may receive input.
    var mayReceive: Bool { server.model.admitsInput(of: client.application) }

    /// Ends the grab; the keys go to the key window again.
    func end() {
        inputMethod = nil
        seat.textInputs.end(self)
    }

    /// Sends keymap, repetition and modifiers, initially and whenever the keyboard changes.
    func describeKeyboard() {
        let keyboard = seat.keyboard
        if let keymap = keyboard.state?.keymap.text {
            send(
                ZwpInputMethodKeyboardGrabV2.Event.keymap(
                    format: .xkbV1, fd: keymap.descriptor, size: keymap.size))
        }
        let configuration = keyboard.configuration
        send(
            ZwpInputMethodKeyboardGrabV2.Event.repeatInfo(
                rate: configuration.repeatRate, delay: configuration.repeatDelay))
        sentModifiers = nil
        sendModifiers()
    }

    /// `time` is in microseconds.
    func send(_ key: UInt32, _ state: WlKeyboard.KeyState, time: UInt64) {
        send(
            ZwpInputMethodKeyboardGrabV2.Event.key(
                serial: seat.nextSerial(), time: UInt32(truncatingIfNeeded: time / 1000), key: key,
                state: state))
        sendModifiers()
    }

    /// Sends the modifiers if they have changed.
    func sendModifiers() {
        let state = seat.keyboard.state?.modifiers ?? ModifierState()
        guard state != sentModifiers else { return }
        sentModifiers = state
        send(
            ZwpInputMethodKeyboardGrabV2.Event.modifiers(
                serial: seat.nextSerial(), modsDepressed: state.depressed, modsLatched: state.latched,
                modsLocked: state.locked, group: state.group))
    }
}
