// zwp_text_input_v3 and zwp_input_method_v2 by hand: a text field and what writes into it.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct TextInputTests {
    @Test("K1: the text focus follows the key window: leave before enter, to every text input of the client")
    func focus() throws {
        let setup = try TextFixture()
        let second = try TestTextInput(setup.client)
        let other = setup.client.window("other").color(0xff00ff00)
        try setup.fixture.pump()
        #expect(setup.field.takeLines() == ["enter \(setup.window.surface.id)"])
        #expect(second.takeLines() == ["enter \(setup.window.surface.id)"], "one bound later receives it at once")
        other.makeKeyAndVisible()
        try setup.fixture.pump()
        let lines = ["leave \(setup.window.surface.id)", "enter \(other.surface.id)"]
        #expect(setup.field.takeLines() == lines && second.takeLines() == lines)
        // K5: a window that hides passes key, and the text focus with it.
        other.hide()
        try setup.fixture.pump()
        #expect(
            setup.field.takeLines() == ["leave \(other.surface.id)", "enter \(setup.window.surface.id)"])
        setup.window.hide()
        try setup.fixture.pump()
        #expect(setup.field.takeLines() == ["leave \(setup.window.surface.id)"])
    }

    @Test("C4: a field's state takes effect with its commit, and the input method receives it as a whole")
    func state() throws {
        let setup = try TextFixture()
        #expect(
            try setup.received {
                setup.field.proxy.send(.enable)
                setup.field.proxy.send(.setSurroundingText(text: "aé漢😀", cursor: 3, anchor: 6))
                setup.field.proxy.send(.setTextChangeCause(cause: .other))
                setup.field.proxy.send(.setContentType(hint: [.spellcheck, .latin], purpose: .email))
            }.method == [])
        #expect(
            try setup.received { setup.field.commit() }.method
                == ["activate", "text aé漢😀 3 6", "cause 1", "type 258 6", "done"])
        #expect(try setup.received { setup.field.commit() }.method == [], "nothing new")
        #expect(
            try setup.received { setup.field.commit(.setSurroundingText(text: "b", cursor: 1, anchor: 0)) }.method
                == ["text b 1 0", "cause 0", "type 258 6", "done"], "the cause applies once, the rest stays")
        #expect(
            try setup.received { setup.field.enable() }.method == ["activate", "done"],
            "another field of the same window: the earlier state is discarded")
        #expect(try setup.received { setup.field.commit(.disable) }.method == ["deactivate", "done"])
        #expect(
            try setup.received { setup.field.commit(.setSurroundingText(text: "c", cursor: 0, anchor: 0)) }.method
                == [],
            "a disabled field has no state")
        #expect(try setup.received { setup.field.commit(.disable) }.method == [])
    }

    @Test("an input method that is bound while a field is enabled is activated at once; a second one is unavailable")
    func unavailable() throws {
        let setup = try TextFixture()
        try setup.enable(.setContentType(hint: .none, purpose: .url))
        let second = try TestInputMethod(setup.typist)
        try setup.fixture.pump()
        #expect(second.takeLines() == ["unavailable"])
        second.commit(.commitString(text: "x"), serial: 0)
        let popup = try second.popup(0xff00ff00, width: 4, height: 4)
        let grab = second.grab()
        try setup.fixture.pump()
        #expect(setup.field.takeLines() == [] && popup.rectangles == [] && grab.lines == [])
        setup.method.proxy.send(.destroy)
        let third = try TestInputMethod(setup.typist)
        try setup.fixture.pump()
        #expect(third.takeLines() == ["activate", "type 0 5", "done"])
        #expect(second.takeLines() == [])
    }

    @Test("what an input method commits reaches the field at once, with the count of the field's commits")
    func writing() throws {
        let setup = try TextFixture()
        try setup.enable()
        #expect(
            try setup.received {
                setup.method.proxy.send(.setPreeditString(text: "漢字", cursorBegin: 3, cursorEnd: 6))
                setup.method.proxy.send(.commitString(text: "é😀"))
                setup.method.proxy.send(.deleteSurroundingText(beforeLength: 2, afterLength: 1))
            }.field == [])
        #expect(
            try setup.received { setup.method.commit() }.field
                == ["preedit 漢字 3…6", "commit é😀", "delete 2 1", "done 1"])
        setup.field.commit()
        setup.field.commit()
        #expect(try setup.received { setup.method.commit(.commitString(text: "b")) }.field == ["commit b", "done 3"])
        #expect(
            try setup.received { setup.method.commit(.setPreeditString(text: "é", cursorBegin: 1, cursorEnd: 9)) }.field
                == ["preedit é -1…-1", "done 3"], "a cursor inside a character is hidden")
    }

    @Test("a commit for a field that is no longer edited is dropped; between two states of one field none is lost")
    func serials() throws {
        let setup = try TextFixture()
        #expect(try setup.received { setup.method.commit(.commitString(text: "inactive")) }.field == [])
        try setup.enable()
        let first = setup.method.serial
        setup.field.commit(.setSurroundingText(text: "a", cursor: 1, anchor: 1))
        #expect(
            try setup.received { setup.method.commit(.commitString(text: "b"), serial: first) }.field
                == ["commit b", "done 2"])
        #expect(try setup.received { setup.method.commit(.commitString(text: "x"), serial: 99) }.field == [])
        try setup.enable()
        #expect(
            try setup.received { setup.method.commit(.commitString(text: "x"), serial: setup.method.serial - 1) }.field
                == [])
        #expect(
            try setup.received { setup.method.commit() }.field == ["done 3"],
            "a dropped commit does not come back later")
        #expect(
            try setup.received { setup.method.commit(.commitString(text: "c")) }.field == ["commit c", "done 3"])
    }

    @Test("one text input of a client is enabled at a time: others are ignored until it is disabled")
    func several() throws {
        let setup = try TextFixture()
        let second = try TestTextInput(setup.client)
        try setup.enable()
        _ = second.takeLines()
        #expect(try setup.received { second.enable() }.method == [])
        setup.method.commit(.commitString(text: "a"))
        try setup.fixture.pump()
        #expect(second.takeLines() == [] && setup.field.takeLines() == ["commit a", "done 1"])
        #expect(
            try setup.received {
                setup.field.commit(.disable)
                second.enable()
            }.method == ["deactivate", "done", "activate", "done"])
        setup.method.commit(.commitString(text: "b"))
        try setup.fixture.pump()
        #expect(second.takeLines() == ["commit b", "done 2"], "its ignored commit is counted")
        #expect(try setup.received { second.proxy.send(.destroy) }.method == ["deactivate", "done"])
    }

    @Test("E2, W7: the field's window hides, is destroyed, or its client dies: the input method is deactivated, once")
    func endings() throws {
        for ending in ["hide", "surface", "window", "kill", "unplug"] {
            let setup = try TextFixture()
            try setup.enable()
            let received = try setup.received {
                switch ending {
                case "hide": setup.window.hide()
                case "surface": setup.window.surface.send(.destroy)
                case "window": setup.window.destroy()
                case "kill": try setup.client.kill()
                default: try setup.fixture.server.disconnect(setup.fixture.mainScreen)
                }
            }
            #expect(received.method == ["deactivate", "done"], "\(ending)")
            setup.method.commit(.commitString(text: "x"))
            try setup.fixture.pump()
            #expect(setup.field.text == "" && setup.typist.isOpen, "\(ending)")
        }
    }

    @Test("requests without the focus are ignored, and have no effect when the focus returns")
    func withoutFocus() throws {
        let setup = try TextFixture()
        try setup.enable(.setContentType(hint: .none, purpose: .pin))
        setup.window.hide()
        try setup.fixture.pump()
        #expect(try setup.received { setup.field.enable(.setContentType(hint: .none, purpose: .url)) }.method == [])
        setup.window.makeKeyAndVisible()
        try setup.fixture.pump()
        setup.forget()
        #expect(try setup.received { setup.field.commit() }.method == [])
        #expect(try setup.received { setup.field.enable() }.method == ["activate", "done"])
        #expect(try setup.received { setup.method.commit(.commitString(text: "a")) }.field == ["commit a", "done 4"])
    }

    @Test("an input method that dies leaves no preedit text")
    func methodDies() throws {
        let setup = try TextFixture()
        try setup.enable()
        setup.method.commit(.setPreeditString(text: "half", cursorBegin: 4, cursorEnd: 4))
        try setup.fixture.pump()
        #expect(setup.field.takeLines() == ["preedit half 4…4", "done 1"])
        try setup.typist.kill()
        #expect(setup.field.takeLines() == ["done 1"])
        #expect(setup.client.isOpen)
    }

    @Test("texts that are too long for any receiver are refused, and invalid offsets are ignored")
    func refusals() throws {
        for offsets in [(-1, 0), (0, 2), (4, 4), (0, -5)] {
            let setup = try TextFixture()
            try setup.enable()
            let received = try setup.received {
                setup.field.commit(
                    .setSurroundingText(text: "aé", cursor: Int32(offsets.0), anchor: Int32(offsets.1)))
            }
            #expect(received.method == [] && setup.client.isOpen, "\(offsets)")
        }
        let long = String(repeating: "a", count: 4001)
        let setup = try TextFixture()
        try setup.enable()
        setup.field.commit(.setSurroundingText(text: long, cursor: 0, anchor: 0))
        setup.method.commit(.commitString(text: long))
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.message.contains("at most 4000 bytes, not 4001") == true)
        #expect(setup.typist.protocolError?.message.contains("at most 4000 bytes, not 4001") == true)
        let composing = try TextFixture()
        composing.method.commit(.setPreeditString(text: long, cursorBegin: 0, cursorEnd: 0))
        try composing.fixture.pump()
        #expect(composing.typist.protocolError?.code == WlDisplay.Error.noMemory.rawValue)
    }

    @Test("without the rights to view and inject a client has text inputs, but no input method manager")
    func rights() throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.inject, .capture, .administer])])
        let injecting = try fixture.connect()
        #expect(!injecting.globals.contains { $0.interface == ZwpInputMethodManagerV2.name })
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .capture, .administer])])
        let client = try fixture.connect()
        #expect(!client.globals.contains { $0.interface == ZwpInputMethodManagerV2.name })
        #expect(client.globals.contains { $0.interface == ZwpTextInputManagerV3.name })
        let free = Set(1...100).subtracting(client.globals.map(\.name)).min() ?? 0
        let proxy = Proxy<ZwpInputMethodManagerV2>(client.connection, version: 1)
        client.registry.send(
            .bind(name: free, id: AnyNewID(interface: ZwpInputMethodManagerV2.name, version: 1, id: proxy.id)))
        try fixture.pump()
        #expect(client.protocolError?.message.contains("\(free) is not a global") == true)
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .inject])])
        let other = try fixture.connect()
        #expect(other.globals.contains { $0.interface == ZwpInputMethodManagerV2.name })
    }

    @Test("random fields, input methods and windows: the enabled field receives all text, and no state sticks")
    func random() throws {
        var random = SeededRandom()
        for round in 0..<40 {
            let setup = try TextFixture()
            let windows = [setup.window] + (0..<2).map { setup.client.window("w\($0)").color(0xff00ff00) }
            let fields = [setup.field, try TestTextInput(setup.client)]
            var (expected, isActive) = ("", false)
            for step in 0..<30 {
                switch Int.random(in: 0..<7, using: &random) {
                case 0: windows.randomElement(using: &random)?.makeKeyAndVisible()
                case 1: windows.randomElement(using: &random)?.hide()
                case 2: fields.randomElement(using: &random)?.enable()
                case 3: fields.randomElement(using: &random)?.commit(.disable)
                case 4: fields.randomElement(using: &random)?.commit(.setTextChangeCause(cause: .other))
                default:
                    setup.method.commit(.commitString(text: "\(step) "))
                    if isActive { expected += "\(step) " }
                }
                try setup.fixture.pump()
                for line in setup.method.takeLines() {
                    if line == "activate" { isActive = true }
                    if line == "deactivate" {
                        #expect(isActive, "round \(round), seed \(random.seed)")
                        isActive = false
                    }
                }
                #expect(!isActive || setup.fixture.model.keyWindow != nil)
            }
            let inserted = fields.flatMap { $0.text.split(separator: " ") }.compactMap { Int($0) }.sorted()
            let wanted = expected.split(separator: " ").compactMap { Int($0) }
            #expect(inserted == wanted, "round \(round), seed \(random.seed)")
            #expect(setup.client.isOpen && setup.typist.isOpen && setup.fixture.model.checkInvariants() == [])
        }
    }
}
