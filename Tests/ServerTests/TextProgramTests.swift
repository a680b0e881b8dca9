// Real programs and the examples: what an input method writes arrives as text.

import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Wayland
import WindowModel

@Suite struct TextProgramTests {
    private static let folder: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex))
    }()

    /// foot, which writes the first line that is typed into a file.
    private func startFoot(_ fixture: ServerFixture) throws -> (program: Program, text: () -> String?, end: () -> Void) {
        let file = try fixture.runtimeDirectory() + "/typed"
        let program = try fixture.spawn(
            "foot", ["--config=/dev/null", "sh", "-c", "IFS= read -r x; printf '%s' \"$x\" > \(file).new; mv \(file).new \(file)"],
            environment: ["LC_ALL": "C.UTF-8"])
        return (
            program, { FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } },
            { for name in [file, file + ".new"] { unlink(name) } }
        )
    }

    @Test("foot gets é, 漢 and 😀 from an input method, and its content type reads terminal")
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
        method.commit(.commitString(text: "hé漢"))
        method.commit(.commitString(text: "😀 llo"))
        method.commit(.commitString(text: "\r"))
        try fixture.wait(for: "the text") { foot.text() != nil }
        #expect(foot.text() == "hé漢😀 llo")
        try fixture.wait(for: "its end") { method.lines.last == "done" && method.lines.contains("deactivate") }
        #expect(typist.isOpen)
    }

    /// Where a key of the on-screen keyboard is, by its row and the keys before it.
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
            keyboard.readOutput().contains("visible") && keyboard.readOutput().contains("\nactive")
        }
        // "Q", "w", "e", delete, space, "a", return
        for (row, column) in [(2, 0.5), (0, 0.5), (0, 1.5), (0, 2.5), (2, 9.5), (3, 4.5), (1, 1), (3, 8.5)] {
            try tap(row, column, in: fixture)
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
            keyboard.readOutput().contains("\nactive")
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
        try fixture.wait(for: "the end of editing") { keyboard.readOutput().hasSuffix("\ninactive\n") }
        #expect(keyboard.isRunning)
    }
}
