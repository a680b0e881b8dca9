// Keys with the characters that they type.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct KeyTests {
    /// A view that edits a line of text.
    private final class Field: View {
        var text = ""
        var keys: [Key] = []
        override var canBecomeFirstResponder: Bool { true }
        override var textContentType: TextContentType? { .normal }
        override func insertText(_ text: String) { self.text += text }
        var resignations = 0
        override func deleteBackward() { text = String(text.dropLast()) }
        override func resignFirstResponder() -> Bool {
            resignations += 1
            return super.resignFirstResponder()
        }
        override func pressesBegan(_ presses: [Press], with event: Event) { keys += presses.map(\.key) }
    }

    private func field(_ fixture: ClientFixture) -> Field {
        let window = Window(fixture.application)
        let field = Field(frame: Rect(x: 0, y: 0, width: 100, height: 20))
        window.addSubview(field)
        window.isHidden = false
        #expect(field.becomeFirstResponder())
        #expect(field.isFirstResponder && window.firstResponder === field)
        // K7, E6: editing makes the window key.
        #expect(window.isKeyWindow)
        return field
    }

    @Test("What is typed arrives as text, whatever the layout lacks")
    func text() throws {
        let fixture = try ClientFixture()
        let field = field(fixture)
        let typed = "Grüße, ñ € 漢 😀"
        try fixture.inject(#"{"type": "type", "text": "\#(typed)"}"#)
        try fixture.wait(for: "the text; it is \(field.text)") { field.text == typed }
        try fixture.inject(#"{"type": "key", "key": "backspace"}"#, #"{"type": "key", "key": "enter"}"#)
        try fixture.wait(for: "the line; it is \(field.text)") { field.text == "Grüße, ñ € 漢 \n" }
    }

    @Test("A key has characters, its symbol and the modifiers")
    func keys() throws {
        let fixture = try ClientFixture()
        let field = field(fixture)
        try fixture.inject(#"{"type": "key", "key": "shift+a"}"#, #"{"type": "key", "key": "left"}"#)
        try fixture.wait(for: "the keys") { field.keys.count == 3 }
        let (letter, arrow) = (field.keys[1], field.keys[2])
        #expect(letter.keyCode == 30 && letter.characters == "A" && letter.charactersIgnoringModifiers == "a")
        #expect(letter.modifierFlags == .shift && letter.keysym == 0x41)
        #expect(arrow.characters == "" && arrow.keysym == 0xff51 && arrow.modifierFlags == [])
        #expect(field.text == "A")
        // Control types no text.
        try fixture.inject(#"{"type": "key", "key": "ctrl+c"}"#)
        try fixture.wait(for: "the keys") { field.keys.count == 5 }
        #expect(field.keys[4].modifierFlags == .control)
        #expect(field.text == "A")
    }

    @Test("Dead keys and the compose key compose, and an incomplete sequence types nothing")
    func composition() throws {
        let fixture = try ClientFixture(
            configuration: "{ keyboard: { layout: 'us', variant: 'intl', options: 'compose:ralt' } }")
        let field = field(fixture)
        // KEY_APOSTROPHE is a dead acute accent in this layout.
        for code in [40, 18] { try fixture.inject(#"{"type": "key", "code": \#(code)}"#) }
        try fixture.wait(for: "é; it is \(field.text)") { field.text == "é" }
        // The compose key, o, c.
        for code in [100, 24, 46] { try fixture.inject(#"{"type": "key", "code": \#(code)}"#) }
        try fixture.wait(for: "©; it is \(field.text)") { field.text == "é©" }
        let dead = try #require(field.keys.first)
        #expect(dead.keysym == 0xfe51 && dead.characters == "")
    }

    @Test("A first responder that leaves its window stops editing")
    func leaving() throws {
        let fixture = try ClientFixture()
        let field = field(fixture)
        let window = try #require(field.window)
        field.removeFromSuperview()
        #expect(window.firstResponder == nil && !window.isEditing && field.resignations == 1)
        try fixture.inject(#"{"type": "type", "text": "x"}"#)
        #expect(field.text == "")
        window.addSubview(field)
        #expect(field.becomeFirstResponder())
        #expect(field.resignFirstResponder() && !field.isFirstResponder)
        #expect(field.becomeFirstResponder())
        window.beginEditing()
        #expect(window.isEditing && !field.isFirstResponder && field.resignations == 3)
    }

    @Test(
        "The text of a key event is what the key enters: none for shortcuts and for keys that type control characters")
    func eventText() throws {
        let fixture = try ClientFixture()
        let window = try #require(field(fixture).window)
        var texts: [String] = []
        window.onKey { if $0.isPressed, $0.modifierFlags == [] || $0.key.characters != "" { texts.append($0.text) } }
        for key in ["a", "backspace", "escape", "delete", "ctrl+c", "enter", "tab", "left"] {
            try fixture.inject(#"{"type": "key", "key": "\#(key)"}"#)
        }
        try fixture.wait(for: "the keys; they are \(texts)") { texts.count >= 9 }
        // Control itself has no text, either.
        #expect(texts == ["a", "", "", "", "", "", "\n", "\t", ""])
    }

    @Test("A first responder begins and ends to edit when it says that its content type has changed (E6)")
    func contentType() throws {
        final class Page: View {
            var type: TextContentType? { didSet { textDidChange() } }
            var text = ""
            override var canBecomeFirstResponder: Bool { true }
            override var textContentType: TextContentType? { type }
            override func insertText(_ text: String) { self.text += text }
        }
        let fixture = try ClientFixture()
        let method = try #require(InputMethod(fixture.application))
        let (window, other) = (Window(fixture.application), Window(fixture.application))
        let page = Page()
        window.addSubview(page)
        window.isHidden = false
        #expect(page.becomeFirstResponder() && !window.isEditing && !window.isKeyWindow)
        other.makeKeyAndVisible()
        page.type = .email
        #expect(window.isEditing && window.isKeyWindow)
        try fixture.wait(for: "editing") { method.isActive && method.contentType == .email }
        method.insertText("é")
        try fixture.wait(for: "the text") { page.text == "é" }
        page.type = .url
        try fixture.wait(for: "the other type") { method.contentType == .url }
        page.type = nil
        try fixture.wait(for: "the end of editing") { !method.isActive }
        #expect(!window.isEditing && page.isFirstResponder)
    }
}
