// wl_keyboard: which clients receive which keys and modifiers, and that none sticks.

import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import MullionKeymaps

@Suite struct KeyEventTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let reader: KeyboardReader
    private let window: TestWindow

    init() throws {
        fixture = try ServerFixture()
        client = try fixture.connect()
        reader = try KeyboardReader(client)
        window = client.window("w").color(0xffff0000)
        window.makeKeyAndVisible()
        try fixture.pump()
    }

    private func key(_ name: String, _ action: InputEvent.KeyAction = .tap) throws {
        _ = try fixture.server.injector.inject([.key(name, action)])
        try fixture.pump()
    }

    @Test("E3: a keyboard receives keymap and repeat_info, then enter and modifiers, then modifiers only on change")
    func order() throws {
        #expect(reader.takeEvents() == ["keymap", "enter \(window.surface.id) []", "modifiers 0 0 0 0"])
        #expect(reader.repetition?.rate == 25 && reader.repetition?.delay == 600)
        try key("a")
        try key("A")
        #expect(
            reader.takeEvents() == [
                "key 30 1", "key 30 0", "key 42 1", "modifiers 1 0 0 0", "key 30 1", "key 30 0", "key 42 0",
                "modifiers 0 0 0 0",
            ])
        #expect(reader.text == "aA")
        window.hide()
        try fixture.pump()
        #expect(reader.takeEvents() == ["leave \(window.surface.id)"])
    }

    @Test("the keymap can be mapped shared and private in every version, and no client can change it")
    func sealed() throws {
        let old = try KeyboardReader(client, version: 3)
        try fixture.pump()
        #expect(old.takeEvents().prefix(1) == ["keymap"])
        #expect(old.repetition == nil, "repeat_info came with version 4")
        for descriptor in [reader, old].compactMap(\.descriptor?.rawValue) {
            #expect(fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY)
            #expect(open("/proc/self/fd/\(descriptor)", O_RDWR).isUnwritable)
        }
        #expect(reader.keymapSize > 1000)
    }

    @Test("E3, K2: a key that is held while key passes on is in the new window's enter, and is released there")
    func held() throws {
        let other = try fixture.connect("other")
        let otherReader = try KeyboardReader(other)
        let next = other.window("next").color(0xff00ff00)
        next.show()
        try key("ctrl", .down)
        try key("x", .down)
        _ = reader.takeEvents()
        next.makeKey()
        try fixture.pump()
        #expect(
            reader.takeEvents() == ["leave \(window.surface.id)"], "cancelled: leave stands for the releases")
        #expect(otherReader.takeEvents() == ["keymap", "enter \(next.surface.id) [29, 45]", "modifiers 4 0 0 0"])
        #expect(throws: InputInjector.ListError.self) { try key("x", .down) }
        try key("x", .up)
        try key("ctrl", .up)
        #expect(otherReader.takeEvents() == ["key 45 0", "key 29 0", "modifiers 0 0 0 0"])
        #expect(reader.takeEvents() == [])
        window.makeKey()
        try fixture.pump()
        #expect(reader.takeEvents() == ["enter \(window.surface.id) []", "modifiers 0 0 0 0"])
    }

    @Test("E3, W7: a client that dies with keys down leaves neither keys nor modifiers stuck")
    func death() throws {
        let other = try fixture.connect("other")
        let otherReader = try KeyboardReader(other)
        let next = other.window("next").color(0xff00ff00)
        next.show()
        try key("shift", .down)
        try key("Caps_Lock")
        try client.kill()
        #expect(
            otherReader.takeEvents() == ["keymap", "enter \(next.surface.id) [42]", "modifiers 1 0 2 0"],
            "key passes on, shift is still down and the lock on")
        try key("shift", .up)
        try key("Caps_Lock")
        try key("a")
        #expect(otherReader.takeText() == "a" && fixture.server.seat.keyboard.heldKeys == [])
        #expect(otherReader.takeEvents().contains("modifiers 0 0 0 0"))
        next.hide()
        try fixture.pump()
        try key("shift", .down)
        next.show()
        next.makeKey()
        try fixture.pump()
        #expect(
            Array(otherReader.takeEvents().suffix(2)) == ["enter \(next.surface.id) []", "modifiers 0 0 0 0"],
            "a key that was pressed without a key window is in no enter")
    }

    @Test("changing the layout while modifiers are held and locked sends the new keymap, then the right modifiers")
    func changeWhileHeld() throws {
        let idle = try KeyboardReader(fixture.connect("idle"))
        try key("Caps_Lock")
        try key("shift", .down)
        try fixture.pump()
        _ = (reader.takeEvents(), idle.takeEvents())
        var configuration = fixture.server.keyboard
        configuration.layout.layout = "de"
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        #expect(reader.takeEvents() == ["keymap", "modifiers 1 0 2 0"])
        #expect(idle.takeEvents() == ["keymap"])
        #expect(reader.keymapName == "German" && idle.keymapName == "German")
        try key("shift", .up)
        #expect(reader.takeEvents() == ["key 42 0", "modifiers 0 0 2 0"])
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        #expect(reader.takeEvents() == [], "nothing has changed, so nothing is sent")
        // Without a key to unlock it, a lock would be permanent.
        configuration.layout.options = "caps:none"
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        #expect(reader.takeEvents() == ["keymap", "modifiers 0 0 0 0"])
        try key("z")
        #expect(reader.takeEvents() == ["key 21 1", "key 21 0"] && reader.takeText() == "z")
    }

    @Test("keys repeat as configured, or not at all; impossible values change nothing")
    func repetition() throws {
        var configuration = fixture.server.keyboard
        configuration.repeatRate = 0
        configuration.repeatDelay = 250
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        #expect(reader.repetition?.rate == 0 && reader.repetition?.delay == 250)
        for (rate, delay) in [(-1, 250), (2000, 250), (1, -1), (1, 70_000)] as [(Int32, Int32)] {
            var bad = configuration
            (bad.repeatRate, bad.repeatDelay) = (rate, delay)
            #expect(throws: ModelError.self) { try fixture.server.setKeyboard(bad) }
        }
        #expect(fixture.server.keyboard == configuration)
    }

    @Test("an application may have its own layout, by name; injected keys follow the layout of the key window")
    func applications() throws {
        var configuration = fixture.server.keyboard
        var german = KeyboardLayout()
        german.layout = "de"
        configuration.applications["german"] = german
        try fixture.server.setKeyboard(configuration)
        let other = try fixture.connect("other")
        other.application.send(.setName(name: "german"))
        let otherReader = try KeyboardReader(other)
        let next = other.window("next").color(0xff00ff00)
        next.show()
        try fixture.pump()
        #expect(reader.keymapName == "English (US)" && otherReader.keymapName == "German")
        try key("z")
        next.makeKey()
        try fixture.pump()
        try key("z")
        _ = try fixture.server.injector.inject([.text("ß@")])
        try fixture.pump()
        #expect(reader.takeText() == "z" && otherReader.takeText() == "zß@")
        #expect(otherReader.takeEvents().prefix(4).contains("key 21 1"))
        other.application.send(.setName(name: "unlisted"))
        try fixture.pump()
        #expect(otherReader.keymapName == "English (US)")
    }

    @Test("with several layouts, keys follow the active one")
    func groups() throws {
        var configuration = fixture.server.keyboard
        configuration.layout.layout = "us,de"
        configuration.layout.options = "grp:menu_toggle"
        try fixture.server.setKeyboard(configuration)
        try key("z")
        try key("ISO_Next_Group")
        _ = reader.takeEvents()
        try key("z")
        #expect(reader.takeEvents() == ["key 21 1", "key 21 0"])
        _ = try fixture.server.injector.inject([.text("yzß€é")])
        try fixture.pump()
        #expect(reader.takeText() == "zzyzß€é")
        #expect(reader.takeEvents().last == "modifiers 0 0 0 1", "the layout's own keymap is back, in its group")
    }
}

extension Int32 {
    /// Whether opening for writing failed, or yielded a sealed file.
    fileprivate var isUnwritable: Bool {
        guard self >= 0 else { return true }
        defer { close(self) }
        return write(self, "x", 1) < 0
    }
}
