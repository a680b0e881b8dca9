// What the tests of text input share.

import MullionWayland

/// A client with a key window and a text field, and another with an input method.
public struct TextFixture {
    public let fixture: ServerFixture
    public let client: TestClient
    public let window: TestWindow
    public let field: TestTextInput
    public let typist: TestClient
    public let method: TestInputMethod

    public init() throws {
        fixture = try ServerFixture()
        client = try fixture.connect("editor")
        window = client.window("w").color(0xffff0000).frame(100, 100, 400, 300)
        window.makeKeyAndVisible()
        field = try TestTextInput(client)
        typist = try fixture.connect("typist")
        method = try TestInputMethod(typist)
        try fixture.pump()
    }

    /// Enables the field and discards the events so far.
    public func enable(_ state: ZwpTextInputV3.Request...) throws {
        field.proxy.send(.enable)
        for request in state { field.proxy.send(request) }
        field.proxy.send(.commit)
        try fixture.pump()
        forget()
    }

    public func forget() {
        _ = field.takeLines()
        _ = method.takeLines()
    }

    /// The events that the field and the input method receive because of `body`.
    public func received(_ body: () throws -> Void) throws -> (field: [String], method: [String]) {
        forget()
        try body()
        try fixture.pump()
        return (field.takeLines(), method.takeLines())
    }
}
