// Decoding of request bodies and encoding of responses.

import ControlProtocol
import FoundationEssentials
import Testing
import WindowModel

@testable import Compositor
@testable import ControlAPI
@testable import DisplayServer
@testable import Displays

@Suite struct PayloadTests {
    private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try ControlRequest.decode(type, from: Array(text.utf8))
    }

    private func refusal<T: Decodable>(_ type: T.Type, _ text: String) -> String {
        do {
            _ = try decode(type, text)
            return ""
        } catch {
            return Problem(error).detail
        }
    }

    @Test("a library that cannot be loaded is the server's problem, and named")
    func library() {
        let problem = Problem(PNGLibraryError(description: "libpng cannot be loaded: why"))
        #expect(problem.status == 503 && problem.detail == "libpng cannot be loaded: why")
    }

    @Test(
        "unknown fields, nulls, missing and wrong values are errors with their position",
        arguments: [
            (#"{"levl": 1}"#, "levl"), (#"{"level": null}"#, "level"), (#"{"frame": {"x": 1}}"#, "y"),
            (#"{"frame": {"x": 1, "y": 1, "width": 1, "height": 1, "z": 1}}"#, "z"),
            (#"{"alpha""#, "line 1, column 9: expected a colon"),
            (#"{"hidden": 1}"#, "hidden: expected true or false, found 1"),
            (#"{"alpha": "x"}"#, "alpha: expected a number, found \"x\""),
            (#"{"title": {}}"#, "title: expected a string, found an object"),
            (#"{"title": false}"#, "title: expected a string, found false"),
            (#"{"autoresizing": 3}"#, "autoresizing: expected a list, found 3"),
            (#"[]"#, "expected an object, found a list"), (#"{"level": "high"}"#, "statusBar"),
            (#"{"level": true}"#, "level: expected a number, normal, statusBar or alert"),
        ])
    func strict(body: String, word: String) {
        let message = refusal(Strict<WindowPatch>.self, body)
        #expect(!message.isEmpty && message.contains(word), "\(message)")
    }

    @Test("W2: a level is a number or a known name")
    func levels() throws {
        let patch = try decode(Strict<WindowPatch>.self, #"{"level": "alert"}"#).value
        #expect(patch.level?.level == Window.Level.alert)
        #expect(try decode(Strict<WindowPatch>.self, #"{"level": -0.5}"#).value.level?.level == -0.5)
    }

    @Test(
        "an event accepts only the fields of its type",
        arguments: [
            (#"{"type": "tap", "x": 1, "y": 2}"#, ""), (#"{"type": "tap", "x": 1}"#, "together"),
            (#"{"type": "hover", "x": 1, "y": 2, "id": 3}"#, "the pointer has no id"),
            (#"{"type": "poke"}"#, "not a type"),
            (#"{"type": "button", "pressed": true, "button": "up"}"#, "not a button"),
            (#"{"type": "touch", "phase": "hovering", "x": 1, "y": 2}"#, "not a phase"),
            (#"{"type": "drag", "from": {"x": 1, "y": 1}, "to": {"x": 2, "y": 2}, "steps": 0}"#, "steps"),
            (#"{"type": "key", "key": "a", "action": null}"#, "null"),
            (#"{"type": "tap", "x": 1, "y": 2, "id": -1}"#, "id"),
        ])
    func events(body: String, word: String) {
        let message = refusal(InputEvent.self, body)
        #expect(word.isEmpty ? message.isEmpty : message.contains(word), "\(message)")
    }

    @Test("a screen is given by number or by name")
    func screens() throws {
        #expect(try decode([ScreenReference].self, #"[2, "2", "EXTERNAL-1"]"#).map(\.text) == ["2", "2", "EXTERNAL-1"])
    }

    @Test("S1: modes are printed in a form that can be parsed")
    func modes() throws {
        let texts = [
            "1920x1080@60", "640x480@59.94", "1920x1080@23.976", "720x576@50~16:15", "720x480@59.94~8:9",
            "720x576@50~64:45", "9x9@0.001~9999:9998",
        ]
        for text in texts { #expect(try Screen.Mode(parsing: text).text == text) }
        #expect(try Screen.Mode(parsing: "720x576~32:30").text == "720x576@60~16:15")
        for text in ["1x1~", "1x1~1", "1x1~1:0", "1x1~-1:1", "1x1~1:2:3", "1x1~10000:1", "1x1@~1:1"] {
            #expect(throws: ModelError.self) { try Screen.Mode(parsing: text) }
        }
        let modes = try ["720x576@50~16:15", "720x576@50~64:45"].map { try Screen.Mode(parsing: $0) }
        #expect(try modes.mode("720x576", of: "x") == modes[0])
        #expect(try modes.mode("720x576@50~64:45", of: "x") == modes[1])
    }

    @Test("every effect is encoded with its subject")
    func effects() {
        let window = Window.ID(rawValue: 7)
        let owner = Application.ID(rawValue: 2)
        let key = API.Effect(.didBecomeKey(window, owner), time: 5, EventNames.Subject())
        #expect(key.event == "didBecomeKey" && key.window == 7 && key.application == 2 && key.time == 5)
        let moved = API.Effect(.screenDidChange(window, owner, nil), time: 5, EventNames.Subject())
        #expect(moved.event == "screenDidChange" && moved.window == 7 && moved.screen == nil)
    }
}
