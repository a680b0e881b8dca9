// zwp_input_method_keyboard_grab_v2

import Wayland
import WindowModel

/// The keys for an input method instead of the key window. One grab at a time; a second one is told nothing.
final class InputMethodGrabResource: Resource {
    private(set) weak var inputMethod: InputMethodResource?

    func start(_ inputMethod: InputMethodResource) {
        guard server.seat.textInputs.begin(self) else { return }
        self.inputMethod = inputMethod
        describeKeyboard()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpInputMethodKeyboardGrabV2.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() { end() }

    /// The keys go to the key window again.
    func end() {
        inputMethod = nil
        server.seat.textInputs.end(self)
    }

    /// Tells keymap, repetition and modifiers, at first and whenever the keyboard becomes another.
    func describeKeyboard() {
        if let keymap = server.seat.keymap {
            send(
                ZwpInputMethodKeyboardGrabV2.Event.keymap(
                    format: .xkbV1, fd: keymap.descriptor, size: keymap.size))
        }
        send(ZwpInputMethodKeyboardGrabV2.Event.repeatInfo(rate: 25, delay: 600))
        send(server.seat.modifiers)
    }

    /// A key that is cancelled goes up.
    func send(_ key: UInt32, _ event: Event) {
        send(
            ZwpInputMethodKeyboardGrabV2.Event.key(
                serial: server.nextSerial(), time: UInt32(truncatingIfNeeded: event.timestamp / 1000), key: key,
                state: event.phase == .began ? .pressed : .released))
    }

    func send(_ state: ModifierState) {
        send(
            ZwpInputMethodKeyboardGrabV2.Event.modifiers(
                serial: server.nextSerial(), modsDepressed: state.depressed, modsLatched: state.latched,
                modsLocked: state.locked, group: state.group))
    }
}
