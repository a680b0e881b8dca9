// Real programs and the examples: what an input method writes arrives as text.

import FoundationEssentials
import Glibc
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct TextProgramTests {
    private static let folder = Programs.built

    /// The lines that a program has printed so far.
    private func lines(_ program: Program) -> [Substring] { program.readOutput().split(separator: "\n") }

    /// foot, with a script that writes the first typed line to a file.
    private func startFoot(
        _ fixture: ServerFixture
    ) throws -> (program: Program, text: () -> String?, end: () -> Void) {
        let file = try fixture.runtimeDirectory() + "/typed"
        let script = "IFS= read -r x; printf '%s' \"$x\" > \(file).new; mv \(file).new \(file)"
        let program = try fixture.spawn(
            "foot", ["--config=/dev/null", "sh", "-c", script], environment: ["LC_ALL": "C.UTF-8"])
        return (
            program, { FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } },
            { for name in [file, file + ".new"] { unlink(name) } }
        )
    }

    @Test("foot receives é, 漢 and 😀 from an input method, and its content type is terminal")
    func foot() throws {
        let fixture = try ServerFixture()
        let typist = try fixture.connect("typist")
        let method = try TestInputMethod(typist)
        let foot = try startFoot(fixture)
        defer { foot.end() }
        try fixture.wait(for: "foot to edit; it said \(foot.program.readOutput())") {
            method.lines.last == "done" && method.lines.contains("activate")
        }
        #expect(method.lines.contains("type 0 13"))
        let popup = try method.popup(0xff12_3456, width: 30, height: 20)
        try fixture.wait(for: "a pop-up") { popup.rectangles.count > 0 }
        method.commit(.setPreeditString(text: "composing", cursorBegin: 0, cursorEnd: 9))
        try fixture.pump()
        // foot drops a whole edit that crosses a commit of its own, so the line is sent until it arrives.
        try fixture.wait(for: "the text") {
            method.commit(.commitString(text: "hé漢😀 llo\r"))
            return foot.text() != nil
        }
        #expect(foot.text() == "hé漢😀 llo")
        try fixture.wait(for: "its end") { method.lines.last == "done" && method.lines.contains("deactivate") }
        #expect(typist.isOpen)
    }

    @Test("a GTK 4 entry takes text, composes, deletes and reports its surrounding text")
    func gtk() throws {
        let fixture = try ServerFixture()
        let typist = try fixture.connect("typist")
        let method = try TestInputMethod(typist)
        let folder = try fixture.runtimeDirectory() + "/gtk"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let demo = try fixture.spawn(
            "gtk4-demo", ["--run=entry_undo"],
            environment: [
                "GDK_BACKEND": "wayland", "GSETTINGS_BACKEND": "memory", "LC_ALL": "C.UTF-8",
                "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder,
                "NO_AT_BRIDGE": "1",
            ])
        try fixture.wait(for: "the entry to be edited", seconds: 60) {
            method.lines.contains("activate") && method.lines.last == "done"
        }
        method.commit(.setPreeditString(text: "かん", cursorBegin: 6, cursorEnd: 6))
        try fixture.pump()
        method.commit(.commitString(text: "hé漢😀"))
        try fixture.wait(for: "its text") { method.lines.contains("text hé漢😀 10 10") }
        // GTK 4.8 takes bytes for characters: for a character of one byte both are the same.
        method.commit(.commitString(text: "x"))
        try fixture.wait(for: "one more") { method.lines.contains("text hé漢😀x 11 11") }
        _ = method.takeLines()
        method.commit(.deleteSurroundingText(beforeLength: 1, afterLength: 0))
        try fixture.wait(for: "one less") { method.lines.contains("text hé漢😀 10 10") }
        #expect(demo.isRunning && typist.isOpen)
    }

    /// Taps a key of the on-screen keyboard, given by its row and the keys before it.
    private func tap(_ row: Int, _ column: Double, in fixture: ServerFixture) throws {
        let windows = fixture.model.windows.compactMap { fixture.model.window($0) }
        let frame = try #require(windows.first { $0.level == 2100 }).frame
        let unit = frame.size.width / 10
        try fixture.tap(x: frame.minX + unit * column, y: frame.minY + frame.size.height / 4 * (Double(row) + 0.5))
    }

    @Test("the on-screen keyboard writes into foot: letters, shift, backspace, return")
    func keyboardIntoFoot() throws {
        let fixture = try ServerFixture()
        let keyboard = try fixture.spawn("\(Self.folder)/on-screen-keyboard")
        let foot = try startFoot(fixture)
        defer { foot.end() }
        try fixture.wait(for: "the keyboard; it said \(keyboard.readOutput())") {
            lines(keyboard).contains("active") && keyboard.readOutput().contains("visible")
        }
        // "Q", "w", "e", delete, space, "a", return
        func cursor() -> Rect? { fixture.server.seat.textInputs.active?.state.cursorRectangle }
        try fixture.wait(for: "a cursor") { cursor() != nil }
        for (row, column) in [(2, 0.5), (0, 0.5), (0, 1.5), (0, 2.5), (2, 9.5), (3, 4.5), (1, 1), (3, 8.5)] {
            // foot drops an edit that crosses a commit of its own: each character is awaited until it is shown.
            let before = cursor()
            try tap(row, column, in: fixture)
            let moves = (row, column) != (2, 0.5) && (row, column) != (3, 8.5)
            if moves { try fixture.wait(for: "an echo of \(row), \(column)") { cursor() != before } }
        }
        try fixture.wait(for: "the text; the keyboard said \(keyboard.readOutput())") { foot.text() != nil }
        #expect(foot.text() == "Qw a")
        #expect(keyboard.isRunning)
    }

    @Test("K7, E6: the on-screen keyboard writes into the field that is tapped in the main window, and deletes there")
    func keyboardIntoWindow() throws {
        let fixture = try ServerFixture()
        let keyboard = try fixture.spawn("\(Self.folder)/on-screen-keyboard")
        let main = try fixture.spawn("\(Self.folder)/main-window", ["--key", "no"])
        try fixture.wait(for: "both") {
            keyboard.readOutput().contains("visible") && main.readOutput().contains("visible")
        }
        try tap(0, 0.5, in: fixture)
        #expect(fixture.model.keyWindow == nil)
        try fixture.tap(x: 200, y: 150)
        try fixture.wait(for: "editing; the keyboard said \(keyboard.readOutput())") {
            lines(keyboard).contains("active")
        }
        #expect(fixture.model.keyWindow != nil)
        for (row, column, text) in [
            (0, 0.5, "q"), (0, 1.5, "qw"), (2, 9.5, "q"), (3, 4.5, "q "), (0, 2.5, "q e"), (2, 9.5, "q "),
        ] {
            try tap(row, column, in: fixture)
            try fixture.wait(for: "\(text); the window said \(main.readOutput())") {
                main.readOutput().hasSuffix("text \(text)\n")
            }
        }
        main.kill(SIGKILL)
        try fixture.wait(for: "the end of editing") { lines(keyboard).last == "inactive" }
        #expect(keyboard.isRunning)
    }

    @Test("UIKit's terms: the main window inserts, marks and deletes whole characters as an input method says")
    func windowAsField() throws {
        let fixture = try ServerFixture()
        let typist = try fixture.connect("typist")
        let method = try TestInputMethod(typist)
        let main = try fixture.spawn("\(Self.folder)/main-window")
        try fixture.wait(for: "its window") { main.readOutput().contains("visible") }
        try fixture.tap(x: 200, y: 150)
        try fixture.wait(for: "editing") { method.lines.contains("activate") && method.lines.last == "done" }
        #expect(method.takeLines() == ["activate", "text  0 0", "cause 0", "type 0 0", "done"])
        func says(_ line: String, _ requests: [ZwpInputMethodV2.Request]) throws {
            for request in requests { method.proxy.send(request) }
            method.commit()
            try fixture.wait(for: "\(line); it said \(main.readOutput())") {
                main.readOutput().hasSuffix("\(line)\n")
            }
        }
        try says("marked かん", [.setPreeditString(text: "かん", cursorBegin: 0, cursorEnd: 6)])
        try says("text 漢é", [.commitString(text: "漢é")])
        #expect(main.readOutput().contains("marked \ntext 漢é"), "the marked text is removed first")
        try fixture.wait(for: "its context") { method.lines.contains("text 漢é 5 5") }
        try says("text 漢", [.deleteSurroundingText(beforeLength: 2, afterLength: 0)])
        try says("text ", [.deleteSurroundingText(beforeLength: 3, afterLength: 0)])
        try says("text 😀", [.commitString(text: "😀")])
        try says("marked x", [.setPreeditString(text: "x", cursorBegin: 0, cursorEnd: 1)])
        try typist.kill()
        try fixture.wait(for: "nothing marked") { main.readOutput().hasSuffix("marked \n") }
    }

    @Test("the cursor stays between the same characters when what is typed becomes one with its neighbour")
    func cursorBetweenCharacters() throws {
        let fixture = try ServerFixture()
        let method = try TestInputMethod(fixture.connect("typist"))
        let main = try fixture.spawn("\(Self.folder)/main-window")
        try fixture.wait(for: "its window") { main.readOutput().contains("visible") }
        try fixture.tap(x: 200, y: 150)
        try fixture.wait(for: "editing") { method.lines.contains("activate") && method.lines.last == "done" }
        func says(_ line: String) throws {
            try fixture.wait(for: "\(line); it said \(main.readOutput())") { main.readOutput().hasSuffix("\(line)\n") }
        }
        func type(_ text: String, says line: String) throws {
            method.commit(.commitString(text: text))
            try says(line)
        }
        try type("ab", says: "text ab")
        // KEY_LEFT
        try fixture.press(105)
        try type("\u{301}", says: "text a\u{301}b")
        try type("🇩", says: "text a\u{301}🇩b")
        try type("🇪", says: "text a\u{301}🇩🇪b")
        try type("x", says: "text a\u{301}🇩🇪xb")
        // KEY_BACKSPACE
        for line in ["text a\u{301}🇩🇪b", "text a\u{301}b", "text b"] {
            try fixture.press(14)
            try fixture.wait(for: "\(line); it said \(main.readOutput())") { main.readOutput().contains(line + "\n") }
        }
        // KEY_RIGHT, KEY_HOME, KEY_DELETE
        for key: UInt32 in [106, 102, 111] { try fixture.press(key) }
        try fixture.wait(for: "nothing; it said \(main.readOutput())") { main.readOutput().contains("text \n") }
        // The return key ends editing and enters nothing.
        _ = method.takeLines()
        try fixture.press(28)
        try fixture.wait(for: "the end of editing") { method.lines.contains("deactivate") }
        #expect(main.isRunning)
    }

    @Test("without the right to inject the on-screen keyboard prints its keys and writes nothing")
    func withoutRight() throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [])
        let keyboard = try fixture.spawn("\(Self.folder)/on-screen-keyboard")
        let client = try fixture.connect()
        client.window("w").color(0xffff0000).makeKeyAndVisible()
        let field = try TestTextInput(client)
        try fixture.wait(for: "the keyboard") { keyboard.readOutput().contains("visible") }
        field.enable()
        try fixture.pump()
        _ = field.takeLines()
        try tap(0, 0.5, in: fixture)
        try fixture.wait(for: "the key") { keyboard.readOutput().hasSuffix("key q\n") }
        #expect(!keyboard.readOutput().contains("active") && field.takeLines() == [])
    }
}
