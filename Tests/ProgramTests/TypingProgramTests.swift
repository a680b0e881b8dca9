// Real programs receive every character that is typed, on every kind of layout.

import FoundationEssentials
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct TypingProgramTests {
    /// Printable ASCII, and characters that some of the layouts have and others lack.
    private static let text =
        String(String.UnicodeScalarView((33...126).compactMap { Unicode.Scalar($0) })) + "€ßäéñ£µ漢…"
    /// Latin ones, one with dead keys, and others that lack most of ASCII.
    private static let layouts = [("us", ""), ("us", "intl"), ("de", ""), ("fr", ""), ("ru", ""), ("ara", "")]

    private let fixture: ServerFixture
    private let control: ControlSession

    init() throws {
        fixture = try ServerFixture(screens: ["1200x800"])
        control = try ControlSession(fixture)
    }

    /// Types the text on each layout.
    /// - Parameter expect: waits until the program has all that was typed so far.
    private func typeEverywhere(_ expect: (String) throws -> Void) throws {
        var all = ""
        for (layout, variant) in Self.layouts {
            var configuration = fixture.server.keyboard
            (configuration.layout.layout, configuration.layout.variant) = (layout, variant)
            try fixture.server.setKeyboard(configuration)
            try fixture.pump()
            let result = try control.mullionctl("type", Self.text)
            #expect(result.status == 0, "\(layout): \(result.output)")
            all += Self.text
            try expect(all)
        }
    }

    @Test("E3: GTK and Qt receive all printable ASCII and more", arguments: ToolkitProgram.Toolkit.allCases)
    func toolkits(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try ToolkitProgram(toolkit, fixture, control)
        try program.edit()
        try typeEverywhere { try program.waits(for: "text \($0)") }
        #expect(program.complaints == [])
    }

    @Test(
        "E3: so do X11 programs, which look keys up when they read them", .enabled(if: X11Display.isPossible),
        arguments: ToolkitProgram.Toolkit.allCases)
    func toolkitsOnX11(toolkit: ToolkitProgram.Toolkit) throws {
        let display = try X11Display(fixture)
        let program = try ToolkitProgram(toolkit, fixture, control, on: display)
        #expect(try fixture.settle() == [])
        try program.edit()
        try typeEverywhere { try program.waits(for: "text \($0)") }
        #expect(program.complaints == [])
    }

    @Test("E3: so does xterm, and Return comes after it", .enabled(if: X11Display.isPossible))
    func terminal() throws {
        let display = try X11Display(fixture)
        let file = "\(control.folder)/typed"
        let terminal = try display.xterm("typing", "stty raw -echo; exec cat > \(file)")
        _ = try display.shows("typing")
        func contents() -> String {
            FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        try typeEverywhere { expected in
            try fixture.wait(for: "\(expected.suffix(10)); xterm has \(contents())") { contents() == expected }
        }
        let before = contents()
        #expect(try control.mullionctl("type", "price $5 (net) € #1").status == 0)
        try control.key("Return")
        try fixture.wait(for: "the line; xterm has \(contents())") { contents() == before + "price $5 (net) € #1\r" }
        #expect(terminal.isRunning)
    }
}
