// K rules through client connections: notifications about key, their order, and which client gets the keys.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct KeyRulesOverSockets {
    private let fixture: ServerFixture
    private let client: TestClient

    init() throws {
        fixture = try ServerFixture()
        client = try fixture.connect()
    }

    /// The events that a client receives during `body`.
    private func received(_ client: TestClient, _ body: () throws -> Void) throws -> [String] {
        try fixture.pump()
        _ = client.takeEvents()
        try body()
        try fixture.pump()
        return client.takeEvents()
    }

    private func window(_ name: String, isVisible: Bool = true) -> TestWindow {
        let window = client.window(name).color(0xff00_ff00)
        if isVisible { window.show() } else { window.commit() }
        return window
    }

    @Test("K1: one window of the whole server is key; being topmost does not make key")
    func one() throws {
        let other = try fixture.connect("other")
        let key = window("key", isVisible: false)
        #expect(try received(client) { key.makeKeyAndVisible() } == ["key.didBecomeVisible", "key.didBecomeKey"])
        let top = other.window("top").color(0xffff_0000).level(3000)
        #expect(try received(other) { top.show() } == ["top.didBecomeVisible"])
        #expect(try received(client) { top.makeKey() } == ["key.didResignKey"])
        #expect(other.takeEvents() == ["top.didBecomeKey"])
        #expect(fixture.model.windows.filter { fixture.model.window($0)?.isKey == true } == [fixture.model.keyWindow])
    }

    @Test("K2: the old key window resigns, then the new one becomes key; on the key window itself nothing happens")
    func passes() throws {
        let (a, b) = (window("a"), window("b"))
        a.makeKey()
        #expect(try received(client) { b.makeKey() } == ["a.didResignKey", "b.didBecomeKey"])
        #expect(try received(client) { b.makeKey() } == [])
    }

    @Test("K2: makeKey on an invisible window is remembered, unless another has been made key since")
    func remembered() throws {
        let (a, b) = (window("a"), window("b"))
        let (late, later) = (window("late", isVisible: false), window("later", isVisible: false))
        a.makeKey()
        #expect(try received(client) { late.makeKey() } == [])
        #expect(
            try received(client) { late.show() } == ["late.didBecomeVisible", "a.didResignKey", "late.didBecomeKey"])
        #expect(try received(client) { later.makeKey() } == [])
        #expect(try received(client) { b.makeKey() } == ["late.didResignKey", "b.didBecomeKey"])
        #expect(try received(client) { later.show() } == ["later.didBecomeVisible"])
    }

    @Test("K2: a later wish voids the earlier ones, of another program too")
    func laterWish() throws {
        let other = try fixture.connect("other")
        let (early, late) = (window("early", isVisible: false), other.window("late").color(0xff00_00ff))
        early.makeKey()
        try fixture.pump()
        late.makeKey()
        try fixture.pump()
        _ = other.takeEvents()
        #expect(try received(client) { early.show() } == ["early.didBecomeVisible"])
        #expect(try received(other) { late.show() } == ["late.didBecomeVisible", "late.didBecomeKey"])
    }

    @Test("K3: makeKeyAndVisible shows, brings to the front of its level and makes key, in this order")
    func shows() throws {
        let (old, new) = (window("old"), window("new", isVisible: false))
        let cover = client.window("cover").color(0xff00_00ff)
        cover.show()
        old.makeKey()
        #expect(
            try received(client) { new.makeKeyAndVisible() } == [
                "new.didBecomeVisible", "old.didResignKey", "new.didBecomeKey",
            ])
        #expect(try fixture.color(x: 5, y: 5) == 0x00ff00)
        #expect(try received(client) { old.makeKeyAndVisible() } == ["new.didResignKey", "old.didBecomeKey"])
    }

    @Test(
        "K7: a touch or a click makes a plain window key and front if the policy says so", arguments: [false, true],
        [false, true])
    func keyOnTouch(policy: Bool, click: Bool) throws {
        let fixture = try ServerFixture(policy: Policy(keyOnTouch: policy))
        let client = try fixture.connect()
        client.window("key").color(0xff11_1111).frame(700, 500, 10, 10).makeKeyAndVisible()
        let plain = try fixture.connect("plain")
        let input = try TestInput(plain)
        let one = try TestToplevel.map(plain, fixture, "one", width: 300, height: 300)
        let two = try TestToplevel.map(plain, fixture, "two", width: 300, height: 300)
        let windows = fixture.model.windows
        _ = (client.takeEvents(), input.takeEvents())
        let origin = try #require(fixture.model.frame(of: windows[1])).origin
        let point = Point(x: origin.x + 1, y: origin.y + 1)
        if click {
            _ = try fixture.server.injector.inject([
                .click(button: 0x110, InputEvent.Place(screen: nil, point: point))
            ])
            try fixture.pump()
        } else {
            try fixture.tap(x: point.x, y: point.y)
        }
        let keys = ["enter \(one.surface.id) []", "modifiers 0"]
        #expect(client.takeEvents() == (policy ? ["key.didResignKey"] : []))
        #expect(input.takeEvents().filter { keys.contains($0) } == (policy ? keys : []))
        #expect(fixture.model.keyWindow == (policy ? windows[1] : windows[0]))
        let order = fixture.model.windows(on: fixture.mainScreen)
        #expect(order == (policy ? [windows[0], windows[2], windows[1]] : windows))
        #expect(one.has(.activated) == policy && !two.has(.activated))
    }

    @Test("K7, E6: an extension's window is made key by editing, not by touch; then it receives the keys")
    func editing() throws {
        let other = try fixture.connect("other")
        let (input, otherInput) = (try TestInput(client), try TestInput(other))
        let field = client.window("field").color(0xff00_ff00).frame(0, 0, 100, 100)
        field.show()
        let main = other.window("main").color(0xffff_0000).frame(100, 0, 100, 100)
        main.makeKeyAndVisible()
        try fixture.pump()
        _ = (client.takeEvents(), other.takeEvents(), input.takeEvents(), otherInput.takeEvents())
        try fixture.tap(x: 50, y: 50)
        #expect(input.takeEvents() == ["down 99 \(field.surface.id) 50.0,50.0", "up 99"])
        #expect(client.takeEvents() == [] && other.takeEvents() == [] && otherInput.takeEvents() == [])
        field.window.send(.beginEditing)
        field.commit()
        try fixture.press(30)
        try fixture.pump()
        #expect(otherInput.takeEvents().prefix(2) == ["key 30 1", "key 30 0"], "not read yet when the key was pressed")
        #expect(client.takeEvents() == ["field.didBecomeKey"] && other.takeEvents() == ["main.didResignKey"])
        try fixture.press(31)
        #expect(
            input.takeEvents() == ["enter \(field.surface.id) []", "modifiers 0", "key 31 1", "key 31 0"])
        #expect(otherInput.takeEvents() == [])
    }

    @Test("K7: enabling a text field in the key window does not change key, and has no effect elsewhere")
    func textInput() throws {
        let other = try fixture.connect("other")
        let (field, otherField) = (try TestTextInput(client), try TestTextInput(other))
        let key = window("key")
        key.makeKey()
        other.window("other").color(0xffff_0000).show()
        try fixture.pump()
        _ = (client.takeEvents(), other.takeEvents(), field.takeLines(), otherField.takeLines())
        otherField.enable()
        field.enable()
        try fixture.pump()
        #expect(client.takeEvents() == [] && other.takeEvents() == [])
        #expect(field.takeLines() == [] && otherField.takeLines() == [])
        #expect(fixture.server.seat.textInputs.active != nil && fixture.model.keyWindow == fixture.model.windows[0])
    }

    @Test("E3: a key held when the last key window is hidden is released without an event, and is in no later enter")
    func heldForNobody() throws {
        let input = try TestInput(client)
        let window = window("w")
        window.makeKey()
        try fixture.pump()
        _ = try fixture.server.seat.keyboard.press(key: 30, pressed: true)
        try fixture.pump()
        _ = input.takeEvents()
        window.hide()
        try fixture.pump()
        #expect(input.takeEvents() == ["leave \(window.surface.id)"])
        _ = try fixture.server.seat.keyboard.press(key: 30, pressed: false)
        try fixture.pump()
        #expect(input.takeEvents() == [] && fixture.server.seat.keyboard.heldKeys == [])
        window.makeKeyAndVisible()
        try fixture.pump()
        #expect(input.takeEvents() == ["enter \(window.surface.id) []", "modifiers 0"])
    }

    @Test("E3, K5: a pop-up's grab ends with its window: it receives popup_done, and the new key window gets the keys")
    func grabEnds() throws {
        let input = try TestInput(client)
        let heir = window("heir")
        let top = try TestToplevel.map(client, fixture)
        let window = fixture.model.windows[1]
        try fixture.model.makeKey(window)
        let popup = TestPopup(client, parent: top.xdg, positioner: TestPopup.positioner(client, width: 50, height: 50))
        let seat = try client.bind(WlSeat.self)
        popup.popup.send(.grab(seat: seat.id, serial: 0))
        popup.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_00ff, width: 50, height: 50, to: popup.surface)
        popup.surface.send(.commit)
        try fixture.pump()
        #expect(input.takeEvents().suffix(2) == ["enter \(popup.surface.id) []", "modifiers 0"])
        try fixture.model.setHidden(true, of: window)
        try fixture.pump()
        #expect(
            input.takeEvents() == ["leave \(popup.surface.id)", "enter \(heir.surface.id) []", "modifiers 0"],
            "without an enter for its own window, which is hidden")
        #expect(popup.isDone)
    }
}
