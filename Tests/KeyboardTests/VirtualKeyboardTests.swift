// zwp_virtual_keyboard_v1: keys from programs, with their own keymap.

import CMullionXKBCommon
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import MullionKeymaps

@Suite struct VirtualKeyboardTests {
    private let fixture: ServerFixture
    private let reader: KeyboardReader
    private let window: TestWindow
    private let typist: TestClient
    private let keyboard: Proxy<ZwpVirtualKeyboardV1>

    init() throws {
        fixture = try ServerFixture()
        let client = try fixture.connect()
        reader = try KeyboardReader(client)
        window = client.window("w").color(0xffff0000)
        window.makeKeyAndVisible()
        typist = try fixture.connect("typist")
        keyboard = try Self.keyboard(typist)
        try fixture.pump()
        _ = reader.takeEvents()
    }

    private static func keyboard(_ client: TestClient) throws -> Proxy<ZwpVirtualKeyboardV1> {
        let manager = try client.bind(ZwpVirtualKeyboardManagerV1.self)
        let seat = try client.bind(WlSeat.self)
        let keyboard = Proxy<ZwpVirtualKeyboardV1>(client.connection, version: 1)
        manager.send(.createVirtualKeyboard(seat: seat.id, id: keyboard.id))
        return keyboard
    }

    /// A keymap of one key, 2, with a symbol.
    private static func keymap(_ symbol: String, symbols: String = "", types: String = "") -> String {
        """
        xkb_keymap {
        xkb_keycodes "x" { minimum = 8; maximum = 255; <K> = 10; <L> = 11; };
        xkb_types "x" { include "complete" \(types) };
        xkb_compatibility "x" { include "complete" };
        xkb_symbols "x" { key <K> { [ \(symbol) ] }; \(symbols) };
        };
        """
    }

    /// A keymap of many keys of one type, whose name may be long, and many interpret statements.
    private static func manyKeys(_ count: Int, interprets: Int = 0, typeName: Int = 1) -> String {
        let name = String(repeating: "L", count: typeName)
        let keys = 0..<count
        return """
            xkb_keymap {
            xkb_keycodes "k" { minimum = 8; maximum = 100000;
            \(keys.map { "<\(String($0, radix: 36))> = \($0 + 8);" }.joined()) };
            xkb_types "t" { type "ONE_LEVEL" { modifiers = none; level_name[Level1] = "Any"; };
            type "TWO_LEVEL" { modifiers = Shift; map[Shift] = Level2; };
            type "ALPHABETIC" { modifiers = Shift; map[Shift] = Level2; };
            type "\(name)" { modifiers = Shift; map[Shift] = Level2; level_name[Level1] = "Any"; }; };
            xkb_compat "c" {
            \((0..<interprets).map { "interpret U\(String(0x1000 + $0, radix: 16))+Exactly(Shift) { repeat = True; };" }
                .joined()) };
            xkb_symbols "s" { name[group1] = "us"; \(typeName > 1 ? "key.type = \"\(name)\";" : "")
            \(keys.map { "key <\(String($0, radix: 36))> {[a, b]};" }.joined()) };
            };
            """
    }

    @Test("a user whose keymaps compile slowly has to wait; others do not")
    func budget() throws {
        var budget = KeymapBudget()
        func sender(_ user: UInt32, isTrusted: Bool = true) -> KeymapCompiler.Sender {
            KeymapCompiler.Sender(user: user, isTrusted: isTrusted)
        }
        func admits(_ user: UInt32, at now: UInt64) -> Bool { budget.admits(sender(user), at: now) }
        #expect(admits(1, at: 5) && admits(1, at: 6))
        budget.spend(KeymapBudget.time - 1, of: sender(1))
        // What a user's programs in sandboxes use does not count for the others.
        budget.spend(KeymapBudget.time, of: sender(1, isTrusted: false))
        #expect(admits(1, at: 7))
        budget.spend(1, of: sender(1))
        #expect(!admits(1, at: 8) && !admits(1, at: 5 + KeymapBudget.window) && admits(2, at: 9))
        #expect(admits(1, at: 6 + KeymapBudget.window))
        let user = sender(getuid())
        try send(keymap: Self.keymap("x"))
        #expect(typist.isOpen)
        fixture.server.keymapCompiler.budget.spend(KeymapBudget.time, of: user)
        try send(keymap: Self.keymap("x"))
        #expect(typist.protocolError?.message.contains("1000 ms within 10 s; wait") == true)
        // The time that a compilation took is counted.
        fixture.server.keymapCompiler.budget = KeymapBudget()
        let slow = try fixture.connect("slow")
        try send(keymap: Self.manyKeys(12_000, interprets: 9_000), to: Self.keyboard(slow))
        #expect(slow.protocolError?.message.contains("200 ms") == true)
        let time = fixture.server.keymapCompiler.budget.spent[user] ?? 0
        #expect((150_000...2_000_000).contains(time), "\(time) µs")
    }

