// xdg_toplevel.set_parent: dialogs and other windows that belong to another.

import Displays
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DialogTests {
    /// A program with a main window of 200 × 100 points.
    private struct Program {
        let fixture: ServerFixture
        let client: TestClient
        let main: TestToplevel
        var model: WindowModel { fixture.model }

        init(_ fixture: ServerFixture) throws {
            self.fixture = fixture
            client = try fixture.connect("program")
            main = try TestToplevel.map(client, fixture, "main")
        }

        /// A window with a parent that is set before it is mapped.
        func dialog(
            _ name: String, of parent: TestToplevel? = nil, width: Int32 = 60, height: Int32 = 41
        ) throws -> TestToplevel {
            let dialog = client.toplevel(name)
            dialog.toplevel.send(.setParent(parent: (parent ?? main).toplevel.id))
            try map(dialog, width: width, height: height)
            return dialog
        }

        func map(_ toplevel: TestToplevel, width: Int32 = 60, height: Int32 = 41) throws {
            toplevel.surface.send(.commit)
            try fixture.pump()
            try client.attach(0xff00_00ff, width: width, height: height, to: toplevel.surface)
            toplevel.surface.send(.commit)
            try fixture.pump()
        }

        func window(_ toplevel: TestToplevel) throws -> Window {
            try #require(model.windows.compactMap { model.window($0) }.first { $0.title == toplevel.name })
        }

        func frame(_ toplevel: TestToplevel) throws -> Rect { try window(toplevel).frame }

        /// The titles of a screen's windows, back to front.
        func titles(on screen: Screen.ID? = nil) -> [String] {
            model.windows(on: screen ?? fixture.mainScreen).compactMap { model.window($0)?.title }
        }

        func unmap(_ toplevel: TestToplevel) throws {
            toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
            toplevel.surface.send(.commit)
            try fixture.pump()
        }
    }

    @Test("W3: a dialog opens centred over its parent, takes key, and a click in the parent does not hide it")
    func opens() throws {
        let program = try Program(try ServerFixture())
        try program.model.setFrame(Rect(x: 300, y: 200, width: 200, height: 100), of: program.window(program.main).id)
        let dialog = try program.dialog("dialog")
        #expect(try program.frame(dialog) == Rect(x: 370, y: 229, width: 60, height: 41))
        #expect(try program.window(dialog).isKey && dialog.has(.activated))
        let other = try TestToplevel.map(program.fixture.connect("other"), program.fixture, "other")
        try program.model.bringToFront(program.window(other).id)
        #expect(program.titles() == ["main", "dialog", "other"])
        try program.fixture.tap(x: 310, y: 210)
        #expect(program.titles() == ["other", "main", "dialog"])
        #expect(try program.window(program.main).isKey)
        #expect(try program.fixture.color(x: 371, y: 230) == 0x0000ff)
    }

    @Test("a dialog over a parent at the edge, or smaller than it, stays on the screen")
    func edges() throws {
        let program = try Program(try ServerFixture(screens: ["400x300"]))
        try program.model.setFrame(Rect(x: 350, y: 250, width: 200, height: 100), of: program.window(program.main).id)
        #expect(try program.frame(program.dialog("corner")) == Rect(x: 340, y: 259, width: 60, height: 41))
        let wide = try program.frame(program.dialog("wide", width: 500, height: 20))
        #expect(wide == Rect(x: 0, y: 280, width: 500, height: 20))
        let next = program.client.toplevel("next")
        try program.map(next)
        #expect(try program.frame(next).origin == Point(x: 64, y: 64), "dialogs do not count as cascaded windows")
    }

    @Test("W3: a dialog opens on its parent's screen, moves with it, and waits with it when the screen is unplugged")
    func screens() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external,name=B"])
        let program = try Program(fixture)
        let second = fixture.model.screens[1]
        try program.model.move(program.window(program.main).id, to: second)
        try fixture.pump()
        let dialog = try program.dialog("dialog")
        #expect(program.titles(on: second) == ["main", "dialog"] && program.titles() == [])
        let (over, frame) = (try program.frame(program.main).center, try program.frame(dialog))
        #expect(frame == Rect(x: over.x - 30, y: (over.y - 20.5).rounded(.down), width: 60, height: 41))
        try program.model.move(program.window(program.main).id, to: fixture.mainScreen)
        try fixture.pump()
        #expect(program.titles() == ["main", "dialog"])
        try program.model.move(program.window(program.main).id, to: second)
        try fixture.server.disconnect(second)
        try fixture.pump()
        #expect(program.titles() == [])
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=B"))
        try fixture.pump()
        #expect(program.titles(on: fixture.model.screens[1]) == ["main", "dialog"])
        #expect(program.client.isOpen)
    }

    @Test("W3: a parent can be set, changed and unset while both windows are shown, without moving the child")
    func late() throws {
        let program = try Program(try ServerFixture())
        let (a, b) = (client(program, "a"), client(program, "b"))
        for toplevel in [a, b] { try program.map(toplevel) }
        let frame = try program.frame(program.main)
        program.main.toplevel.send(.setParent(parent: b.toplevel.id))
        try program.fixture.pump()
        #expect(program.titles() == ["a", "b", "main"])
        #expect(try program.frame(program.main) == frame)
        program.main.toplevel.send(.setParent(parent: a.toplevel.id))
        try program.fixture.pump()
        try program.model.bringToFront(program.window(a).id)
        #expect(program.titles() == ["b", "a", "main"])
        program.main.toplevel.send(.setParent(parent: nil))
        try program.fixture.pump()
        try program.model.bringToFront(program.window(a).id)
        #expect(program.titles() == ["b", "main", "a"])
    }

    @Test("W3: a program in the background cannot raise its windows over others by giving them a parent")
    func background() throws {
        let program = try Program(try ServerFixture())
        let (back, front) = (client(program, "back"), client(program, "front"))
        for toplevel in [back, front] { try program.map(toplevel) }
        let other = try TestToplevel.map(program.fixture.connect("other"), program.fixture, "other")
        try program.model.bringToFront(program.window(other).id)
        for parent in [back, front] {
            program.main.toplevel.send(.setParent(parent: parent.toplevel.id))
            try program.fixture.pump()
        }
        #expect(program.titles() == ["back", "front", "main", "other"])
        #expect(try !program.window(program.main).isKey)
    }

    private func client(_ program: Program, _ name: String) -> TestToplevel { program.client.toplevel(name) }

    @Test("xdg-shell: a parent that is not mapped is as good as none")
    func unmappedParent() throws {
        let program = try Program(try ServerFixture())
        let dialog = try program.dialog("dialog")
        let early = program.client.toplevel("early")
        dialog.toplevel.send(.setParent(parent: early.toplevel.id))
        try program.fixture.pump()
        #expect(try program.window(dialog).parent == nil)
        try program.map(early)
        #expect(try program.window(dialog).parent == nil)
        #expect(program.titles() == ["main", "dialog", "early"])
    }

    @Test("xdg-shell: when a parent is unmapped, its children become its own parent's, and do not return")
    func unmapping() throws {
        let program = try Program(try ServerFixture())
        let dialog = try program.dialog("dialog")
        let question = try program.dialog("question", of: dialog)
        let main = try program.window(program.main).id
        try program.unmap(dialog)
        #expect(try program.window(question).parent == main)
        #expect(try program.window(dialog).parent == nil, "an unmapped toplevel is as it was when it was created")
        try program.map(dialog)
        #expect(try program.window(question).parent == main && program.window(dialog).parent == nil)
        dialog.toplevel.send(.setParent(parent: program.main.toplevel.id))
        question.toplevel.send(.setParent(parent: dialog.toplevel.id))
        try program.fixture.pump()
        #expect(program.titles() == ["main", "dialog", "question"])
        dialog.toplevel.send(.destroy)
        try program.fixture.pump()
        #expect(try program.window(question).parent == main)
        try program.unmap(program.main)
        #expect(try program.window(question).parent == nil && program.titles() == ["question"])
    }

    @Test("xdg-shell: a toplevel as its own parent, or as its descendant's child, is invalid_parent", arguments: 0...2)
    func circles(generations: Int) throws {
        let program = try Program(try ServerFixture())
        var last = program.main
        for index in 0..<generations { last = try program.dialog("dialog \(index)", of: last) }
        program.main.toplevel.send(.setParent(parent: last.toplevel.id))
        try program.fixture.pump()
        #expect(program.client.protocolError?.code == XdgToplevel.Error.invalidParent.rawValue)
        if case .protocolError(let object, _, let message)? = program.client.error {
            #expect(object == program.main.toplevel.id && message.contains("W3"))
        }
        #expect(program.model.checkInvariants() == [])
    }

    @Test("W3: after a restart a dialog is still in front of its parent")
    func handOver() throws {
        let fixture = try ServerFixture.handingOver()
        let program = try Program(fixture)
        let dialog = try program.dialog("dialog")
        let other = try TestToplevel.map(program.client, fixture, "other")
        try fixture.handOver()
        try fixture.pump()
        #expect(try program.window(dialog).parent == program.window(program.main).id)
        #expect(program.titles() == ["main", "dialog", other.name])
        try program.model.bringToFront(program.window(program.main).id)
        #expect(program.titles() == [other.name, "main", "dialog"])
        try program.unmap(program.main)
        #expect(try program.window(dialog).parent == nil && program.client.isOpen)
    }

    @Test("W3: a client whose windows are each other's descendants is destroyed like any other")
    func disconnects() throws {
        let program = try Program(try ServerFixture())
        var last = program.main
        for index in 0..<20 { last = try program.dialog("dialog \(index)", of: last) }
        #expect(program.titles().count == 21)
        try program.client.kill()
        #expect(program.model.windows.isEmpty && program.model.checkInvariants() == [])
    }
}
