// X11 programs that are minimized, and show themselves again.

import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite(.enabled(if: X11Desk.isPossible)) struct X11IconProgramTests {
    private let desk: X11Desk

    init() throws { desk = try X11Desk(ServerFixture(screens: ["1000x700,name=A"])) }

    /// Waits until the X server, its properties and the server agree.
    private func waits(for number: String, _ title: String, isIconic: Bool) throws {
        var seen = ""
        do {
            try desk.fixture.wait(for: isIconic ? "an icon" : "a window") {
                let state = try desk.display.run("xprop", ["-id", number, "WM_STATE", "_NET_WM_STATE"])
                let isUnmapped = try desk.display.run("xwininfo", ["-id", number]).contains("Map State: IsUnMapped")
                let window = desk.display.window(title)
                seen = "\(state), unmapped: \(isUnmapped), \(String(describing: window))"
                return state.contains("Iconic") == isIconic && state.contains("_HIDDEN") == isIconic
                    && isUnmapped == isIconic && window?.isVisible == !isIconic
            }
        } catch {
            throw FixtureError("\(error): \(seen)")
        }
    }

    @Test("ICCCM 4.1.4: a minimized window is unmapped and listed; mapping, activating and the control API show it")
    func minimized() throws {
        let bar = try TestForeignToplevels(wlr: desk.fixture.connect("task bar"))
        let terminal = try desk.terminal("w")
        let number = try desk.number("w")
        try desk.display.run("xdotool", ["windowmove", number, "70", "80"])
        try desk.fixture.wait(for: "the move") { desk.display.window("w")?.frame.origin == Point(x: 70, y: 80) }
        let frame = desk.display.window("w")?.frame
        let ways: [() throws -> Void] = [
            { try desk.display.run("xdotool", ["windowmap", number]) },
            { try desk.display.run("xdotool", ["windowactivate", number]) },
            { try desk.display.run("wmctrl", ["-i", "-a", number]) },
            { bar.all.first?.wlr?.send(.unsetMinimized) },
            { try desk.fixture.model.makeKeyAndVisible(try #require(desk.display.window("w")).id) },
        ]
        for show in ways {
            try desk.display.run("xdotool", ["windowminimize", number])
            try waits(for: number, "w", isIconic: true)
            #expect(try desk.display.run("xprop", ["-root", "_NET_CLIENT_LIST"]).contains("0x"))
            #expect(bar.all.first?.states == [1] && bar.all.first?.isClosed == false)
            try show()
            try waits(for: number, "w", isIconic: false)
            #expect(desk.display.window("w")?.frame == frame)
            try desk.types("asdf", into: "w")
        }
        #expect(bar.all.count == 1)
        // Minimized and shown, again and again, faster than anybody follows.
        for _ in 0..<20 {
            let id = try #require(desk.display.window("w")).id
            try desk.fixture.model.setHidden(true, of: id)
            try desk.fixture.pump()
            try desk.fixture.model.setHidden(false, of: id)
            try desk.fixture.pump()
        }
        try waits(for: number, "w", isIconic: false)
        try desk.types("fdsa", into: "w")
        // Task bars give it the keyboard that a Wayland program has.
        let other = try TestToplevel.map(desk.fixture.connect(), desk.fixture)
        try desk.display.run("xdotool", ["windowminimize", number])
        try waits(for: number, "w", isIconic: true)
        try desk.fixture.model.makeKeyAndVisible(try #require(desk.display.window("w")).id)
        try desk.fixture.wait(for: "the keyboard") {
            try desk.display.window("w")?.isKey == true
                && desk.display.run("xdotool", ["getwindowfocus"]) == "\(number)\n"
        }
        #expect(other.size.0 >= 0 && terminal.isRunning && desk.fixture.model.checkInvariants() == [])
    }

    @Test("a program that begins as an icon is listed, and shown when it is activated")
    func begins() throws {
        let bar = try TestForeignToplevels(wlr: desk.fixture.connect("task bar"))
        let terminal = try desk.display.xterm("w", "exec cat", ["-iconic"])
        try desk.fixture.wait(for: "the task bar") { bar.all.last?.title == "w" && bar.all.last?.states == [1] }
        let number = try desk.number("w")
        try waits(for: number, "w", isIconic: true)
        try desk.display.run("xdotool", ["windowactivate", number])
        try waits(for: number, "w", isIconic: false)
        _ = try desk.display.shows("w")
        #expect(terminal.isRunning)
    }

    @Test("a window that is withdrawn while it is minimized is no icon any more")
    func withdrawn() throws {
        let program = try start("Qt 5", "hide")
        _ = try desk.display.shows("w")
        try desk.display.run("xdotool", ["windowminimize", desk.number("w")])
        try desk.fixture.wait(for: "its window to go") { desk.display.window("w") == nil }
        #expect(program.isRunning)
    }

    /// Starts a program of a toolkit, on Debian's Python.
    private func start(_ toolkit: String, _ action: String) throws -> Program {
        var environment = ToolkitProgram.environment.merging(desk.display.environment) { $1 }
        environment["GDK_BACKEND"] = "x11"
        environment["QT_QPA_PLATFORM"] = "xcb"
        return try desk.fixture.spawn(
            "/usr/bin/python3", [ToolkitProgram.folder + "icon_program.py", toolkit, action], environment: environment)
    }

    @Test("GTK and Qt show their minimized windows again", arguments: ["GTK 3", "GTK 4", "Qt 5", "Qt 6"])
    func restores(toolkit: String) throws {
        let program = try start(toolkit, "restore")
        _ = try desk.display.shows("w")
        let number = try desk.number("w")
        for round in 1...3 {
            try desk.display.run("xdotool", ["windowminimize", number])
            try desk.fixture.wait(for: "it to notice; it said \(program.readOutput())") {
                program.completeLines.count { $0 == "minimized" } == round
            }
            try waits(for: number, "w", isIconic: false)
        }
        #expect(program.isRunning)
    }
}