    private func send(
        keymap text: String, size: UInt32? = nil, format: UInt32 = 1, to other: Proxy<ZwpVirtualKeyboardV1>? = nil
    ) throws {
        let bytes = Array(text.utf8) + [0]
        let file = OwnedDescriptor(mullionMemory())
        #expect(write(file.rawValue, bytes, bytes.count) == bytes.count)
        (other ?? keyboard).send(.keymap(format: format, fd: file, size: size ?? UInt32(bytes.count)))
        try fixture.compileKeymaps()
    }

    /// What follows a keymap's text in its file, and how many of these bytes the given size counts.
    @Test(
        "a keymap has exactly the given size, with or without a NUL at its end",
        arguments: [
            ([], 0), ([0], 1), ([0], 0), ([0, 0, 0, 0], 4), ([0] + Array("garbage".utf8), 8),
            (Array("garbage".utf8), 0),
        ] as [([UInt8], Int)])
    func terminators(following: [UInt8], counted: Int) throws {
        let text = Array(Self.keymap("U6F22").utf8)
        let file = OwnedDescriptor(mullionMemory())
        let bytes = text + following
        #expect(write(file.rawValue, bytes, bytes.count) == bytes.count)
        keyboard.send(.keymap(format: 1, fd: file, size: UInt32(text.count + counted)))
        try fixture.compileKeymaps()
        try press(2, 1)
        try press(2, 0)
        #expect(typist.isOpen, "\(typist.protocolError?.message ?? "")")
        #expect(reader.takeText() == "漢")
    }

    private func press(_ key: UInt32, _ state: UInt32) throws {
        keyboard.send(.key(time: 0, key: key, state: state))
        try fixture.pump()
    }

    @Test("E9: its keys are injected steps like all others, and are not recorded: its keymap cannot be injected again")
    func steps() throws {
        var recorded: [InputStep] = []
        fixture.server.injector.onStep = { recorded.append($0) }
        let before = fixture.server.counters.steps
        try send(keymap: Self.keymap("U6F22"))
        try press(2, 1)
        try press(2, 0)
        #expect(fixture.server.counters.steps == before + 2 && recorded.isEmpty)
        _ = try fixture.server.injector.inject([.code(48, .tap, keymap: [48: "eacute"])])
        #expect(fixture.server.counters.steps == before + 4 && recorded.count == 2)
    }

    @Test("E3: its keymap goes to the key window's client before its keys, the seat's own after them")
    func keymaps() throws {
        try send(keymap: Self.keymap("U6F22"))
        try press(2, 1)
        try press(2, 0)
        #expect(reader.takeEvents() == ["keymap", "modifiers 0 0 0 0", "key 2 1", "key 2 0"])
        try press(2, 1)
        try press(2, 0)
        #expect(reader.takeEvents() == ["key 2 1", "key 2 0"])
        _ = try fixture.server.injector.inject([.key("a", .tap)])
        try fixture.pump()
        #expect(reader.takeEvents() == ["keymap", "modifiers 0 0 0 0", "key 30 1", "key 30 0"])
        #expect(reader.takeText() == "漢漢a")
        keyboard.send(.modifiers(modsDepressed: 4, modsLatched: 0, modsLocked: 2, group: 0))
        try fixture.pump()
        #expect(reader.takeEvents() == ["keymap", "modifiers 4 0 2 0"])
        keyboard.send(.destroy)
        try fixture.pump()
        #expect(reader.takeEvents() == ["keymap", "modifiers 0 0 0 0"], "its modifiers end with it")
    }

    @Test("keys that are down when it is destroyed, or its client dies, are released", arguments: [false, true])
    func destroyed(byDeath: Bool) throws {
        try send(keymap: Self.keymap("x"))
        try press(2, 1)
        try press(2, 1)
        _ = reader.takeEvents()
        if byDeath {
            try typist.kill()
        } else {
            keyboard.send(.destroy)
            try fixture.pump()
        }
        #expect(reader.takeEvents() == ["key 2 0", "keymap", "modifiers 0 0 0 0"])
        #expect(fixture.model.pressedKeys == [])
    }

