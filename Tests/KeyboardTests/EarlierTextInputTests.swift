// text-input v1 and v2: another way to say what is edited, with the same state and edits as v3.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct EarlierTextInputTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let window: TestWindow
    private let other: TestWindow
    private let method: TestInputMethod
    private var surface: Proxy<WlSurface> { window.surface }

    /// A client with a key window, and an input method.
    init() throws {
        fixture = try ServerFixture.handingOver()
        client = try fixture.connect("editor")
        other = client.window("other").color(0xff00_ff00).frame(0, 0, 100, 100)
        other.show()
        window = client.window("w").color(0xffff_0000).frame(100, 100, 400, 300)
        window.makeKeyAndVisible()
        method = try TestInputMethod(fixture.connect("typist"))
        try fixture.pump()
    }

    /// What the input method receives.
    private func told(_ body: () throws -> Void) throws -> [String] {
        _ = method.takeLines()
        try body()
        try fixture.pump()
        return method.takeLines()
    }

    // MARK: Version 1

    @Test("v1: a field that is activated in the key window is edited, with what it sets")
    func activation() throws {
        let field = try TestTextInputV1(client)
        let began = try told {
            field.proxy.send(.showInputPanel)
            field.activate(surface)
        }
        #expect(field.take() == ["enter \(surface.id)"] && began == ["activate", "done"])
        let set = try told {
            field.proxy.send(.setSurroundingText(text: "aé", cursor: 3, anchor: 1))
            field.proxy.send(.setContentType(hint: [.latin], purpose: .date))
            field.proxy.send(.setCursorRectangle(x: 5, y: 6, width: 2, height: 9))
            field.proxy.send(.setPreferredLanguage(language: "de"))
            field.proxy.send(.invokeAction(button: 1, index: 1))
            field.proxy.send(.commitState(serial: 7))
        }
        // A date is 9 in v1, and 10 in v3 and the input method's protocol.
        #expect(set == ["text aé 3 1", "cause 0", "type 256 10", "done"])
        #expect(fixture.server.seat.textInputs.place?.rectangle == Rect(x: 5, y: 6, width: 2, height: 9))
        // Without commit_state it applies at the end of the turn.
        #expect(
            try told { field.proxy.send(.setSurroundingText(text: "b", cursor: 1, anchor: 1)) } == [
                "text b 1 1", "cause 0", "type 256 10", "done",
            ])
        // A cursor within a character is ignored.
        #expect(try told { field.proxy.send(.setSurroundingText(text: "é", cursor: 1, anchor: 1)) } == [])
        #expect(try told { field.proxy.send(.reset) }.contains("activate"))
        #expect(try told { field.deactivate() } == ["deactivate", "done"])
        #expect(field.take() == ["leave"])
    }

    @Test("v1: edits carry the serial of the state; what is composed is replaced or removed")
    func edits() throws {
        let field = try TestTextInputV1(client)
        field.activate(surface)
        field.proxy.send(.commitState(serial: 3))
        try fixture.pump()
        _ = field.take()
        method.commit(.setPreeditString(text: "かん", cursorBegin: 0, cursorEnd: 3))
        try fixture.pump()
        #expect(field.take() == ["style 0 3 6", "cursor 3", "preedit 3 かん|"])
        method.commit(.commitString(text: "漢"), .deleteSurroundingText(beforeLength: 2, afterLength: 1))
        try fixture.pump()
        #expect(field.take() == ["delete -2 3", "commit 3 漢"])
        method.commit(.setPreeditString(text: "x", cursorBegin: -1, cursorEnd: -1))
        try fixture.pump()
        #expect(field.take() == ["cursor -1", "preedit 3 x|"])
        method.commit(.deleteSurroundingText(beforeLength: .max, afterLength: .max))
        try fixture.pump()
        #expect(field.take() == ["delete \(Int32.min) \(UInt32.max)", "commit 3 "])
        method.commit(.setPreeditString(text: "y", cursorBegin: 1, cursorEnd: 1))
        method.proxy.send(.destroy)
        try fixture.pump()
        #expect(field.take() == ["cursor 1", "preedit 3 y|", "cursor 0", "preedit 3 |"])
    }

    @Test("K1: v1: a field waits for its surface, leaves with it, and another one of the client takes over")
    func focus() throws {
        let (field, second) = (try TestTextInputV1(client), try TestTextInputV1(client))
        #expect(try told { field.activate(other.surface) } == [])
        #expect(try told { other.makeKey() } == ["activate", "done"])
        #expect(field.take() == ["enter \(other.surface.id)"])
        #expect(try told { second.activate(other.surface) } == ["deactivate", "done", "activate", "done"])
        #expect(field.take() == ["leave"] && second.take() == ["enter \(other.surface.id)"])
        #expect(try told { window.makeKey() } == ["deactivate", "done"])
        #expect(second.take() == ["leave"])
        // Once left, it has to be activated again.
        #expect(try told { other.makeKey() } == [])
        #expect(try told { second.activate(other.surface) } == ["activate", "done"])
        #expect(try told { other.destroy() } == ["deactivate", "done"])
        #expect(second.take() == ["enter \(other.surface.id)", "leave"] && client.isOpen)
    }

    // MARK: Version 2

    @Test("v2: text is edited while an enabled surface has the keyboard; outdated states are ignored")
    func enabling() throws {
        let field = try TestTextInputV2(client)
        try fixture.pump()
        #expect(field.take() == ["enter \(surface.id)"])
        #expect(try told { field.update(.setSurroundingText(text: "no", cursor: 0, anchor: 0), reason: .full) } == [])
        #expect(try told { field.proxy.send(.enable(surface: surface.id)) }.first == "activate")
        let serial = field.serial
        let set = try told {
            field.proxy.send(.showInputPanel)
            field.update(
                .setSurroundingText(text: "aé", cursor: 3, anchor: 1),
                .setContentType(hint: .multiline, purpose: .terminal),
                .setCursorRectangle(x: 5, y: 6, width: 2, height: 9), .setPreferredLanguage(language: "de"),
                reason: .full)
        }
        #expect(set == ["text aé 3 1", "cause 0", "type 512 13", "done"])
        #expect(fixture.server.seat.textInputs.place?.rectangle == Rect(x: 5, y: 6, width: 2, height: 9))
        // Only what has changed.
        #expect(
            try told { field.update(.setSurroundingText(text: "b", cursor: 1, anchor: 1)) } == [
                "text b 1 1", "cause 0", "type 512 13", "done",
            ])
        #expect(
            try told { field.update(.setSurroundingText(text: "c", cursor: 1, anchor: 1), reason: .reset) } == [
                "activate", "text c 1 1", "cause 1", "type 512 13", "done",
            ])
        #expect(try told { other.makeKey() } == ["deactivate", "done"])
        #expect(field.take() == ["leave \(surface.id)", "enter \(other.surface.id)"])
        #expect(try told { window.makeKey() } == ["activate", "done"])
        #expect(
            try told { field.update(.setSurroundingText(text: "d", cursor: 1, anchor: 1), serial: serial) } == [])
        #expect(try told { field.proxy.send(.disable(surface: surface.id)) } == ["deactivate", "done"])
        #expect(try told { field.proxy.send(.enable(surface: surface.id)) }.first == "activate")
        #expect(try told { field.proxy.send(.destroy) } == ["deactivate", "done"])
    }

    @Test("v2: edits are sent in their order; what is composed is replaced or removed")
    func editsOfVersion2() throws {
        let field = try TestTextInputV2(client)
        field.proxy.send(.enable(surface: surface.id))
        try fixture.pump()
        _ = field.take()
        method.commit(.setPreeditString(text: "かん", cursorBegin: 6, cursorEnd: 6))
        try fixture.pump()
        #expect(field.take() == ["cursor 6", "preedit かん|"])
        method.commit(
            .commitString(text: "漢"), .deleteSurroundingText(beforeLength: 2, afterLength: 1),
            .setPreeditString(text: "ab", cursorBegin: 0, cursorEnd: 1))
        try fixture.pump()
        #expect(field.take() == ["delete 2 1", "commit 漢", "style 0 1 6", "cursor 1", "preedit ab|"])
        method.commit()
        try fixture.pump()
        #expect(field.take() == ["cursor 0", "preedit |"])
    }

    @Test("a client edits one field at a time, whatever its version")
    func versions() throws {
        let third = try TestTextInput(client)
        try fixture.pump()
        #expect(try told { third.enable() } == ["activate", "done"])
        let (second, first) = (try TestTextInputV2(client), try TestTextInputV1(client))
        #expect(
            try told {
                second.proxy.send(.enable(surface: surface.id))
                first.activate(surface)
            } == [])
        #expect(first.take() == [] && second.take() == ["enter \(surface.id)"])
        #expect(try told { third.commit(.disable) } == ["deactivate", "done"])
        #expect(try told { second.proxy.send(.enable(surface: surface.id)) } == ["activate", "done"])
    }

    // MARK: Both

    @Test("texts of more than 4000 bytes and more objects than the limit are errors", arguments: [1, 2])
    func limits(version: Int) throws {
        let long = String(repeating: "x", count: 4001)
        if version == 1 {
            try TestTextInputV1(client).proxy.send(.setSurroundingText(text: long, cursor: 0, anchor: 0))
        } else {
            try TestTextInputV2(client).proxy.send(.setSurroundingText(text: long, cursor: 0, anchor: 0))
        }
        try fixture.pump()
        #expect(client.protocolError?.message.contains("limit reached") == true)
        let many = try fixture.connect("many")
        if version == 1 {
            let manager = try many.bind(ZwpTextInputManagerV1.self)
            for _ in 0...fixture.server.limits.bindings {
                manager.send(.createTextInput(id: Proxy<ZwpTextInputV1>(many.connection, version: 1).id))
            }
        } else {
            let field = try TestTextInputV2(many)
            for _ in 0...fixture.server.limits.bindings { field.proxy.send(.enable(surface: many.surface().id)) }
        }
        try fixture.pump()
        #expect(many.protocolError?.message.contains("limit reached") == true)
    }

    @Test("over a restart fields of both versions are edited on", arguments: [1, 2])
    func handOver(version: Int) throws {
        let first = version == 1 ? try TestTextInputV1(client) : nil
        let second = version == 2 ? try TestTextInputV2(client) : nil
        first?.activate(surface)
        first?.proxy.send(.setSurroundingText(text: "aé", cursor: 3, anchor: 1))
        first?.proxy.send(.commitState(serial: 5))
        second?.proxy.send(.enable(surface: surface.id))
        try fixture.pump()
        second?.update(.setSurroundingText(text: "aé", cursor: 3, anchor: 1), reason: .full)
        method.commit(.setPreeditString(text: "x", cursorBegin: 1, cursorEnd: 1))
        try fixture.pump()
        _ = (first?.take(), second?.take(), method.takeLines())
        try fixture.handOver()
        try fixture.pump()
        #expect(method.takeLines() == [] && first?.take() ?? [] == [] && second?.take() ?? [] == [])
        method.commit(.commitString(text: "y"))
        method.commit()
        try fixture.pump()
        #expect(first?.take() ?? ["commit 5 y"] == ["commit 5 y"])
        #expect(second?.take() ?? ["commit y"] == ["commit y"])
        #expect(try told { window.hide() } == ["deactivate", "done"])
        #expect(first?.take() ?? ["leave"] == ["leave"])
        #expect(client.isOpen && fixture.server.seat.textInputs.active == nil)
    }
}
