// Drags by mullionctl and the control API, and in unmodified programs.

import Compositor
import FoundationEssentials
import Glibc
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DragProgramTests {
    @Test("mullionctl drag performs drag and drop where a program starts it", arguments: ["touch", "pointer"])
    func mullionctl(means: String) throws {
        let setup = try DragFixture()
        let control = try ControlSession(setup.fixture)
        // As programs do: one starts a drag on press, the other accepts on enter.
        setup.from.onPress = { [unowned from = setup.from, left = setup.left] in
            from.startDrag(from.source(), from: left.surface)
        }
        setup.to.onDrag = { [unowned to = setup.to] event in
            if case .enter = event { to.answer("text/plain") }
            if case .drop = event { to.drag?.send(.finish) }
        }
        let screen = try #require(setup.model.screen(setup.fixture.mainScreen)?.name)
        let result = try control.mullionctl("drag", screen, "10,10", "150,50", "by=\(means)", "steps=4")
        #expect(result.status == 0, "\(result.output)")
        try setup.fixture.pump()
        #expect(setup.to.events.contains("drop"))
        #expect(setup.from.events.last == "source finished")
        #expect(!setup.isHurt)
    }

    @Test("events requested during a drag come after it; a drag without a target takes no time")
    func order() throws {
        let setup = try DragFixture()
        let control = try ControlSession(setup.fixture)
        let drag = #"{"type": "drag", "by": "pointer", "from": {"x": 10, "y": 10}, "to": {"x": 60, "y": 60}}"#
        let click = #"{"type": "click", "x": 150, "y": 50}"#
        let answer = try control.send("POST", "/v1/input", Array("[\(drag), \(click), \(drag)]".utf8))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(
            setup.from.events.filter { $0.hasPrefix("button") } == ["button 1", "button 0", "button 1", "button 0"])
        #expect(setup.to.events.filter { $0.hasPrefix("button") } == ["button 1", "button 0"])
        let nobody = #"{"type": "drag", "from": {"x": 500, "y": 500}, "to": {"x": 510, "y": 510}, "steps": 9000}"#
        let missed = try control.send("POST", "/v1/input", Array(nobody.utf8))
        #expect(missed.status == 200 && missed.text.contains("noWindow"))
        let unbegun = #"{"type": "touch", "phase": "ended"}"#
        let wrong = try control.send("POST", "/v1/input", Array("[\(click), \(unbegun)]".utf8))
        #expect(wrong.status == 409 && wrong.text.contains("\"index\":1"), "\(wrong.text)")
    }

    @Test("weston-dnd: an item can be dragged from one program to another", arguments: ["touch", "pointer"])
    func westonDnd(means: String) throws {
        let fixture = try ServerFixture(screens: ["900x600"])
        let control = try ControlSession(fixture)
        let screen = try #require(fixture.model.screen(fixture.mainScreen)?.name)
        let programs = try (0..<2).map { _ in try fixture.spawn("weston-dnd") }
        func windows() -> [Window] {
            fixture.model.windows.compactMap { fixture.model.window($0) }.filter(\.isVisible)
        }
        try fixture.wait(for: "two windows") { windows().count == 2 }
        #expect(try fixture.settle() == [])
        let (one, two) = (windows()[0], windows()[1])
        try fixture.model.setFrame(
            Rect(origin: Point(x: 0, y: 0), size: one.frame.size), of: one.id)
        try fixture.model.setFrame(
            Rect(origin: Point(x: 450, y: 0), size: two.frame.size), of: two.id)
        #expect(try fixture.settle() == [])
        // That of Debian 13 changes its cursor in drags by touch too, and ends when it has none yet.
        #expect(try control.mullionctl("hover", screen, "300,60").status == 0)
        #expect(try fixture.settle() == [])
        let before = try fixture.screenshot()
        /// The number of pixels that have changed in a range of columns.
        func changed(_ x: Range<Int>) throws -> Int {
            let now = try fixture.screenshot()
            return (0..<600).reduce(0) { sum, y in sum + x.count { now[$0, y] != before[$0, y] } }
        }
        let result = try control.mullionctl("drag", screen, "54,155", "505,235", "by=\(means)")
        #expect(result.status == 0, "\(result.output)")
        try fixture.wait(for: "the item in the other program") { try changed(450..<900) > 500 }
        #expect(programs[0].isRunning && programs[1].isRunning)
    }

    @Test("foot: a double click selects a word, a middle click pastes it")
    func foot() throws {
        let fixture = try ServerFixture()
        let folder = try fixture.runtimeDirectory()
        let file = "\(folder)/pasted"
        defer { unlink(file) }
        let program = try fixture.spawn(
            "foot",
            [
                "--config=/dev/null", "--override=cursor.blink=no", "--override=pad=0x0", "sh", "-c",
                "printf 'mullion '; read x; printf %s \"$x\" > \(file); read y",
            ], environment: ["LC_ALL": "C.UTF-8"])
        try fixture.wait(for: "a window") { fixture.model.windows.contains { fixture.model.isVisible($0) } }
        let window = try #require(fixture.model.windows.first.flatMap { fixture.model.window($0) })
        func picture(of what: String, _ condition: (Bitmap) -> Bool) throws {
            try fixture.wait(for: what) { condition(try fixture.screenshot()) }
            #expect(try fixture.settle() == [])
        }
        func click(_ button: UInt32) throws {
            let (model, now) = (fixture.model, fixture.loop.now)
            let point = Point(x: window.frame.minX + 30, y: window.frame.minY + 6)
            try model.pointerMoved(to: point, on: fixture.mainScreen, time: now)
            try model.pointerButton(code: button, pressed: true, time: now)
            try model.pointerButton(code: button, pressed: false, time: now)
            try fixture.pump()
        }
        try picture(of: "the word") { Set($0.pixels).count > 4 }
        let plain = try fixture.screenshot()
        try click(0x110)
        try click(0x110)
        try picture(of: "the selection") { $0 != plain }
        let selected = try fixture.screenshot()
        try click(0x112)
        try picture(of: "the pasted word") { $0 != selected }
        try fixture.press(28)
        try fixture.wait(for: "the word in the file") {
            guard let data = FileManager.default.contents(atPath: file) else { return false }
            return String(decoding: data, as: UTF8.self) == "mullion"
        }
        #expect(program.isRunning)
    }
}