    @Test("a key that is down on one keyboard passes to the one that presses it last")
    func takeover() throws {
        try send(keymap: Self.keymap("x"))
        let injector = fixture.server.injector
        _ = try injector.inject([.key("1", .down)])
        try fixture.pump()
        _ = reader.takeEvents()
        try press(2, 1)
        #expect(reader.takeEvents() == ["key 2 0", "keymap", "modifiers 0 0 0 0", "key 2 1"])
        _ = try injector.inject([.key("1", .up)])
        try fixture.pump()
        #expect(reader.takeEvents() == [])
        try press(2, 0)
        #expect(reader.takeEvents() == ["key 2 0"])
    }

    @Test("E3, K2: held keys are in the enter of a new key window, with their keymap")
    func passing() throws {
        try send(keymap: Self.keymap("x"))
        try press(2, 1)
        let other = try fixture.connect("other")
        let otherReader = try KeyboardReader(other)
        let next = other.window("next").color(0xff00ff00)
        next.makeKeyAndVisible()
        try fixture.pump()
        #expect(
            otherReader.takeEvents() == ["keymap", "keymap", "enter \(next.surface.id) [2]", "modifiers 0 0 0 0"])
        try press(2, 0)
        window.makeKey()
        _ = reader.takeEvents()
        try fixture.pump()
        #expect(reader.takeEvents() == ["keymap", "enter \(window.surface.id) []", "modifiers 0 0 0 0"])
    }

    @Test(
        "an invalid keymap is refused with the reason, and so are keys without a keymap",
        arguments: [
            ("", nil, 1, "compile"), ("nonsense", nil, 1, "compile the keymap: "),
            (keymap("x"), nil, 0, "0 is not a keymap format"),
            (keymap("x"), 0, 1, "not 0"), (keymap("x"), 5_000_000, 1, "not 5000000"),
            (keymap("x"), 1_000_000, 1, "not a file of"), (keymap("x"), 30, 1, "XKB cannot compile"),
            (keymap("x", symbols: #"include "../../../../../etc/passwd""#), nil, 1, "leaves XKB's folders"),
            (keymap("x", symbols: String(repeating: #"include "us" "#, count: 65)), nil, 1, "more than 64 parts"),
            (keymap("x", symbols: #"include "us\#(String(repeating: "+us", count: 65))""#), nil, 1, "64 parts"),
            // These crash XKB's compiler, but not the server.
            (keymap("x", symbols: "key <L> {, [ x ] };"), nil, 1, "XKB cannot compile the keymap"),
            (keymap("x").replacing("= 11", with: "= 2147483648"), nil, 1, "XKB cannot compile the keymap"),
            // The first takes all memory, the second all time, the third grows to ten times its length.
            (
                keymap("x", types: #"type "T" { modifiers = Shift; level_name[268435456] = "Any"; };"#), nil, 1,
                "128 MiB"
            ),
            (manyKeys(12_000, interprets: 9_000), nil, 1, "200 ms"),
            (manyKeys(4_000, typeName: 400), nil, 1, "its serialization has"),
            (nil, nil, 1, "needs a keymap first"),
        ] as [(String?, UInt32?, UInt32, String)])
    func refused(text: String?, size: UInt32?, format: UInt32, reason: String) throws {
        if let text { try send(keymap: text, size: size, format: format) }
        try press(2, 1)
        #expect(typist.protocolError?.code == ZwpVirtualKeyboardV1.Error.noKeymap.rawValue)
        #expect(typist.protocolError?.message.contains(reason) == true, "\(typist.protocolError?.message ?? "")")
        #expect(reader.takeEvents() == [] && fixture.server.clientCount == 1)
    }

    @Test("an invalid key state is an error; codes that no keyboard has are ignored")
    func nonsense() throws {
        try send(keymap: Self.keymap("x"))
        try press(70_000, 1)
        #expect(typist.isOpen)
        try press(2, 2)
        #expect(typist.protocolError?.message.contains("2 is not a key state") == true)
        #expect(reader.takeEvents() == [])
    }

    @Test("without the right to inject there is no such global")
    func rights() throws {
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(users: [getuid()], rights: [.view, .administer])])
        let stranger = try fixture.connect("stranger")
        #expect(!stranger.globals.contains { $0.interface == ZwpVirtualKeyboardManagerV1.name })
        #expect(typist.globals.contains { $0.interface == ZwpVirtualKeyboardManagerV1.name })
    }
}
