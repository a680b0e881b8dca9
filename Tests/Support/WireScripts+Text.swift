// The sessions of the fuzz corpus that edit text and write it.

import MullionWayland

extension WireScripts {
    /// A client whose input method writes into its own text field.
    static func textInput(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = client.window("w").color(0xffff0000).frame(0, 0, 60, 40)
        window.makeKeyAndVisible()
        let inputs = [try TestTextInput(client), try TestTextInput(client)]
        try fixture.pump()
        inputs[0].enable(
            .setSurroundingText(text: "aé漢😀", cursor: 3, anchor: 10), .setTextChangeCause(cause: .other),
            .setContentType(hint: [.latin, .multiline], purpose: .terminal),
            .setCursorRectangle(x: 5, y: 6, width: 2, height: 9))
        inputs[1].enable()
        let method = try TestInputMethod(client)
        let second = try TestInputMethod(client)
        try fixture.pump()
        let popup = try method.popup(0xff0000ff, width: 12, height: 8)
        let grab = method.grab()
        let secondGrab = method.grab()
        method.commit(
            .setPreeditString(text: "é", cursorBegin: 0, cursorEnd: 2), .commitString(text: "漢"),
            .deleteSurroundingText(beforeLength: 1, afterLength: .max))
        second.commit(.commitString(text: "nowhere"))
        try fixture.pump()
        try fixture.press(42)
        inputs[0].commit(.setCursorRectangle(x: .max, y: .min, width: -1, height: .max))
        inputs[0].commit(.setSurroundingText(text: "b", cursor: 2, anchor: -1))
        method.commit(.setPreeditString(text: "x", cursorBegin: -7, cursorEnd: 9), serial: 0)
        try fixture.pump()
        window.hide()
        try fixture.pump()
        window.makeKeyAndVisible()
        try fixture.pump()
        inputs[1].enable(.setCursorRectangle(x: 50, y: 38, width: 1, height: 2))
        try fixture.pump()
        popup.surface.send(.attach(buffer: nil, x: 0, y: 0))
        popup.surface.send(.commit)
        inputs[1].commit(.disable)
        grab.proxy.send(.release)
        try fixture.pump()
        inputs[0].enable()
        popup.surface.send(.destroy)
        secondGrab.proxy.send(.release)
        method.proxy.send(.destroy)
        second.proxy.send(.destroy)
        try fixture.pump()
        popup.proxy.send(.destroy)
        inputs[0].proxy.send(.destroy)
        inputs[1].proxy.send(.destroy)
        try fixture.pump()
    }

    /// Text fields of the earlier versions.
    static func earlierTextInputs(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = client.window("w").color(0xffff0000).frame(0, 0, 60, 40)
        window.makeKeyAndVisible()
        let (first, second) = (try TestTextInputV1(client), try TestTextInputV2(client))
        let method = try TestInputMethod(client)
        try fixture.pump()
        first.proxy.send(.showInputPanel)
        first.activate(window.surface)
        first.proxy.send(.setSurroundingText(text: "aé漢😀", cursor: 3, anchor: 10))
        first.proxy.send(.setContentType(hint: [.latin], purpose: .init(rawValue: .max)))
        first.proxy.send(.setCursorRectangle(x: .max, y: .min, width: -1, height: .max))
        first.proxy.send(.setPreferredLanguage(language: "de"))
        first.proxy.send(.commitState(serial: .max))
        first.proxy.send(.invokeAction(button: 1, index: 2))
        first.proxy.send(.setSurroundingText(text: "b", cursor: .max, anchor: 0))
        try fixture.pump()
        method.commit(
            .setPreeditString(text: "é", cursorBegin: 0, cursorEnd: 2), .commitString(text: "漢"),
            .deleteSurroundingText(beforeLength: .max, afterLength: .max))
        first.proxy.send(.reset)
        try fixture.pump()
        first.deactivate()
        second.proxy.send(.enable(surface: window.surface.id))
        second.update(
            .setSurroundingText(text: "aé", cursor: -1, anchor: .max),
            .setContentType(hint: .multiline, purpose: .date),
            .setCursorRectangle(x: 1, y: 2, width: 3, height: 4), .setPreferredLanguage(language: ""), reason: .full)
        second.update(.setSurroundingText(text: "aé", cursor: 1, anchor: 3), reason: .init(rawValue: 9))
        method.commit(.setPreeditString(text: "x", cursorBegin: 1, cursorEnd: 1))
        try fixture.pump()
        window.hide()
        try fixture.pump()
        window.makeKeyAndVisible()
        second.proxy.send(.hideInputPanel)
        second.proxy.send(.disable(surface: window.surface.id))
        try fixture.pump()
        first.activate(window.surface)
        window.destroy()
        second.proxy.send(.destroy)
        try fixture.pump()
    }

    /// W5: a pop-up that is a window already.
    static func badInputPopup(_ client: TestClient, _ fixture: ServerFixture) throws {
        let method = try TestInputMethod(client)
        let window = client.window("w")
        let popup = Proxy<ZwpInputPopupSurfaceV2>(client.connection, version: 1)
        method.proxy.send(.getInputPopupSurface(id: popup.id, surface: window.surface.id))
    }
}
