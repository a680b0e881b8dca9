// Keys that an input method grabs and forwards, keymaps that are sent once, and locks that survive a layout change.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct GrabbedKeyTests {
    /// An input method like fcitx: it grabs the keys and forwards them, with the seat's own keymap.
    private struct Relay {
        let fixture: ServerFixture
        let reader: KeyboardReader
        let method: TestInputMethod
        let grab: TestKeyboardGrab
        let keyboard: Proxy<ZwpVirtualKeyboardV1>

        init() throws {
            fixture = try ServerFixture()
            let client = try fixture.connect("editor")
            reader = try KeyboardReader(client)
            client.window("w").color(0xffff_0000).makeKeyAndVisible()
            let typist = try fixture.connect("typist")
            method = try TestInputMethod(typist)
            grab = method.grab()
            let manager = try typist.bind(ZwpVirtualKeyboardManagerV1.self)
            let seat = try typist.seat()
            keyboard = Proxy<ZwpVirtualKeyboardV1>(typist.connection, version: 1)
            manager.send(.createVirtualKeyboard(seat: seat.id, id: keyboard.id))
            try fixture.pump()
            let text = try #require(fixture.server.seat.keyboard.state?.keymap.text)
            // The same descriptor that the grab received.
            keyboard.send(
                .keymap(format: 1, fd: OwnedDescriptor(dup(text.descriptor.rawValue)), size: text.size))
            try fixture.compileKeymaps()
            _ = reader.takeEvents()
            _ = grab.takeLines()
        }

        func press(_ key: UInt32, _ pressed: Bool) throws {
            try fixture.server.seat.keyboard.press(key: key, pressed: pressed)
            try fixture.pump()
        }

        func play(_ key: UInt32, _ pressed: Bool, modifiers: UInt32? = nil) throws {
            keyboard.send(.key(time: 0, key: key, state: pressed ? 1 : 0))
            if let modifiers {
                keyboard.send(.modifiers(modsDepressed: modifiers, modsLatched: 0, modsLocked: 0, group: 0))
            }
            try fixture.pump()
        }
    }

    @Test("a grabbed key stays down for the input method while it forwards the same key: Shift holds, held keys repeat")
    func playedOn() throws {
        let relay = try Relay()
        try relay.press(42, true)
        #expect(relay.grab.takeLines() == ["key 42 1", "modifiers 1"] && relay.reader.takeEvents() == [])
        try relay.play(42, true, modifiers: 1)
        #expect(relay.grab.takeLines() == [], "Shift is down as before")
        #expect(relay.reader.takeEvents() == ["key 42 1", "modifiers 1 0 0 0"])
        try relay.press(30, true)
        #expect(relay.grab.takeLines() == ["key 30 1"])
        try relay.play(30, true)
        try relay.play(30, false)
        #expect(relay.grab.takeLines() == [])
        #expect(relay.reader.takeEvents() == ["key 30 1", "key 30 0"] && relay.reader.takeText() == "A")
        try relay.press(30, false)
        try relay.press(42, false)
        #expect(relay.grab.takeLines() == ["key 30 0", "key 42 0", "modifiers 0"])
        try relay.play(42, false, modifiers: 0)
        #expect(relay.reader.takeEvents() == ["key 42 0", "modifiers 0 0 0 0"])
        #expect(relay.fixture.model.pressedKeys == [] && relay.fixture.server.seat.keyboard.heldKeys == [])
    }

    @Test("the grabbed and the forwarded key are both released, in either order")
    func releasedInAnyOrder() throws {
        let relay = try Relay()
        for first in [true, false] {
            try relay.press(30, true)
            try relay.play(30, true)
            for own in [first, !first] {
                if own { try relay.press(30, false) } else { try relay.play(30, false) }
            }
            #expect(relay.grab.takeLines() == ["key 30 1", "key 30 0"])
            #expect(relay.reader.takeEvents() == ["key 30 1", "key 30 0"])
            #expect(relay.fixture.model.pressedKeys == [])
        }
    }

    @Test("a keymap that a program already has is not sent again with each keystroke")
    func sameKeymap() throws {
        let relay = try Relay()
        let before = relay.reader.keymaps
        for _ in 0..<3 {
            try relay.press(30, true)
            try relay.play(30, true)
            try relay.play(30, false)
            try relay.press(30, false)
        }
        #expect(relay.reader.keymaps == before && relay.reader.takeText() == "aaa")
    }

    @Test("changing back to the built-in layout keeps Caps Lock")
    func lockedThroughDefault() throws {
        let fixture = try ServerFixture()
        var german = KeyboardConfiguration()
        german.layout.layout = "de"
        try fixture.server.setKeyboard(german)
        let client = try fixture.connect()
        let reader = try KeyboardReader(client)
        client.window("w").color(0xffff_0000).makeKeyAndVisible()
        try fixture.pump()
        _ = try fixture.server.injector.inject([.key("Caps_Lock", .tap)])
        try fixture.server.setKeyboard(KeyboardConfiguration())
        #expect(fixture.server.seat.keyboard.state?.modifiers.locked == 2)
        try fixture.pump()
        #expect(reader.keymaps == 2)
    }

    @Test("when XKB has no such layout a program receives no_keymap, once")
    func noKeymap() throws {
        let fixture = try ServerFixture()
        fixture.server.seat.keyboard.configuration.layout.layout = "zz"
        let client = try fixture.connect()
        let seat = try client.seat()
        let keyboard = Proxy<WlKeyboard>(client.connection, version: seat.version)
        var formats: [UInt32] = []
        keyboard.onEvent = { if case .keymap(let format, _, _) = $0 { formats.append(format.rawValue) } }
        seat.send(.getKeyboard(id: keyboard.id))
        client.window("w").color(0xffff_0000).makeKeyAndVisible()
        try fixture.pump()
        #expect(formats == [0] && client.isOpen)
    }
}
