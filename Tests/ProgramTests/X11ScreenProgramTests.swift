// X11 programs on screens that come, go, turn and are scaled, and beside panels.

import Displays
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite(.enabled(if: X11Desk.isPossible)) struct X11ScreenProgramTests {
    private static let second = "640x480,name=B,mirroring=off"

    private func desk(_ screens: [String] = ["1000x700,name=A"], orphans: Policy.Orphans = .keep) throws -> X11Desk {
        try X11Desk(ServerFixture(screens: screens, policy: Policy(orphans: orphans)))
    }

    @Test("S8: a screen is an output while it is plugged in; its windows wait for it, and their programs go on")
    func hotPlug() throws {
        let desk = try desk()
        let terminal = try desk.terminal("w")
        try desk.waits(for: ["1000x700+0+0"])
        try desk.plug(Self.second)
        try desk.waits(for: ["1000x700+0+0", "640x480+1000+0"])
        #expect(try desk.display.run("xprop", ["-root", "_NET_DESKTOP_GEOMETRY"]).hasSuffix("= 1640, 700\n"))
        let number = try desk.number("w")
        try desk.display.run("xdotool", ["windowmove", number, "1100", "50"])
        try desk.fixture.wait(for: "the move") { desk.screen("w") == "B" }
        #expect(desk.display.window("w")?.frame.origin == Point(x: 100, y: 50))
        try desk.types("asdf", into: "w")
        for round in 0..<3 {
            try desk.fixture.server.unplug("B")
            try desk.waits(for: ["1000x700+0+0"])
            #expect(desk.screen("w") == nil && desk.display.window("w")?.isVisible == false && terminal.isRunning)
            // The others are shown, and it can be controlled.
            try desk.terminal("other\(round)")
            try desk.types("fd", into: "other\(round)")
            try desk.display.run("xdotool", ["set_window", "--name", "w", number])
            try desk.plug(Self.second)
            try desk.waits(for: ["1000x700+0+0", "640x480+1000+0"])
            try desk.fixture.wait(for: "its return") { desk.display.window("w")?.isVisible == true }
            #expect(desk.screen("w") == "B" && desk.display.window("w")?.frame.origin == Point(x: 100, y: 50))
            #expect(try desk.position(number) == "1100,50")
            try desk.display.run("xdotool", ["windowactivate", number])
            try desk.types("sa", into: "w")
        }
        #expect(desk.fixture.model.checkInvariants() == [])
    }

    @Test("a window without WM_NORMAL_HINTS opens where its program created it, and fills that screen")
    func createdElsewhere() throws {
        let desk = try desk(["1000x700,name=A", Self.second])
        try desk.waits(for: ["1000x700+0+0", "640x480+1000+0"])
        let folder = #filePath.dropLast("ProgramTests/X11ScreenProgramTests.swift".count)
        let program = try desk.display.spawn(
            "/usr/bin/python3", ["\(folder)Programs/x11_program.py", "stay"], ["PLACE": "1100,50"])
        defer { withExtendedLifetime(program) {} }
        let window = try desk.display.shows("")
        #expect(desk.screen("") == "B" && window.frame.origin == Point(x: 100, y: 50))
        try desk.display.run("wmctrl", ["-r", ":ACTIVE:", "-b", "add,fullscreen"])
        try desk.fixture.wait(for: "full screen") {
            desk.display.window("")?.frame.size == Size(width: 640, height: 480)
        }
        #expect(desk.screen("") == "B")
    }

    @Test("S8: with orphans on the main screen, the X server has them there too")
    func orphans() throws {
        let desk = try desk(["1000x700,name=A", Self.second], orphans: .main)
        try desk.terminal("w")
        let number = try desk.number("w")
        try desk.display.run("xdotool", ["windowmove", number, "1100", "50"])
        try desk.fixture.wait(for: "the move") { desk.screen("w") == "B" }
        try desk.fixture.server.unplug("B")
        try desk.fixture.wait(for: "the main screen") { desk.screen("w") == "A" }
        try desk.fixture.wait(for: "the X server to follow") { try desk.position(number) == "100,50" }
        try desk.types("asdf", into: "w")
    }

    @Test("S2: X11 programs live without any screen, begin then, and are shown on the next one")
    func noScreen() throws {
        let desk = try desk()
        let terminal = try desk.terminal("w")
        try desk.fixture.server.unplug("A")
        try desk.waits(for: [])
        let late = try desk.display.xterm("late")
        try desk.fixture.wait(for: "its window") { desk.display.window("late") != nil }
        try desk.plug("800x600,name=C")
        try desk.waits(for: ["800x600+0+0"])
        try desk.fixture.wait(for: "the late one") { desk.display.window("late")?.isVisible == true }
        try desk.plug("1000x700,name=A")
        try desk.fixture.wait(for: "its return") { desk.screen("w") == "A" }
        try desk.display.run("xdotool", ["windowactivate", desk.number("w")])
        try desk.types("asdf", into: "w")
        #expect(terminal.isRunning && late.isRunning && desk.fixture.model.checkInvariants() == [])
    }

    @Test(
        "R2: on a turned screen and on one of scale 2, programs see its points, fill it, and clicks and menus are in place",
        arguments: [ToolkitProgram.Toolkit.gtk3, .qt5])
    func turned(toolkit: ToolkitProgram.Toolkit) throws {
        let desk = try desk(["1600x1200,name=A"])
        let control = try ControlSession(desk.fixture)
        let program = try ToolkitProgram(toolkit, desk.fixture, control, at: Point(x: 40, y: 30), on: desk.display)
        let main = try program.window.id
        let screen = desk.fixture.mainScreen
        func worksHere() throws {
            let stuck = try desk.fixture.settle()
            #expect(stuck == [])
            try program.click("area", dx: 30, dy: 40)
            try program.waits(for: "clicked 1 30 40")
            try program.click("menu")
            try program.waits(for: "menu opened")
            var distance: Double?
            do {
                // Below the button, give or take a margin of the toolkit's.
                try desk.fixture.wait(for: "the menu") {
                    let menu = desk.fixture.model.windows.compactMap { desk.fixture.model.window($0) }
                        .first { $0.id != main && $0.isVisible }
                    guard let menu, let button = program.place("menu") else { return false }
                    distance = try menu.frame.minY - program.window.frame.minY - button.maxY
                    return distance.map { abs($0) <= 12 } == true
                }
            } catch {
                throw FixtureError("\(error): it is \(distance ?? .nan) below its button")
            }
            try control.key("Escape")
            try program.waitsForMenuToClose()
        }
        try desk.fixture.server.rotate(screen, to: .landscapeRight, duration: 0)
        try desk.waits(for: ["1200x1600+0+0"])
        try worksHere()
        let number = try desk.number(toolkit.rawValue)
        try desk.display.run(
            "wmctrl", ["-i", "-r", number, "-b", "add,maximized_vert,maximized_horz"])
        func fills(_ width: Double, _ height: Double) throws {
            try desk.fixture.wait(for: "\(width)x\(height); it has \(try program.window.frame)") {
                try program.window.frame == Rect(x: 0, y: 0, width: width, height: height)
            }
        }
        try fills(1200, 1600)
        try desk.fixture.server.rotate(screen, to: .portrait, duration: 0)
        try fills(1600, 1200)
        try desk.fixture.model.setScale(2, of: screen)
        try desk.waits(for: ["800x600+0+0"])
        try fills(800, 600)
        try worksHere()
        #expect(program.complaints == [])
    }

    @Test("panels: GTK sees what they leave of each screen; others see it while there is one screen")
    func panels() throws {
        let desk = try desk()
        try desk.terminal("w")
        func property(_ name: String) throws -> String {
            String(try desk.display.run("xprop", ["-root", name]).split(separator: "=").last ?? "").trimmed
        }
        func reads(_ all: String, _ each: String) throws {
            var seen = ("", "")
            do {
                try desk.fixture.wait(for: "the areas") {
                    seen = (try property("_NET_WORKAREA"), try property("_GTK_WORKAREAS_D0"))
                    return seen == (all, each)
                }
            } catch {
                throw FixtureError("\(error): \(all) and \(each); X11 programs read \(seen)")
            }
        }
        try reads("0, 0, 1000, 700", "0, 0, 1000, 700")
        let panel = try TestLayerSurface(desk.fixture.connect("panel")).set(0, 30, at: .along, zone: 30)
        try panel.map(desk.fixture)
        try reads("0, 30, 1000, 670", "0, 30, 1000, 670")
        try desk.plug(Self.second)
        try reads("0, 0, 1640, 700", "0, 30, 1000, 670, 1000, 0, 640, 480")
        let program = try desk.display.spawn(
            "/usr/bin/python3", [ToolkitProgram.folder + "work_areas.py"], ["GDK_BACKEND": "x11"])
        try desk.fixture.wait(for: "GTK") { !program.isRunning }
        #expect(program.readOutput() == "0 30 1000 670\n1000 0 640 480\n")
        panel.destroy()
        try desk.fixture.server.unplug("B")
        try reads("0, 0, 1000, 700", "0, 0, 1000, 700")
    }
}

extension String {
    fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
