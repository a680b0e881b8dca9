// Programs with text-input v1 and v2 take what an input method writes.

import FoundationEssentials
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct TextInputProgramTests {
    private let fixture: ServerFixture
    private let control: ControlSession
    private let method: TestInputMethod

    init() throws {
        fixture = try ServerFixture()
        control = try ControlSession(fixture)
        method = try TestInputMethod(fixture.connect("typist"))
    }

    private func start(_ path: String, _ words: [String] = []) throws -> Program {
        let home = "\(control.folder)/home"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        return try fixture.spawn(
            path, words,
            environment: [
                "QT_QPA_PLATFORM": "wayland", "LC_ALL": "C.UTF-8", "HOME": home, "XDG_CONFIG_HOME": home,
                "XDG_CACHE_HOME": home, "PYTHONDONTWRITEBYTECODE": "1", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            ])
    }

    /// Waits until the input method was sent a line that satisfies the condition.
    private func waits(for what: String, of program: Program, _ condition: (String) -> Bool) throws {
        do {
            try fixture.wait(for: what, seconds: 60) { method.lines.contains(where: condition) }
        } catch {
            throw FixtureError("\(what): there is only \(method.lines); the program said \(program.readOutput())")
        }
    }

    @Test("Qt 5 takes text, composes and deletes through v2, and says what it edits")
    func qt() throws {
        let folder = String(#filePath).dropLast("ProgramTests/TextInputProgramTests.swift".count)
        let program = try start("/usr/bin/python3", ["\(folder)Programs/qt5_entry.py"])
        // Digits: purpose 2.
        try waits(for: "its content type", of: program) { $0.hasPrefix("type ") && $0.hasSuffix(" 2") }
        func says(_ line: String) throws {
            try fixture.wait(for: "\(line); Qt said \(program.readOutput())", seconds: 60) {
                program.readOutput().split(separator: "\n").contains { $0 == line }
            }
        }
        method.commit(.setPreeditString(text: "かん", cursorBegin: 6, cursorEnd: 6))
        try says("composed かん")
        method.commit(.commitString(text: "hé漢😀"))
        try says("text hé漢😀")
        try waits(for: "its surrounding text", of: program) { $0 == "text hé漢😀 10 10" }
        method.commit(.deleteSurroundingText(beforeLength: 7, afterLength: 0))
        try says("text hé")
        // E3: keys arrive as before.
        try control.type("x")
        try says("text héx")
    }

    @Test("weston-editor takes text and deletes through v1, and says what it edits")
    func weston() throws {
        let program = try start("weston-editor")
        func editor() -> Window? { fixture.model.windows.compactMap { fixture.model.window($0) }.first }
        try fixture.wait(for: "its window; it said \(program.readOutput())", seconds: 60) {
            editor()?.isVisible == true
        }
        let frame = try #require(editor()).frame
        try control.inject(
            #"{"type": "click", "x": \#(frame.minX + frame.size.width / 2), "y": \#(frame.minY + 150)}"#)
        try waits(for: "its text", of: program) { $0.hasPrefix("text ") }
        _ = method.takeLines()
        method.commit(.commitString(text: "hé漢"))
        try waits(for: "the new text", of: program) { $0.hasPrefix("text ") && $0.contains("hé漢") }
        _ = method.takeLines()
        method.commit(.deleteSurroundingText(beforeLength: 3, afterLength: 0))
        try waits(for: "the rest", of: program) {
            $0.hasPrefix("text ") && $0.contains("hé") && !$0.contains("漢")
        }
        #expect(program.isRunning)
    }
}
