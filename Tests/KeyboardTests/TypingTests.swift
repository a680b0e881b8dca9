// Texts of any characters, as programs receive them.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import MullionKeymaps

@Suite struct TypingTests {
    private let fixture: ServerFixture
    private let reader: KeyboardReader
    private let bystander: KeyboardReader

    init() throws {
        fixture = try ServerFixture()
        bystander = try KeyboardReader(fixture.connect("bystander"))
        let client = try fixture.connect()
        reader = try KeyboardReader(client)
        client.window("w").color(0xffff0000).makeKeyAndVisible()
        try fixture.pump()
    }

    private func type(_ text: String) throws -> InputInjector.Report {
        let reports = try fixture.server.injector.inject([.text(text)])
        try fixture.pump()
        return try #require(reports.first)
    }

    private static let ideographs = String(String.UnicodeScalarView((0x4e00..<0x4f2c).compactMap(Unicode.Scalar.init)))

    @Test(
        "E3: any text can be typed on every layout, and the layout's own keymap is restored after it",
        arguments: [("us", ""), ("us", "intl"), ("de", ""), ("fr", ""), ("ru", "")],
        [
            "Hello, World!~{}[]\"'^`", "é€ñ漢😀", "Größe: 3 µm → „ok“", "aéa漢 and a long way of plain text, then 😀.",
            ideographs, "à\u{301}", "",
        ])
    func texts(layout: (String, String), text: String) throws {
        var configuration = fixture.server.keyboard
        (configuration.layout.layout, configuration.layout.variant) = layout
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        let (size, others) = (reader.keymapSize, bystander.keymaps)
        let report = try type(text)
        #expect(reader.takeText() == text)
        #expect(report.delivered == report.steps)
        #expect(reader.keymapSize == size && bystander.keymaps == others)
        #expect(fixture.model.pressedKeys == [] && fixture.server.seat.keyboard.heldKeys == [])
        #expect(reader.takeEvents().last != "no keymap")
    }

    @Test("E3: an X server's keymap keeps the layout and what was typed before, since its programs look keys up late")
    func typesForX11() throws {
        let x11 = try TestX11(fixture)
        let reader = try KeyboardReader(x11.program)
        let window = try x11.map("x")
        try fixture.tap(x: 10, y: 10)
        window.proxy.send(.activate)
        try fixture.model.makeKey(#require(fixture.model.windows.last))
        try fixture.pump()
        let size = reader.keymapSize
        _ = reader.takeEvents()
        _ = try type("漢字")
        #expect(reader.takeText() == "漢字" && reader.keymapSize > size)
        let keys = reader.takeEvents().filter { $0.hasPrefix("key ") && $0.hasSuffix(" 1") }
        _ = try type("a")
        #expect(reader.takeText() == "a" && reader.takeEvents() == ["key 30 1", "key 30 0"])
        _ = try type("Plain text with 漢 in it")
        let events = reader.takeEvents()
        #expect(!events.contains("keymap") && events.contains(keys[0]))
        #expect(reader.takeText() == "Plain text with 漢 in it")
        _ = try type("é字")
        #expect(reader.takeEvents().first == "keymap" && reader.takeText() == "é字")
        // A key of the layout that has been given away.
        let taken = try #require(keys.first?.split(separator: " ").dropFirst().first.flatMap { UInt32($0) })
        let layout = try #require(fixture.server.seat.keyboard.state?.keymap)
        #expect(!layout.strokes(in: 0).values.contains { $0.key == taken } || taken > 111)
        // Caps Lock changes none of them, and Shift is not needed for them.
        _ = try fixture.server.injector.inject([.key("Caps_Lock", .tap)])
        _ = try type("Ab é")
        #expect(reader.takeText() == "Ab é")
        _ = try fixture.server.injector.inject([.key("Caps_Lock", .tap)])
        // As many as there are keys; a text with more is refused.
        let most = String(Self.ideographs.unicodeScalars.prefix(100).map(Character.init))
        _ = try type(most)
        #expect(reader.takeText() == most)
        let refusal = #expect(throws: InputInjector.ListError.self) { try type(Self.ideographs) }
        #expect(refusal?.reason.message.contains("different characters at once") == true)
        #expect(throws: InputInjector.ListError.self) {
            try fixture.server.injector.inject([.code(434, .tap)])
        }
        _ = try fixture.server.injector.inject([.code(2, .tap, keymap: [2: "eacute"])])
        try fixture.pump()
        #expect(reader.takeText() == "é")
        // Another program's keyboard is not affected.
        try fixture.model.makeKey(#require(fixture.model.windows.first))
        try fixture.pump()
        _ = try type("b")
        #expect(self.reader.takeText() == "b")
    }

    @Test("characters of the layout are typed by their keys; neighbouring other ones share one keymap")
    func keymaps() throws {
        _ = reader.takeEvents()
        _ = try type("ab")
        #expect(reader.takeEvents() == ["key 30 1", "key 30 0", "key 48 1", "key 48 0"])
        _ = try type("a漢b字c")
        let received = reader.takeEvents()
        #expect(received.count { $0 == "keymap" } == 2, "\(received)")
        #expect(Array(received.prefix(3)) == ["key 30 1", "key 30 0", "keymap"])
        #expect(Array(received.suffix(4)) == ["keymap", "modifiers 0 0 0 0", "key 46 1", "key 46 0"])
        #expect(reader.takeText() == "aba漢b字c")
    }

    @Test("a line break is Return, even of two characters, and a tab character is Tab")
    func lines() throws {
        _ = try type("a\r\nb\n\t漢\n")
        #expect(reader.takeText() == "a\rb\r\t漢\r")
    }

    @Test("locked modifiers do not change a text; held modifiers apply, and held keys stay down")
    func lockedAndHeld() throws {
        let injector = fixture.server.injector
        _ = try injector.inject([.key("Caps_Lock", .tap)])
        _ = try type("Ab é")
        #expect(reader.takeText() == "Ab é")
        _ = try injector.inject([.key("Caps_Lock", .tap), .key("a", .down)])
        _ = try type("aba")
        #expect(reader.takeText() == "aaba")
        #expect(fixture.server.seat.keyboard.heldKeys == [30])
        _ = try injector.inject([.key("a", .up), .key("ctrl", .down)])
        try fixture.pump()
        _ = reader.takeEvents()
        _ = try type("é")
        #expect(Array(reader.takeEvents().prefix(3)) == ["keymap", "modifiers 4 0 0 0", "key 2 1"])
        _ = try injector.inject([.key("ctrl", .up)])
        try fixture.pump()
        #expect(reader.takeEvents().last == "modifiers 0 0 0 0")
    }

    @Test("E3: without a key window no client receives a text, and no keymap changes")
    func nobody() throws {
        try fixture.model.setHidden(true, of: #require(fixture.model.keyWindow))
        try fixture.pump()
        let before = reader.keymaps
        let report = try type("é")
        #expect(report.routing?.reason == .noKeyWindow && report.delivered == 0)
        #expect(reader.keymaps == before)
    }
}
