// Real programs' windows: menus, lists, closing, sharpness and activation.

import Compositor
import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ToolkitWindowTests {
    private func start(
        _ toolkit: ToolkitProgram.Toolkit, screens: [String] = ["1200x800"]
    ) throws -> (ServerFixture, ControlSession, ToolkitProgram) {
        let fixture = try ServerFixture(screens: screens)
        let control = try ControlSession(fixture)
        return (fixture, control, try ToolkitProgram(toolkit, fixture, control))
    }

    @Test(
        "C3, E3: a menu opens, has the keys, and closes by a click outside", arguments: ToolkitProgram.Toolkit.allCases)
    func menu(toolkit: ToolkitProgram.Toolkit) throws {
        let (fixture, control, program) = try start(toolkit)
        func opens() throws {
            try program.click("menu")
            try program.waits(for: "menu opened")
            try fixture.wait(for: "the grab") {
                fixture.server.seat.grabs.keyboardSurface != nil
                    && fixture.server.seat.keyboardSurface === fixture.server.seat.grabs.keyboardSurface
            }
        }
        try opens()
        // On the background, and on another program's window.
        try control.inject(#"{"type": "click", "x": 1100, "y": 700}"#, allowMiss: true)
        try program.waits(for: "menu closed")
        #expect(fixture.server.seat.grabs.keyboardSurface == nil)
        let other = try fixture.connect("other")
        let input = try TestInput(other)
        defer { withExtendedLifetime(input) {} }
        other.window("other").color(0xff00_8000).frame(900, 0, 200, 200).show()
        try fixture.pump()
        try opens()
        try control.inject(#"{"type": "click", "x": 1000, "y": 100}"#)
        try program.waits(for: "menu closed")
        #expect(fixture.server.seat.grabs.keyboardSurface == nil)
        // In its own window the toolkit itself closes it.
        try opens()
        try program.click("area", dx: 300, dy: 100)
        try program.waits(for: "menu closed")
        try opens()
        try control.key("Escape")
        try program.waits(for: "menu closed")
        try fixture.wait(for: "the end of the grab") { fixture.server.seat.grabs.keyboardSurface == nil }
        try opens()
        try control.key("Down", "Return")
        try program.waits(for: "clicked item")
        #expect(try program.window.isKey)
        #expect(program.complaints == [])
    }

    @Test("C3: a list of choices opens above its window and one is chosen", arguments: ToolkitProgram.Toolkit.allCases)
    func choice(toolkit: ToolkitProgram.Toolkit) throws {
        let (fixture, control, program) = try start(toolkit)
        try program.click("choice")
        try fixture.wait(for: "the list") { fixture.server.seat.grabs.keyboardSurface != nil }
        try control.key("Down", "Return")
        try program.waits(for: "selected 1")
        try fixture.wait(for: "its end") { fixture.server.seat.grabs.keyboardSurface == nil }
        #expect(program.complaints == [])
    }

    @Test(
        "W7: closing by the API asks the program, which reports it and exits",
        arguments: ToolkitProgram.Toolkit.allCases
    )
    func close(toolkit: ToolkitProgram.Toolkit) throws {
        let (fixture, control, program) = try start(toolkit)
        let answer = try control.send("DELETE", "/v1/windows/\(program.window.id)")
        #expect(answer.status == 202)
        try program.waits(for: "close")
        try fixture.wait(for: "its end") { !program.program.isRunning }
        #expect(program.program.exitStatus == 0)
        try fixture.wait(for: "the client to go") { fixture.server.clientCount == 0 }
        #expect(fixture.model.windows.isEmpty && fixture.model.surfaceCount == 0)
        #expect(program.complaints == [])
    }

    @Test(
        "S4: windows are drawn sharply, at 1.5 and 2 pixels a point too", arguments: ToolkitProgram.Toolkit.allCases,
        ["1", "1.5", "2"])
    func sharp(toolkit: ToolkitProgram.Toolkit, scale: String) throws {
        let (fixture, _, program) = try start(toolkit, screens: ["1800x1200,scale=\(scale)"])
        let pixels = try #require(Double(scale))
        let window = try program.window
        #expect(window.frame.size == Size(width: 360, height: 300))
        try fixture.wait(for: "enough pixels") {
            guard let root = fixture.model.root(of: window.id), let surface = fixture.server.surfaces[root],
                let contents = surface.contents
            else { return false }
            return Double(contents.width) >= 360 * pixels && Double(contents.height) >= 300 * pixels
        }
        // Clicks land where widgets are shown.
        try program.click("area", dx: 30, dy: 40)
        try program.waits(for: "clicked 1 30 40")
        #expect(program.complaints == [])
    }

    @Test("K7: a program that presents its window takes key only from itself")
    func present() throws {
        let (fixture, _, gtk) = try start(.gtk)
        func presents() throws -> Bool {
            gtk.program.kill(SIGUSR1)
            try gtk.waits(for: "presented")
            #expect(try fixture.settle() == [])
            return try gtk.window.isKey
        }
        #expect(try presents())
        let other = try fixture.connect("other")
        let window = other.window("other").color(0xff00ff00).frame(600, 0, 100, 100)
        window.makeKeyAndVisible()
        try fixture.pump()
        #expect(try !presents())
        window.window.send(.setCanBecomeKey(can: 0))
        window.commit()
        try fixture.pump()
        try fixture.model.resignKey(gtk.window.id)
        #expect(fixture.model.keyWindow == nil)
        #expect(try presents())
        #expect(gtk.complaints == [])
    }
}
