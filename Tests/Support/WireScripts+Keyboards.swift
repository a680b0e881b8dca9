// The session of the fuzz corpus with virtual keyboards.

import MullionWayland

extension WireScripts {
    /// Creates and destroys keyboards; the last one gets an invalid keymap.
    static func badVirtualKeyboard(_ client: TestClient, _ fixture: ServerFixture) throws {
        let manager = try client.bind(ZwpVirtualKeyboardManagerV1.self)
        let seat = try client.bind(WlSeat.self)
        func keyboard() -> Proxy<ZwpVirtualKeyboardV1> {
            let keyboard = Proxy<ZwpVirtualKeyboardV1>(client.connection, version: 1)
            manager.send(.createVirtualKeyboard(seat: seat.id, id: keyboard.id))
            return keyboard
        }
        let first = keyboard()
        let second = keyboard()
        first.send(.destroy)
        try fixture.pump()
        second.send(.keymap(format: 1, fd: try client.memoryFile(words: 1024, filledWith: 0), size: 4096))
        second.send(.modifiers(modsDepressed: 1, modsLatched: 0, modsLocked: 0, group: 0))
        second.send(.key(time: 0, key: 30, state: 1))
        second.send(.destroy)
        try fixture.compileKeymaps()
    }
}
