// Keys that the server repeats: for which clients, when, and until when.

import CMullionXKBCommon
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct KeyRepetitionTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let reader: KeyboardReader
    private let window: TestWindow

    init() throws {
        fixture = try ServerFixture(screens: ["800x600", "640x480,external"], clock: .manual)
        fixture.server.isHandOverPossible = true
        client = try fixture.connect()
        reader = try KeyboardReader(client, version: 10)
        window = client.window("w").color(0xffff_0000)
        window.makeKeyAndVisible()
        try fixture.pump()
        _ = reader.takeEvents()
    }

    private func key(_ name: String, _ action: InputEvent.KeyAction) throws {
        _ = try fixture.server.injector.inject([.key(name, action)])
        try fixture.pump()
    }

    /// The events that are received while so many milliseconds pass.
    private func received(_ milliseconds: UInt64) throws -> [String] {
        try fixture.step(milliseconds * 1000)
        return reader.takeEvents()
    }

    private func configure(rate: Int32, delay: Int32) throws {
        var configuration = fixture.server.keyboard
        (configuration.repeatRate, configuration.repeatDelay) = (rate, delay)
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
    }

    @Test("version 10 must not repeat keys itself; a held key repeats after the delay, at the rate, until released")
    func repeats() throws {
        #expect(reader.repetition?.rate == 0 && reader.repetition?.delay == 0)
        try key("a", .down)
        #expect(reader.takeEvents() == ["key 30 1"])
        #expect(try received(599) == [])
        #expect(try received(1) == ["key 30 2"])
        #expect(try received(39) == [])
        #expect(try received(1) == ["key 30 2"])
        #expect(try received(400) == Array(repeating: "key 30 2", count: 10))
        try key("a", .up)
        #expect(reader.takeEvents() == ["key 30 0"])
        #expect(try received(2000) == [] && fixture.server.clock.nextDeadline == nil)
        try configure(rate: 1000, delay: 0)
        try key("a", .down)
        #expect(try received(10).count { $0 == "key 30 2" } == 11)
        try configure(rate: 0, delay: 0)
        #expect(try received(1000) == [])
        try key("a", .up)
        try key("a", .down)
        #expect(try received(1000) == ["key 30 0", "key 30 1"])
    }

    @Test("older keyboards of the same program receive the rate and delay, and no repeated keys")
    func older() throws {
        let old = try KeyboardReader(client, version: 9)
        try fixture.pump()
        _ = old.takeEvents()
        #expect(old.repetition?.rate == 25 && old.repetition?.delay == 600)
        try key("a", .down)
        #expect(try received(700).count { $0 == "key 30 2" } == 3)
        #expect(old.takeEvents() == ["key 30 1"])
        reader.keyboard.send(.release)
        try fixture.pump()
        #expect(try received(700) == [] && old.takeEvents() == [])
        #expect(fixture.server.clock.nextDeadline == nil, "the timer stops with the last keyboard that needs it")
        try key("a", .up)
        try key("b", .down)
        #expect(fixture.server.clock.nextDeadline == nil, "no keyboard needs the timer")
    }

    @Test("modifiers neither repeat nor stop a repeating key; the next key takes over, and its release ends it")
    func others() throws {
        try key("shift", .down)
        #expect(try received(2000) == ["key 42 1", "modifiers 1 0 0 0"])
        try key("shift", .up)
        try key("a", .down)
        _ = try received(600)
        try key("shift", .down)
        #expect(try received(40) == ["key 42 1", "modifiers 1 0 0 0", "key 30 2"])
        try key("b", .down)
        #expect(try received(599) == ["key 48 1"])
        try key("a", .up)
        #expect(try received(1) == ["key 30 0", "key 48 2"])
        try key("b", .up)
        #expect(try received(1000) == ["key 48 0"])
        try key("shift", .up)
        #expect(reader.takeEvents() == ["key 42 0", "modifiers 0 0 0 0"])
    }

    @Test("K2: a client that gains or loses the keyboard while a key is down does not receive its repetition")
    func focus() throws {
        let other = try fixture.connect("other")
        let theirs = try KeyboardReader(other, version: 10)
        let second = other.window("o").color(0xff00_ff00)
        try key("a", .down)
        #expect(try received(600) == ["key 30 1", "key 30 2"])
        second.makeKeyAndVisible()
        try fixture.pump()
        _ = reader.takeEvents()
        #expect(theirs.takeEvents().suffix(2) == ["enter \(second.surface.id) [30]", "modifiers 0 0 0 0"])
        #expect(try received(2000) == [] && theirs.takeEvents() == [])
        try key("b", .down)
        #expect(try received(600) == [] && theirs.takeEvents() == ["key 48 1", "key 48 2"])
        #expect(fixture.server.clock.nextDeadline != nil)
        second.destroy()
        try fixture.pump()
        #expect(other.isOpen && fixture.server.clock.nextDeadline == nil)
        #expect(!theirs.takeEvents().contains("key 48 2"))
    }

    @Test("a keyboard grab ends the repetition; the input method repeats the keys that it receives itself")
    func grabbed() throws {
        let method = try TestInputMethod(try fixture.connect("method"))
        try fixture.pump()
        try key("a", .down)
        #expect(try received(600) == ["key 30 1", "key 30 2"])
        let grab = method.grab()
        try fixture.pump()
        #expect(try received(1000) == [] && fixture.server.clock.nextDeadline == nil)
        try key("b", .down)
        #expect(try received(1000) == [] && fixture.server.clock.nextDeadline == nil)
        _ = grab
    }

    @Test("until idle names the key that is held")
    func idle() throws {
        try key("a", .down)
        guard case .busy(let causes) = try fixture.step(.idle(limit: 1_000_000)).outcome else {
            throw FixtureError("the server is idle")
        }
        #expect(causes.map(\.description) == ["key 30 is held and repeats"])
        try key("a", .up)
        guard case .done = try fixture.step(.idle(limit: 1_000_000)).outcome else {
            throw FixtureError("the server is not idle")
        }
    }

    @Test("a new layout ends the repetition, and so does the end of the program")
    func ends() throws {
        try key("a", .down)
        _ = try received(600)
        var configuration = fixture.server.keyboard
        configuration.layout.layout = "de"
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        #expect(try received(1000).allSatisfy { !$0.hasPrefix("key ") })
        try key("a", .up)
        try key("a", .down)
        #expect(fixture.server.clock.nextDeadline != nil)
        try client.kill()
        #expect(fixture.server.clock.nextDeadline == nil)
    }

    @Test("keys of a virtual keyboard repeat as its own keymap says")
    func virtualKeyboard() throws {
        let typist = try fixture.connect("typist")
        let manager = try typist.bind(ZwpVirtualKeyboardManagerV1.self)
        let seat = try typist.bind(WlSeat.self)
        let keyboard = Proxy<ZwpVirtualKeyboardV1>(typist.connection, version: 1)
        manager.send(.createVirtualKeyboard(seat: seat.id, id: keyboard.id))
        let text = """
            xkb_keymap {
            xkb_keycodes "x" { minimum = 8; maximum = 255; <K> = 38; <L> = 50; <M> = 51; };
            xkb_types "x" { include "complete" };
            xkb_compatibility "x" { include "complete" };
            xkb_symbols "x" { key <K> { [ eacute ] }; key <L> { [ Shift_L ] }; key <M> { repeat = no, [ x ] }; };
            };
            """
        var bytes = Array((text + "\0").utf8)
        bytes += [UInt8](repeating: 0, count: 4 - bytes.count % 4)
        let words = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        let memory = try typist.memoryFile(words: words.count, filledWith: 0)
        #expect(pwrite(memory.rawValue, words, bytes.count, 0) == bytes.count)
        keyboard.send(.keymap(format: 1, fd: memory, size: UInt32(bytes.count)))
        try fixture.compileKeymaps()
        for round in 0..<2 {
            for (code, repeats) in [(30, true), (42, false), (43, false)] as [(UInt32, Bool)] {
                keyboard.send(.key(time: 0, key: code, state: 1))
                try fixture.pump()
                #expect(try received(600).contains("key \(code) 2") == repeats, "\(code)")
                keyboard.send(.key(time: 0, key: code, state: 0))
                try fixture.pump()
            }
            // The next server has the keymap as well.
            if round == 0 { try fixture.handOver() }
        }
        #expect(typist.isOpen && client.isOpen)
    }

    @Test("the repetition for a client that does not read is bounded")
    func stopped() throws {
        try configure(rate: 1000, delay: 0)
        try key("a", .down)
        fixture.detach(client)
        var size: Int32 = 4096
        for client in fixture.server.clients.values {
            setsockopt(client.transport.socket.rawValue, SOL_SOCKET, SO_SNDBUF, &size, 4)
        }
        let (clock, limit) = (fixture.server.clock, Limits().outputHighWater)
        for count in 0..<20_000 {
            _ = clock.advance(to: clock.now + 1000)
            if count % 100 == 0 { fixture.server.deliverAndFlush() }
        }
        let queued = fixture.server.queuedBytes
        #expect(fixture.server.clientCount == 1 && queued > limit && queued < limit + 10_000)
    }
}
