// Real programs' dialogs.

import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ToolkitDialogTests {
    @Test(
        "W3: a modal dialog opens over its window, on the second screen too, and a click in that does not hide it",
        arguments: ToolkitProgram.Toolkit.allCases, [0, 1])
    func modal(toolkit: ToolkitProgram.Toolkit, screen index: Int) throws {
        let fixture = try ServerFixture(screens: ["1200x800", "1000x700,external,name=B"])
        let control = try ControlSession(fixture)
        let program = try ToolkitProgram(toolkit, fixture, control, at: Point(x: 100, y: 100))
        let (screen, main) = (fixture.model.screens[index], try program.window.id)
        try fixture.model.move(main, to: screen)
        try fixture.model.makeKey(main)
        try fixture.pump()
        #expect(try fixture.settle() == [])
        func dialog() -> Window? {
            fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == "Dialog" }
        }
        try control.key("F7")
        try fixture.wait(for: "the dialog") { dialog()?.isVisible == true && dialog()?.isKey == true }
        let (frame, over) = (try #require(dialog()).frame, try program.window.frame)
        #expect(dialog()?.parent == main && dialog()?.screen == screen)
        let answer = try control.send("GET", "/v1/windows/\(#require(dialog()).id)").text
        #expect(answer.contains("\"parent\":\(main)"), "\(answer)")
        #expect(abs(frame.center.x - over.center.x) <= 1 && abs(frame.center.y - over.center.y) <= 1)
        let at = Point(x: over.minX + 5, y: over.minY + 5)
        try #require(!frame.contains(at))
        try control.inject(
            #"{"type": "click", "screen": \#(screen.rawValue), "x": \#(at.x), "y": \#(at.y)}"#)
        // The toolkit may make its dialog key again meanwhile.
        #expect(try fixture.model.windows(on: screen) == [main, #require(dialog()).id])
        try fixture.model.makeKey(#require(dialog()).id)
        try fixture.pump()
        try control.key("Escape")
        try program.waits(for: "dialog closed")
        try fixture.wait(for: "its end") { dialog()?.isVisible != true }
        try fixture.wait(for: "its parent to be key") { try program.window.isKey }
        #expect(program.complaints == [])
    }
}
