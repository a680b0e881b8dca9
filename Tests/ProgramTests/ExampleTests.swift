// The classic uses, each with its example program as a client process.

import DisplayServer
import FoundationEssentials
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct ExampleTests {
    /// The examples are built beside the test program.
    private static let folder = Programs.built

    private func start(_ name: String, _ arguments: [String] = [], on fixture: ServerFixture) throws -> Program {
        let program = try fixture.spawn("\(Self.folder)/\(name)", arguments)
        try fixture.wait(for: "\(name) to be visible; it printed: \(program.readOutput())") {
            program.readOutput().contains("visible")
        }
        return program
    }

    private func window(of name: String, in fixture: ServerFixture) throws -> Window {
        let windows = fixture.model.windows.compactMap { fixture.model.window($0) }
        return try #require(windows.first { fixture.model.application($0.application)?.name == name }, "\(name)")
    }

    @Test("alert: takes key at level 2000, and gives it back when it ends (K5)")
    func alert() throws {
        let fixture = try ServerFixture()
        let main = try start("main-window", on: fixture)
        try fixture.wait(for: "key") { fixture.model.keyWindow != nil }
        let alert = try start("alert", on: fixture)
        try fixture.wait(for: "the alert to be key") { try window(of: "alert", in: fixture).isKey }
        let frame = try window(of: "alert", in: fixture).frame
        #expect(try window(of: "alert", in: fixture).level == 2000)
        try fixture.tap(x: frame.maxX - 60, y: frame.maxY - 20)
        try fixture.wait(for: "the alert to end") { !alert.isRunning }
        #expect(alert.exitStatus == 0)
        #expect(alert.readOutput().contains("tapped Delete"))
        #expect(try window(of: "main-window", in: fixture).isKey)
        #expect(main.isRunning)
    }

    @Test("on-screen keyboard: above alerts, never key, and prints what was tapped")
    func keyboard() throws {
        let fixture = try ServerFixture()
        let alert = try start("alert", on: fixture)
        let keyboard = try start("on-screen-keyboard", on: fixture)
        let window = try window(of: "on-screen-keyboard", in: fixture)
        #expect(window.level > 2000)
        #expect(fixture.model.windows(on: fixture.mainScreen).last == window.id)
        let routing = try fixture.tap(x: window.frame.minX + 30, y: window.frame.minY + 30)
        #expect(routing.hit?.window == window.id)
        try fixture.wait(for: "a key") { keyboard.readOutput().split(separator: "\n").count > 1 }
        #expect(try !self.window(of: "on-screen-keyboard", in: fixture).isKey)
        #expect(try self.window(of: "alert", in: fixture).isKey)
        #expect(alert.isRunning)
    }

    @Test("floating button: above all other windows, draggable, and touches elsewhere fall through")
    func floatingButton() throws {
        let fixture = try ServerFixture()
        let main = try start("main-window", on: fixture)
        let button = try start("floating-button", on: fixture)
        let id = try window(of: "floating-button", in: fixture).id
        #expect(try fixture.tap(x: 100, y: 300).hit?.window == window(of: "main-window", in: fixture).id)
        let surface = try #require(fixture.model.surfaces(of: id).last)
        let place = try #require(fixture.model.surface(surface)).position
        let grip = Point(x: place.x + 32, y: place.y + 32)
        func touch(_ phase: Event.Phase, _ x: Double, _ y: Double) throws -> Routing {
            defer { try? fixture.pump() }
            return try fixture.model.touch(
                id: 1, phase: phase, at: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
        }
        #expect(try touch(.began, grip.x, grip.y).hit?.window == id)
        _ = try touch(.moved, 100, 100)
        _ = try touch(.ended, 100, 100)
        try fixture.wait(for: "the button to move") {
            fixture.model.surface(surface)?.position == Point(x: 100 - 32, y: 100 - 32)
        }
        #expect(try fixture.tap(x: 100, y: 100).hit?.window == id)
        #expect(main.isRunning && button.isRunning)
    }

    @Test("status bar, splash, banner: their levels, and the splash removes itself")
    func bars() throws {
        let fixture = try ServerFixture()
        let bar = try start("status-bar", on: fixture)
        let banner = try start("banner", on: fixture)
        let keyboard = try start("on-screen-keyboard", on: fixture)
        #expect(try window(of: "status-bar", in: fixture).level == 1000)
        #expect(try window(of: "status-bar", in: fixture).frame.size == Size(width: 800, height: 24))
        #expect(
            try fixture.model.windows(on: fixture.mainScreen).last == window(of: "banner", in: fixture).id,
            "topmost, above status bar and keyboard")
        let splash = try start("splash", ["--seconds", "0.2"], on: fixture)
        try fixture.wait(for: "the splash to go") { !splash.isRunning }
        #expect(splash.exitStatus == 0)
        #expect(bar.isRunning && banner.isRunning && keyboard.isRunning)
    }

    @Test("presenter: content on the external display, controls on the main one, surviving unplug and replug (S8)")
    func presenter() throws {
        let fixture = try ServerFixture(screens: ["800x600", "1024x768,external,name=TV"])
        let presenter = try start("presenter", on: fixture)
        func content() -> Window? {
            fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == "content" }
        }
        try fixture.wait(for: "content on the TV") { content()?.isVisible == true }
        let before = try fixture.screenshot(fixture.model.screens[1])
        #expect(Set(before.pixels).count > 2)
        for _ in 0..<3 {
            try fixture.server.disconnect(fixture.model.screens[1])
            try fixture.pump()
            #expect(content()?.isVisible == false)
            try fixture.server.plug(ScreenSpecification(parsing: "1024x768,external,name=TV"))
            try fixture.wait(for: "the content to come back") { content()?.isVisible == true }
        }
        try fixture.wait(for: "the same picture") { try fixture.screenshot(fixture.model.screens[1]) == before }
        // One that is there already takes the content over, whether or not it is said to connect.
        try fixture.server.plug(ScreenSpecification(parsing: "1280x720,external,name=WALL"))
        try fixture.server.disconnect(fixture.server.screen("TV").id)
        try fixture.wait(for: "the content to move; it printed \(presenter.readOutput())") {
            content()?.isVisible == true && content()?.frame.size == Size(width: 1280, height: 720)
        }
        #expect(presenter.readOutput().contains("presenting moved to WALL\n"))
        #expect(presenter.isRunning)
    }

    @Test("main window: it is notified before and after a rotation, and fills the screen again (R1, R2)")
    func rotation() throws {
        let fixture = try ServerFixture(screens: ["400x700"])
        let main = try start("main-window", on: fixture)
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft)
        try fixture.wait(for: "the end of the rotation") { main.readOutput().contains("has turned to landscapeLeft") }
        let output = main.readOutput()
        let will = try #require(output.firstRange(of: "will turn from portrait to landscapeLeft in 0.3 s"))
        let did = try #require(output.firstRange(of: "has turned to landscapeLeft"))
        #expect(will.upperBound <= did.lowerBound)
        #expect(try window(of: "main-window", in: fixture).frame == Rect(x: 0, y: 0, width: 700, height: 400))
        // S4: the framebuffer does not rotate, and the window fills it with its own colour up to the far corner.
        try fixture.wait(for: "the new picture") { try fixture.color(x: 395, y: 5) == 0x2f6f62 }
        #expect(try fixture.color(x: 5, y: 695) == 0x2f6f62)
        // R4: a tap on the text field at its new place.
        try fixture.tap(x: 350, y: 150)
        try fixture.wait(for: "the field to be edited") { main.readOutput().contains("tapped field") }
    }

    @Test("R3: a program listed in the configuration stays portrait and is drawn rotated")
    func fixedRotation() throws {
        let fixture = try ServerFixture(screens: ["400x700"])
        fixture.server.fixedRotation = ["main-window"]
        let main = try start("main-window", on: fixture)
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.wait(for: "the rotation") { main.readOutput().contains("has turned to landscapeLeft") }
        #expect(try window(of: "main-window", in: fixture).frame == Rect(x: 0, y: 0, width: 400, height: 700))
        // The field is at (24…376, 130…174) of the panel; in rotated points it is at about (550, 200).
        let screen = try #require(fixture.model.screen(fixture.mainScreen))
        let place = screen.convertFromFixed(Point(x: 200, y: 150))
        try fixture.tap(x: place.x, y: place.y)
        try fixture.wait(for: "the field to be edited") { main.readOutput().contains("tapped field") }
    }

    @Test("command lines: help in 80 columns, clear refusals, and values with and without =")
    func commandLines() throws {
        let fixture = try ServerFixture(screens: ["800x600,name=PANEL"])
        func run(_ name: String, _ arguments: [String]) throws -> (status: Int32?, output: String) {
            let program = try fixture.spawn("\(Self.folder)/\(name)", arguments)
            try fixture.wait(for: "\(name) to end") { !program.isRunning }
            return (program.exitStatus, program.readOutput())
        }
        for name in [
            "alert", "banner", "floating-button", "main-window", "on-screen-keyboard", "presenter", "splash",
            "status-bar",
        ] {
            let help = try run(name, ["--help"])
            #expect(help.status == 0 && help.output.hasPrefix("usage: \(name) "))
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help.output)")
            let screen = try run(name, ["--screen", "NOPE"])
            #expect(screen.status == 1)
            #expect(screen.output == "\(name): NOPE is not a connected screen; use one of PANEL\n")
            let unknown = try run(name, ["--nope"])
            #expect(unknown.status == 2)
            #expect(unknown.output.hasPrefix("\(name): \"--nope\" is not an option; use one of --"))
        }
        #expect(try run("splash", ["--seconds=soon"]).output.contains("\"soon\" is not a number from 0 to 3600"))
        #expect(try run("main-window", ["--color", "+12345"]).output.contains("use six hexadecimal digits"))
        // An empty value is one, not the next word.
        let splash = try run("splash", ["--name=", "--seconds", "0"])
        #expect(splash.status == 0 && splash.output.hasSuffix("splash gone\n"))
        #expect(!splash.output.contains("cannot draw"))
    }
}
