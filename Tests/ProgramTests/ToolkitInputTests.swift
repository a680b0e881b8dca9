// Real programs take input: GTK 4, Qt 6 and foot.

import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ToolkitInputTests {
    private let fixture: ServerFixture
    private let control: ControlSession

    init() throws {
        fixture = try ServerFixture(screens: ["1200x800"])
        control = try ControlSession(fixture)
    }

    private func start(_ toolkit: ToolkitProgram.Toolkit, x: Double = 0) throws -> ToolkitProgram {
        try ToolkitProgram(toolkit, fixture, control, at: Point(x: x, y: 0))
    }

    @Test("E1, E5: clicks, scrolls and touches arrive where they were made", arguments: ToolkitProgram.Toolkit.allCases)
    func pointing(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try start(toolkit, x: 40)
        try program.click("button")
        try program.waits(for: "clicked button")
        try program.click("area", dx: 30, dy: 40)
        try program.waits(for: "clicked 1 30 40")
        try program.click("area", dx: 31, dy: 41, button: "right")
        try program.waits(for: "clicked 3 31 41")
        try program.click("area", dx: 32, dy: 42, button: "middle")
        try program.waits(for: "clicked 2 32 42")
        let point = try program.point("area", dx: 50, dy: 60)
        let place = #""x": \#(point.x), "y": \#(point.y)"#
        try control.inject(#"{"type": "scroll", \#(place), "deltaY": 15, "stepsY": 120}"#)
        try program.waits(for: "scrolled 0 1")
        try control.inject(#"{"type": "scroll", \#(place), "deltaX": -15, "stepsX": -120}"#)
        try program.waits(for: "scrolled -1 0")
        try control.inject(#"{"type": "touch", "phase": "began", "id": 3, \#(place)}"#)
        try program.waits(for: "touch began 50 60")
        try control.inject(#"{"type": "touch", "phase": "ended", "id": 3}"#)
        try program.waits(for: "touch ended")
        // E2: the window is hidden under the finger.
        try control.inject(#"{"type": "touch", "phase": "began", "id": 4, \#(place)}"#)
        try program.waits(for: "touch began 50 60")
        try fixture.model.setHidden(true, of: program.window.id)
        try program.waits(for: "touch cancelled")
        #expect(program.complaints == [])
    }

    @Test("E3: text of any characters, dead keys and shortcuts", arguments: ToolkitProgram.Toolkit.allCases)
    func text(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try start(toolkit)
        try program.edit()
        try control.type("héllo wörld € 😀 漢")
        try program.waits(for: "text héllo wörld € 😀 漢")
        try program.copies { try control.key("ctrl+a", "ctrl+c") }
        try control.key("End", "ctrl+v")
        try program.waits(for: "text héllo wörld € 😀 漢héllo wörld € 😀 漢")
        try program.copies { try control.key("ctrl+a", "ctrl+x") }
        try program.waits(for: "text ")
        var configuration = fixture.server.keyboard
        (configuration.layout.layout, configuration.layout.variant) = ("us", "intl")
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        try control.key("dead_acute", "e")
        try program.waits(for: "text é")
        try control.key("dead_diaeresis", "shift+o")
        try program.waits(for: "text éÖ")
        try control.key("BackSpace", "BackSpace", "shift+x")
        try program.waits(for: "text X")
        try control.key("ctrl+v")
        try program.waits(for: "text Xhéllo wörld € 😀 漢héllo wörld € 😀 漢")
        #expect(program.complaints == [])
    }

    @Test("E3: foot reads text of any characters, dead keys and control keys")
    func terminal() throws {
        let foot = try FootProgram(fixture, control)
        try control.type("héllo wörld € 😀 漢")
        try foot.waits(for: "héllo wörld € 😀 漢")
        var configuration = fixture.server.keyboard
        (configuration.layout.layout, configuration.layout.variant) = ("us", "intl")
        try fixture.server.setKeyboard(configuration)
        try fixture.pump()
        try control.key("dead_acute", "e", "shift+a", "ctrl+d", "Return", "alt+x", "F1", "Up")
        try foot.waits(for: "éA\u{4}\r\u{1b}x\u{1b}OP\u{1b}[A")
        #expect(foot.complaints == [])
    }

    @Test("E5: foot reports clicks and the wheel to its program")
    func terminalMouse() throws {
        // When the terminal has answered the query of its type, it has processed the sequences before.
        let foot = try FootProgram(fixture, control, setup: #"printf '\033[?1000h\033[?1006h\033[c'"#)
        try fixture.wait(for: "its answer") { foot.text.hasSuffix("c") }
        try foot.click(button: "right")
        try fixture.wait(for: "a click") { foot.text.contains("\u{1b}[<2;") && foot.text.hasSuffix("m") }
        try control.inject(#"{"type": "scroll", "deltaY": 15, "stepsY": 120}"#)
        try fixture.wait(for: "the wheel") { foot.text.contains("\u{1b}[<65;") }
        #expect(foot.complaints == [])
    }

    @Test("a text travels through the clipboard: GTK, foot, Qt, GTK")
    func clipboard() throws {
        let gtk = try start(.gtk)
        let qt = try start(.qt, x: 400)
        let foot = try FootProgram(fixture, control, at: Point(x: 0, y: 310))
        try gtk.edit()
        try control.type("Grüße 😀")
        try gtk.waits(for: "text Grüße 😀")
        try gtk.copies { try control.key("ctrl+a", "ctrl+c") }
        try foot.click()
        try control.key("ctrl+shift+v")
        try foot.waits(for: "Grüße 😀")
        try qt.edit()
        try control.key("ctrl+v")
        try qt.waits(for: "text Grüße 😀")
        try control.type("!")
        try qt.copies { try control.key("ctrl+a", "ctrl+x") }
        try qt.waits(for: "text ")
        try gtk.edit()
        try control.key("ctrl+a", "ctrl+v")
        try gtk.waits(for: "text Grüße 😀!")
        #expect(gtk.complaints + qt.complaints + foot.complaints == [])
    }

    @Test("1 MiB passes through the clipboard unchanged, both ways")
    func largeClipboard() throws {
        let gtk = try start(.gtk)
        let qt = try start(.qt, x: 400)
        for (from, to) in [(gtk, qt), (qt, gtk)] {
            try from.edit()
            try from.copies { try control.key("F5") }
            let copied = try from.waits(forPrefix: "copied ")
            #expect(copied.hasPrefix("1081344 "))
            try to.edit()
            try control.key("F6")
            try to.waits(for: "pasted \(copied)", seconds: 60)
        }
        #expect(gtk.complaints + qt.complaints == [])
    }

    @Test("K7: focus follows the key window, and text goes there")
    func focus() throws {
        let gtk = try start(.gtk)
        let qt = try start(.qt, x: 400)
        try gtk.waits(for: "focus in")
        try qt.click("area")
        try qt.waits(for: "focus in")
        try gtk.waits(for: "focus out")
        for _ in 0..<2 {
            try gtk.click("area")
            try gtk.waits(for: "focus in")
            // Qt does not notice a focus that returns before it checks.
            try qt.waits(for: "focus out")
            #expect(try gtk.window.isKey && !qt.window.isKey)
            try qt.click("area")
            try qt.waits(for: "focus in")
            try gtk.waits(for: "focus out")
            #expect(try qt.window.isKey && !gtk.window.isKey)
        }
        // K5: the key window goes, the other inherits.
        qt.program.kill(SIGKILL)
        try gtk.waits(for: "focus in")
        try gtk.edit()
        try control.type("heir")
        try gtk.waits(for: "text heir")
        #expect(gtk.complaints == [])
    }
}
