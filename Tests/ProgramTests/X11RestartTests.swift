// X11 programs when the server restarts, when it ends, and when the X server ends meanwhile.

import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite(.enabled(if: X11Desk.isPossible)) struct X11RestartTests {
    private let desk: X11Desk

    init() throws {
        desk = try X11Desk(.handingOver(screens: ["1000x700,name=A", "640x480,name=B,mirroring=off"]))
    }

    @Test("a restart of the server: X11 programs keep their windows, states, keyboard and selections, and others start")
    func restart() throws {
        let terminals = try ["minimized", "maximized", "w"].map { try desk.terminal($0) }
        let numbers = try ["minimized", "w"].map { try desk.number($0) }
        try desk.display.run("xdotool", ["windowminimize", numbers[0]])
        try desk.display.run("wmctrl", ["-r", "maximized", "-b", "add,maximized_vert,maximized_horz"])
        try desk.fixture.wait(for: "the states") {
            desk.display.window("minimized")?.isVisible == false
                && desk.display.window("maximized")?.frame.size == Size(width: 1000, height: 700)
        }
        try desk.display.run("xdotool", ["windowmove", numbers[1], "1100", "50"])
        try desk.fixture.wait(for: "the move") { desk.screen("w") == "B" }
        try desk.display.run("xdotool", ["windowactivate", numbers[1]])
        let owner = try desk.display.spawn("sh", ["-c", "printf copied | exec xclip -quiet -selection clipboard"])
        let selection = { desk.fixture.server.seat.selections.clipboard }
        try desk.fixture.wait(for: "the selection") { selection().source != nil }
        let server = try #require(desk.display.xwayland)
        for round in 0..<3 {
            let stuck = try desk.fixture.settle()
            #expect(stuck == [])
            let before = desk.fixture.model.windows.map { desk.fixture.model.window($0) }
            let pictures = try desk.fixture.pictures()
            try desk.fixture.handOver()
            try desk.fixture.pump()
            #expect(desk.fixture.model.windows.map { desk.fixture.model.window($0) } == before)
            #expect(try desk.fixture.pictures() == pictures)
            try desk.types("asdf", into: "w")
            #expect(selection().source != nil && owner.isRunning)
            #expect(try desk.display.run("xclip", ["-selection", "clipboard", "-o"]) == "copied")
            // A later program.
            let late = try desk.terminal("late\(round)")
            try desk.types("fd", into: "late\(round)")
            late.kill(SIGTERM)
            try desk.fixture.wait(for: "its end") { desk.display.window("late\(round)") == nil }
            try desk.display.run("xdotool", ["windowactivate", numbers[1]])
            try desk.fixture.wait(for: "the keyboard") { desk.display.window("w")?.isKey == true }
        }
        #expect(desk.display.xwayland == server && terminals.allSatisfy(\.isRunning))
        try desk.display.run("xdotool", ["windowactivate", numbers[0]])
        try desk.types("sa", into: "minimized")
    }

    @Test("the X server ends during a restart of the server: its windows go, and the next program starts another one")
    func endsMeanwhile() throws {
        let terminal = try desk.terminal("first")
        let server = try #require(desk.display.xwayland)
        try desk.fixture.handOver { state in
            kill(server, SIGKILL)
            return state
        }
        try desk.fixture.wait(for: "the program's end") { !terminal.isRunning }
        try desk.fixture.wait(for: "no window") { desk.fixture.model.windows.isEmpty }
        try desk.terminal("second")
        try desk.types("asdf", into: "second")
        #expect(desk.display.program.isRunning && desk.fixture.model.checkInvariants() == [])
    }

    @Test("mullion-x11 ends during a restart of the server: so do its programs, and its display is free again")
    func managerEndsMeanwhile() throws {
        let terminal = try desk.terminal("first")
        try desk.fixture.handOver { state in
            desk.display.program.kill(SIGKILL)
            return state
        }
        try desk.fixture.wait(for: "the program's end") { !terminal.isRunning }
        try desk.fixture.wait(for: "no window") { desk.fixture.model.windows.isEmpty }
        let next = try X11Desk(desk.fixture)
        try next.terminal("second")
        try next.types("asdf", into: "second")
        #expect(desk.fixture.model.checkInvariants() == [])
    }

    @Test("the server's end: mullion-x11 says so and ends with status 1, X11 programs end, and no display is left")
    func serverEnds() throws {
        let terminal = try desk.terminal("first")
        let (program, lock) = (desk.display.program, DisplayLock(desk.display.name.dropFirst()))
        desk.fixture.server.stop()
        try desk.fixture.wait(for: "its end") { !program.isRunning && !terminal.isRunning }
        #expect(program.exitStatus == 1)
        #expect(program.readOutput().contains("mullion-x11: the server closed the connection"))
        #expect(lock.isReleased)
    }
}
