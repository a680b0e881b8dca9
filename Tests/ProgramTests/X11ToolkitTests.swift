// GTK, Qt and Swing as X11 programs.

import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite(.enabled(if: X11Display.isPossible)) struct X11ToolkitTests {
    private let fixture: ServerFixture
    private let control: ControlSession
    private let display: X11Display

    init() throws {
        fixture = try ServerFixture(screens: ["1200x800,name=A", "1000x700,external,name=B"])
        control = try ControlSession(fixture)
        display = try X11Display(fixture)
    }

    private func start(_ toolkit: ToolkitProgram.Toolkit, x: Double = 100, y: Double = 80) throws -> ToolkitProgram {
        let program = try ToolkitProgram(toolkit, fixture, control, at: Point(x: x, y: y), on: display)
        #expect(try fixture.settle() == [])
        return program
    }

    private func window(_ title: String) -> Window? { display.window(title) }

    @Test("clicks, scrolls, keys and shortcuts arrive where they were made", arguments: ToolkitProgram.Toolkit.onX11)
    func input(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try start(toolkit)
        try program.click("button")
        try program.waits(for: "clicked button")
        try program.click("area", dx: 30, dy: 40)
        try program.waits(for: "clicked 1 30 40")
        try program.click("area", dx: 31, dy: 41, button: "right")
        try program.waits(for: "clicked 3 31 41")
        let point = try program.point("area", dx: 50, dy: 60)
        let scroll = #"{"type": "scroll", "x": \#(point.x), "y": \#(point.y), "deltaY": 15, "stepsY": 120}"#
        // GTK 3's program divides by the points of a step on Wayland.
        let scrolled = toolkit == .gtk3 ? "scrolled 0 0.666667" : "scrolled 0 1"
        // GTK reads XInput's scroll valuators, and knows what has changed from the second step after an enter on. The
        // pointer stays where it is: a motion would be one of another X device, after which GTK starts again.
        for count in 0..<3 {
            try control.inject(scroll)
            if count > 0 || ![.gtk, .gtk3].contains(toolkit) { try program.waits(for: scrolled) }
        }
        try program.edit()
        try control.type("Hello, world")
        try program.waits(for: "text Hello, world")
        try control.key("Home", "Delete", "shift+j")
        try program.waits(for: "text Jello, world")
        #expect(program.complaints == [])
    }

    @Test(
        "a menu is where the program believes its window to be, wherever that is",
        arguments: ToolkitProgram.Toolkit.onX11)
    func menu(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try start(toolkit)
        let main = try program.window.id
        for place in [Point(x: 100, y: 80), Point(x: 500, y: 300)] {
            try fixture.model.setFrame(Rect(origin: place, size: program.window.frame.size), of: main)
            try fixture.pump()
            #expect(try fixture.settle() == [])
            try program.opensMenu()
            var menu: Window?
            try fixture.wait(for: "the menu") {
                menu = fixture.model.windows.compactMap { fixture.model.window($0) }
                    .first { $0.id != main && $0.isVisible }
                return menu != nil
            }
            // GTK 4.18 drops clicks until it has drawn it.
            #expect(try fixture.settle() == [])
            let (frame, button) = (try #require(menu).frame, try #require(program.place("menu")))
            let bottom = try program.window.frame.minY + button.maxY
            // Below the button, give or take a margin of the toolkit's.
            #expect(abs(frame.minY - bottom) <= 12, "\(frame) \(bottom)")
            #expect(try program.window.isKey && menu?.isKey == false)
            try choose(at: frame.center, in: try #require(menu).id, of: program)
            try program.waitsForMenuToClose()
        }
        #expect(program.complaints == [])
    }

    /// Clicks an item of an open menu until it is chosen: on a busy machine, GTK 4.18 loses clicks on what it has not drawn
    /// yet, which nothing tells, and may close the menu.
    private func choose(at point: Point, in menu: Window.ID, of program: ToolkitProgram) throws {
        let click = #"{"type": "click", "x": \#(point.x), "y": \#(point.y)}"#
        for _ in 0..<2 {
            try control.inject(click)
            if (try? program.waits(for: "clicked item", seconds: 20)) != nil { return }
            if fixture.model.window(menu)?.isVisible != true { try program.opensMenu() }
        }
        try control.inject(click)
        try program.waits(for: "clicked item")
    }

    @Test(
        "a dialog opens above its window, in its middle, and gives the keyboard back",
        arguments: ToolkitProgram.Toolkit.onX11)
    func dialog(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try start(toolkit)
        let main = try program.window.id
        try program.edit()
        try control.key("F7")
        try fixture.wait(for: "the dialog") { window("Dialog")?.isVisible == true && window("Dialog")?.isKey == true }
        let (frame, over) = (try #require(window("Dialog")).frame, try program.window.frame)
        #expect(window("Dialog")?.parent == main)
        // Qt chooses the place itself, with a guess of the size of title bars.
        let margin = toolkit == .qt || toolkit == .qt5 ? 40.0 : 2
        #expect(abs(frame.center.x - over.center.x) <= margin && abs(frame.center.y - over.center.y) <= margin)
        #expect(try fixture.settle() == [])
        try control.key("Escape")
        try program.waits(for: "dialog closed")
        try fixture.wait(for: "its parent to be key") { try program.window.isKey }
        #expect(program.complaints == [])
    }

    @Test(
        "text travels between a toolkit on X11 and the other one on Wayland", arguments: ToolkitProgram.Toolkit.onX11
    )
    func clipboard(toolkit: ToolkitProgram.Toolkit) throws {
        let first = try start(toolkit, x: 0, y: 0)
        let second = try ToolkitProgram(toolkit == .gtk ? .qt : .gtk, fixture, control, at: Point(x: 500, y: 0))
        try first.edit()
        try control.type("from X11")
        try first.waits(for: "text from X11")
        try first.copies { try control.key("ctrl+a", "ctrl+c") }
        try second.edit()
        try control.key("ctrl+v")
        try second.waits(for: "text from X11")
        try control.type(" and back")
        try second.waits(for: "text from X11 and back")
        try second.copies { try control.key("ctrl+a", "ctrl+c") }
        try first.edit()
        #expect(try fixture.settle() == [])
        try control.key("ctrl+a", "ctrl+v")
        try first.waits(for: "text from X11 and back")
        #expect(first.complaints + second.complaints == [])
    }

    @Test("a click in a window that is not key makes it key, and arrives", arguments: ToolkitProgram.Toolkit.onX11)
    func firstClick(toolkit: ToolkitProgram.Toolkit) throws {
        let first = try start(toolkit, x: 0, y: 0)
        let second = try start(toolkit == .gtk ? .qt : .gtk, x: 500, y: 0)
        for program in [first, second, first] {
            try program.click("button")
            try program.waits(for: "clicked button")
            #expect(try program.window.isKey)
        }
        #expect(first.complaints + second.complaints == [])
    }

    @Test("closing by the API asks the program, which exits", arguments: ToolkitProgram.Toolkit.onX11)
    func close(toolkit: ToolkitProgram.Toolkit) throws {
        let program = try start(toolkit)
        #expect(try control.mullionctl("window", "\(program.window.id)", "close").status == 0)
        try program.waits(for: "close")
        try fixture.wait(for: "its end") { !program.program.isRunning }
        // Xwayland may notice that after us.
        try fixture.wait(for: "its windows to go") { fixture.model.windows.isEmpty }
        #expect(program.complaints == [])
    }
}
