// GTK's drag and drop between X11 and Wayland programs.

import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite(.enabled(if: X11Display.isPossible)) struct X11DragProgramTests {
    /// A version of GTK on X11 or Wayland.
    struct Kind: Sendable, CustomTestStringConvertible {
        let version: Int
        let isX11: Bool

        static let x3 = Kind(version: 3, isX11: true)
        static let x4 = Kind(version: 4, isX11: true)
        static let wayland3 = Kind(version: 3, isX11: false)
        static let wayland4 = Kind(version: 4, isX11: false)

        var testDescription: String { "GTK \(version) on \(isX11 ? "X11" : "Wayland")" }
    }

    private let fixture: ServerFixture
    private let control: ControlSession
    private let display: X11Display

    init() throws {
        fixture = try ServerFixture.handingOver(screens: ["1000x700,name=A"])
        control = try ControlSession(fixture)
        display = try X11Display(fixture)
    }

    private func start(_ kind: Kind, _ title: String, _ actions: String, x: Double) throws -> ToolkitProgram {
        var environment = kind.isX11 ? display.environment : [:]
        environment["GDK_BACKEND"] = kind.isX11 ? "x11" : "wayland"
        let script = ToolkitProgram.folder + "drag_program.py"
        let program = try ToolkitProgram(
            title, ["/usr/bin/python3", script, "\(kind.version)", title, actions], environment: environment, fixture,
            control, isReady: { $0.place("target") != nil }, isWindow: { $0.title == title })
        let frame = try program.window.frame
        try fixture.model.setFrame(Rect(origin: Point(x: x, y: 50), size: frame.size), of: program.window.id)
        #expect(try fixture.settle() == [])
        return program
    }

    private func drag(_ from: ToolkitProgram, _ to: ToolkitProgram) throws {
        let (start, end) = (try from.point("source", dy: 60), try to.point("target", dx: 90, dy: 60))
        try control.inject(
            """
            {"type": "drag", "by": "pointer", "from": {"x": \(start.x), "y": \(start.y)}, \
            "to": {"x": \(end.x), "y": \(end.y)}, "steps": 20}
            """)
    }

    /// Drags until it is dropped: on a busy machine a program in X11 may answer too late, as with a hasty person.
    /// - Returns: what was dropped.
    private func drop(_ from: ToolkitProgram, on to: ToolkitProgram) throws -> String {
        for _ in 0..<5 {
            try drag(from, to)
            try from.waits(for: "drag ends")
            if let line = to.lines.last(where: { $0.hasPrefix("dropped ") }) { return String(line) }
        }
        return "nothing: \(from.lines) \(to.lines)"
    }

    @Test(
        "text is copied by a drag from each kind of program to each other one",
        arguments: [
            (Kind.x3, Kind.x3), (.x4, .x3), (.x3, .wayland3), (.x3, .wayland4), (.x4, .wayland3), (.wayland3, .x3),
            (.wayland4, .x3), (.wayland3, .x4), (.wayland4, .x4),
        ])
    func copies(from: Kind, to: Kind) throws {
        let (one, two) = try (start(from, "one", "copy", x: 50), start(to, "two", "copy", x: 500))
        #expect(try drop(one, on: two) == "dropped copy dragged ü")
        #expect(!one.lines.contains("drag deletes"))
        // And once more: nothing is left of the first time.
        try drag(one, two)
        try one.waits(for: "drag ends")
        // GTK 4.8 complains about the second drop, among Wayland programs and among X11 programs, too.
        if from.version == 3 { #expect(one.complaints == []) }
        if to.version == 3 { #expect(two.complaints == []) }
        #expect(display.program.isRunning && fixture.model.checkInvariants() == [])
    }

    // Between two Wayland programs GTK 3 does not delete what it moves, either.
    @Test("what is moved is deleted by its source", arguments: [(Kind.x3, Kind.wayland4), (.wayland4, .x3)])
    func moves(from: Kind, to: Kind) throws {
        let (one, two) = try (start(from, "one", "copy,move", x: 50), start(to, "two", "move", x: 500))
        #expect(try drop(one, on: two) == "dropped move dragged ü")
        try fixture.wait(for: "the source to delete it") { one.lines.contains("drag deletes") }
        #expect(one.complaints + two.complaints == [])
    }

    @Test("long content comes in pieces", arguments: [(Kind.x3, Kind.wayland4), (.wayland4, .x3)])
    func large(from: Kind, to: Kind) throws {
        let (one, two) = try (start(from, "one", "copy,large", x: 50), start(to, "two", "copy", x: 500))
        #expect(try drop(one, on: two) == "dropped copy 1081344 1e5261382fa54ce6")
    }

    @Test("without a common action nothing is dropped", arguments: [(Kind.x3, Kind.wayland3), (.wayland3, .x3)])
    func refuses(from: Kind, to: Kind) throws {
        let (one, two) = try (start(from, "one", "copy", x: 50), start(to, "two", "move", x: 500))
        try drag(one, two)
        try one.waits(for: "drag failed")
        try one.waits(for: "drag ends")
        #expect(two.lines.filter { $0.hasPrefix("dropped") } == [])
    }

    /// Begins a drag, and moves over the target until that knows.
    private func hover(_ from: ToolkitProgram, _ to: ToolkitProgram) throws {
        let (start, end) = (try from.point("source", dy: 60), try to.point("target", dx: 90, dy: 60))
        try self.move(start)
        try button(true)
        var shift = 0.0
        func move(to point: Point, until line: String, in program: ToolkitProgram) throws {
            let before = program.lines.count
            try fixture.wait(for: line) {
                shift = (shift + 3).truncatingRemainder(dividingBy: 20)
                try self.move(Point(x: point.x + shift, y: point.y))
                return program.lines.dropFirst(before).contains { $0.hasPrefix(line) }
            }
        }
        try move(to: start, until: "drag begins", in: from)
        try move(to: end, until: "drop enters", in: to)
    }

    private func move(_ point: Point) throws {
        try fixture.model.pointerMoved(to: point, on: fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    private func button(_ pressed: Bool) throws {
        try fixture.model.pointerButton(code: 0x110, pressed: pressed, time: fixture.loop.now)
        try fixture.pump()
    }

    @Test("Escape cancels a drag of an X11 program over a Wayland one")
    func escape() throws {
        let (one, two) = try (start(.x3, "one", "copy", x: 50), start(.wayland3, "two", "copy", x: 500))
        try fixture.model.makeKey(one.window.id)
        #expect(try fixture.settle() == [])
        try hover(one, two)
        try control.key("Escape")
        try one.waits(for: "drag ends")
        try two.waits(for: "drop leaves")
        try button(false)
        #expect(two.lines.filter { $0.hasPrefix("dropped") } == [])
        #expect(try drop(one, on: two) == "dropped copy dragged ü")
    }

    @Test(
        "a program that dies during a drag, or its X server, is a leave for the other one",
        arguments: [(Kind.x3, Kind.wayland3), (.wayland3, .x3)])
    func deaths(from: Kind, to: Kind) throws {
        let (one, two) = try (start(from, "one", "copy", x: 50), start(to, "two", "copy", x: 500))
        try hover(one, two)
        one.program.kill(SIGKILL)
        try two.waits(for: "drop leaves")
        try button(false)
        let third = try start(from, "three", "copy", x: 50)
        #expect(try drop(third, on: two) == "dropped copy dragged ü")
        try hover(third, two)
        kill(try #require(display.xwayland), SIGKILL)
        if to.isX11 {
            try button(false)
            try third.waits(for: "drag ends")
        } else {
            try two.waits(for: "drop leaves")
            try button(false)
        }
        #expect(display.program.isRunning && fixture.model.checkInvariants() == [])
    }
    @Test(
        "a restart of the server is the end of a drag for both programs, and the next one works",
        arguments: [(Kind.x3, Kind.wayland3), (.wayland3, .x3)])
    func restarts(from: Kind, to: Kind) throws {
        let (one, two) = try (start(from, "one", "copy", x: 50), start(to, "two", "copy", x: 500))
        try hover(one, two)
        try fixture.handOver()
        try two.waits(for: "drop leaves")
        try one.waits(for: "drag ends")
        // The control API is still the other server's.
        try fixture.wait(for: "a drop") {
            try hover(one, two)
            #expect(try fixture.settle() == [])
            try button(false)
            try one.waits(for: "drag ends")
            return two.lines.contains("dropped copy dragged ü")
        }
        #expect(display.program.isRunning && fixture.model.checkInvariants() == [])
    }
}
