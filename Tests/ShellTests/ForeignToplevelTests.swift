// Task bars: the windows of all programs, and what can be done to them.

import Displays
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ForeignToplevelTests {
    /// A plain program with the window "main", a program of the extension with the window "own", and a task bar.
    private struct Setup {
        let fixture: ServerFixture
        let client: TestClient
        let main: TestToplevel
        let extended: TestClient
        let own: TestWindow
        let bar: TestForeignToplevels
        var model: WindowModel { fixture.model }

        init(version: UInt32 = 3) throws {
            fixture = try ServerFixture.handingOver(screens: ["800x600,name=A", "640x480,name=B,mirroring=off"])
            client = try fixture.connect("program")
            main = try TestToplevel.map(client, fixture, "main")
            main.toplevel.send(.setAppId(appId: "org.example.main"))
            extended = try fixture.connect("extended")
            extended.application.send(.setName(name: "Extended"))
            own = extended.window("own").color(0xffff_0000).frame(0, 0, 50, 50)
            own.makeKeyAndVisible()
            _ = extended.window("hidden")
            bar = try TestForeignToplevels(wlr: fixture.connect("bar"), version: version)
            try bar.bindOutputs()
            try fixture.pump()
        }

        func window(_ title: String) throws -> Window {
            try #require(model.windows.compactMap { model.window($0) }.first { $0.title == title })
        }

        func send(_ request: ZwlrForeignToplevelHandleV1.Request, to title: String) throws {
            try bar.toplevel(title).wlr?.send(request)
            try fixture.pump()
        }
    }

    @Test("plain windows with content and shown windows of the extension are listed with all properties")
    func lists() throws {
        let setup = try Setup()
        #expect(setup.bar.titles == ["main", "own"])
        let (main, own) = (try setup.bar.toplevel("main"), try setup.bar.toplevel("own"))
        #expect(main.applicationID == "org.example.main" && own.applicationID == "Extended")
        #expect(main.outputs == ["A"] && main.states == [] && own.states == [2])
        #expect(main.dones >= 1 && main.parent == nil)
        // Complete when the round trip ends that follows the binding.
        let late = try TestForeignToplevels(wlr: setup.bar.client)
        setup.bar.client.connection.display.send(
            .sync(callback: Proxy<WlCallback>(setup.bar.client.connection, version: 1).id))
        try setup.fixture.pump()
        #expect(late.titles == ["main", "own"] && late.all.allSatisfy { $0.dones == 1 })
    }

    @Test("W4: windows of system applications are not listed")
    func system() throws {
        let fixture = try ServerFixture()
        var rule = PeerRule(rights: .all)
        rule.isSystemApplication = true
        fixture.server.peerPolicy = PeerPolicy(rules: [rule])
        let client = try fixture.connect("status bar")
        client.window("status").color(0xffff_0000).show()
        let bar = try TestForeignToplevels(wlr: client)
        try fixture.pump()
        #expect(bar.titles == [])
    }

    @Test("changes arrive together, once a turn; windows that end, or are hidden by their program, are closed")
    func changes() throws {
        let setup = try Setup()
        let (main, own) = (try setup.bar.toplevel("main"), try setup.bar.toplevel("own"))
        let dones = main.dones
        setup.main.toplevel.send(.setTitle(title: "first"))
        setup.main.toplevel.send(.setTitle(title: "renamed"))
        setup.main.toplevel.send(.setAppId(appId: "other"))
        try setup.fixture.pump()
        #expect(main.title == "renamed" && main.applicationID == "other" && main.dones == dones + 1)
        setup.extended.application.send(.setName(name: "New"))
        try setup.fixture.pump()
        #expect(own.applicationID == "New")
        try setup.model.makeKey(try setup.window("renamed").id)
        try setup.fixture.pump()
        #expect(main.states == [2] && own.states == [])
        setup.own.hide()
        setup.main.surface.send(.attach(buffer: nil, x: 0, y: 0))
        setup.main.surface.send(.commit)
        try setup.fixture.pump()
        #expect(main.isClosed && own.isClosed && setup.bar.titles == [])
        setup.own.show()
        setup.main.surface.send(.commit)
        try setup.fixture.pump()
        try setup.client.attach(0xff00_ff00, width: 40, height: 30, to: setup.main.surface)
        setup.main.surface.send(.commit)
        try setup.fixture.pump()
        #expect(setup.bar.titles.sorted() == ["own", "renamed"] && setup.bar.all.count == 4)
        // Requests of the closed handles have no effect.
        main.wlr?.send(.close)
        main.wlr?.send(.setMaximized)
        main.wlr?.send(.destroy)
        setup.own.destroy()
        try setup.client.kill()
        #expect(setup.bar.titles == [] && setup.bar.client.isOpen)
    }

    @Test("hidden and shown between two turns, a window is the same one (C4)")
    func unseen() throws {
        let setup = try Setup()
        setup.own.window.send(.setHidden(hidden: 1))
        setup.own.window.send(.setHidden(hidden: 0))
        setup.own.commit()
        try setup.fixture.pump()
        #expect(setup.bar.titles == ["main", "own"] && setup.bar.all.count == 2)
    }

    @Test("K7: activating makes a window key, in front and visible")
    func activates() throws {
        let setup = try Setup()
        let seat = try setup.bar.client.seat()
        try setup.send(.setMinimized, to: "main")
        let main = try setup.window("main")
        #expect(main.isHidden && !main.isVisible)
        #expect(try setup.bar.toplevel("main").states == [1])
        try setup.send(.activate(seat: seat.id), to: "main")
        #expect(try setup.window("main").isKey && setup.window("main").isVisible)
        #expect(try setup.bar.toplevel("main").states == [2] && setup.bar.toplevel("own").states == [])
        #expect(setup.model.windows(on: setup.fixture.mainScreen).last == main.id)
        try setup.send(.setMinimized, to: "main")
        try setup.send(.unsetMinimized, to: "main")
        #expect(try setup.window("main").isVisible)
        try setup.send(.activate(seat: seat.id), to: "own")
        #expect(try setup.window("own").isKey)
    }

    @Test("a plain window is maximized, fills a screen and is restored; windows of the extension keep their frame")
    func fills() throws {
        let setup = try Setup()
        let frame = try setup.window("main").frame
        try setup.send(.setMaximized, to: "main")
        #expect(try setup.bar.toplevel("main").states.contains(0))
        try setup.send(.unsetMaximized, to: "main")
        #expect(try setup.window("main").frame.origin == frame.origin)
        let output = try #require(setup.bar.output("B"))
        try setup.send(.setFullscreen(output: output.id), to: "main")
        let main = try setup.bar.toplevel("main")
        #expect(main.states.contains(3) && main.outputs == ["B"])
        #expect(try setup.window("main").screen == setup.model.screens[1])
        try setup.send(.unsetFullscreen, to: "main")
        #expect(main.states.contains(3) == false && main.outputs == ["A"])
        try setup.send(.setFullscreen(output: nil), to: "main")
        #expect(main.states.contains(3) && main.outputs == ["A"])
        for request: ZwlrForeignToplevelHandleV1.Request in [
            .setMaximized, .setMinimized, .setFullscreen(output: output.id),
        ] { try setup.send(request, to: "own") }
        #expect(try setup.window("own").frame == Rect(x: 0, y: 0, width: 50, height: 50))
        #expect(try setup.window("own").isVisible && setup.bar.toplevel("own").outputs == ["A"])
    }

    @Test("the policy's limits of a program hold for task bars too")
    func policy() throws {
        let fixture = try ServerFixture()
        var rule = PeerRule(rights: .all)
        rule.xdg = [.windows, .key]
        fixture.server.peerPolicy = PeerPolicy(rules: [rule])
        let client = try fixture.connect("program")
        _ = try TestToplevel.map(client, fixture, "main")
        let bar = try TestForeignToplevels(wlr: client)
        try fixture.pump()
        try bar.toplevel("main").wlr?.send(.setMaximized)
        try bar.toplevel("main").wlr?.send(.setFullscreen(output: nil))
        try fixture.pump()
        #expect(!(try bar.toplevel("main")).states.contains { $0 == 0 || $0 == 3 })
    }

    @Test("close asks the program")
    func closes() throws {
        let setup = try Setup()
        try setup.send(.close, to: "main")
        try setup.send(.close, to: "own")
        #expect(setup.client.takeEvents() == ["main.close"] && setup.extended.takeEvents().contains("own.close"))
        #expect(setup.bar.titles == ["main", "own"])
    }

    @Test("S8: windows leave an unplugged screen and enter it again, and an output that is bound later")
    func outputs() throws {
        let setup = try Setup()
        try setup.send(.setFullscreen(output: setup.bar.output("B")?.id), to: "main")
        let late = try TestForeignToplevels(wlr: setup.fixture.connect("late"))
        try setup.fixture.pump()
        #expect(try late.toplevel("main").outputs == [])
        try late.bindOutputs()
        try setup.fixture.pump()
        #expect(try late.toplevel("main").outputs.count == 1)
        let main = try setup.bar.toplevel("main")
        try setup.fixture.server.unplug("B")
        try setup.fixture.pump()
        #expect(main.outputs == [] && !main.isClosed)
        try setup.fixture.server.plug(ScreenSpecification(parsing: "640x480,name=B,mirroring=off"))
        try setup.fixture.pump()
        #expect(main.outputs == [] && !main.isClosed, "not bound yet")
        try setup.bar.bindOutputs()
        try setup.fixture.pump()
        #expect(main.outputs.last == "B" && setup.bar.client.isOpen)
    }

    @Test("W3: a dialog's parent is told, and that it has ended")
    func parents() throws {
        let setup = try Setup()
        let dialog = setup.client.toplevel("dialog")
        dialog.toplevel.send(.setParent(parent: setup.main.toplevel.id))
        dialog.surface.send(.commit)
        try setup.fixture.pump()
        try setup.client.attach(0xff00_00ff, width: 20, height: 20, to: dialog.surface)
        dialog.surface.send(.commit)
        try setup.fixture.pump()
        let listed = try setup.bar.toplevel("dialog")
        #expect(listed.parent === (try setup.bar.toplevel("main")))
        let late = try TestForeignToplevels(wlr: setup.bar.client)
        let old = try TestForeignToplevels(wlr: setup.bar.client, version: 1)
        try setup.fixture.pump()
        #expect(try late.toplevel("dialog").parent === late.toplevel("main"))
        #expect(try old.toplevel("dialog").parent == nil && old.toplevel("dialog").dones == 1)
        setup.main.surface.send(.attach(buffer: nil, x: 0, y: 0))
        setup.main.surface.send(.commit)
        try setup.fixture.pump()
        #expect(listed.parent == nil && !listed.isClosed)
    }

    @Test("after stop no windows are announced, and handles are updated until they are destroyed")
    func stops() throws {
        let setup = try Setup()
        let list = try TestForeignToplevels(ext: setup.bar.client)
        try setup.fixture.pump()
        setup.bar.manager?.send(.stop)
        list.list?.send(.stop)
        list.list?.send(.stop)
        try setup.fixture.pump()
        #expect(setup.bar.isFinished && list.isFinished)
        _ = try TestToplevel.map(setup.client, setup.fixture, "second")
        setup.main.toplevel.send(.setTitle(title: "renamed"))
        try setup.fixture.pump()
        #expect(setup.bar.titles == ["renamed", "own"] && list.titles == ["renamed", "own"])
        #expect(setup.fixture.server.foreignToplevels.watchers.count == 2)
        list.list?.send(.destroy)
        for toplevel in setup.bar.all { toplevel.wlr?.send(.destroy) }
        for toplevel in list.all { toplevel.ext?.send(.destroy) }
        try setup.fixture.pump()
        #expect(setup.fixture.server.foreignToplevels.watchers.isEmpty && setup.bar.client.isOpen)
    }

    @Test("ext: an identifier is the same for all clients while the window is shown, and never used again")
    func identifiers() throws {
        let setup = try Setup()
        let lists = try ["a", "b"].map { try TestForeignToplevels(ext: setup.fixture.connect($0)) }
        try setup.fixture.pump()
        let first = lists[0].all.map(\.identifier)
        #expect(lists[1].all.map(\.identifier) == first && Set(first).count == 2)
        #expect(
            first.allSatisfy { (1...32).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } })
        // A destroyed handle is not announced again until the window is shown anew.
        lists[0].all[1].ext?.send(.destroy)
        setup.own.window.send(.setTitle(title: "other"))
        setup.own.commit()
        try setup.fixture.pump()
        #expect(lists[0].all.count == 2 && lists[1].titles == ["main", "other"])
        setup.own.hide()
        try setup.fixture.pump()
        setup.own.show()
        try setup.fixture.pump()
        #expect(lists[0].all.count == 3 && lists[1].all.count == 3)
        let again = lists[1].all[2].identifier
        #expect(lists[0].all[2].identifier == again && !first.contains(again))
    }

    @Test("a client that does not read is told the final state when it reads again, and nobody waits for it")
    func slow() throws {
        let setup = try Setup()
        let title = String(repeating: "x", count: 3000)
        setup.fixture.detach(setup.bar.client)
        for number in 0..<500 {
            setup.main.toplevel.send(.setTitle(title: "\(number) \(title)"))
            try setup.fixture.pump()
        }
        let limits = setup.fixture.server.limits
        #expect(setup.fixture.server.queuedBytes < limits.outputHighWater + 20_000)
        try setup.fixture.wait(for: "the last title") {
            _ = setup.bar.client.dispatch()
            return setup.bar.all[0].title.hasPrefix("499 ")
        }
        #expect(setup.bar.all[0].dones < 500 && setup.bar.client.isOpen)
    }

    @Test("a negative rectangle, a surface that is none and a seat that is none are errors")
    func errors() throws {
        func error(_ body: (TestForeignToplevel, TestClient) -> Void) throws -> UInt32? {
            let setup = try Setup()
            try body(setup.bar.toplevel("main"), setup.bar.client)
            try setup.fixture.pump()
            #expect(setup.client.isOpen && setup.extended.isOpen)
            return setup.bar.client.protocolError?.code
        }
        let rectangle = { (surface: ObjectID, width: Int32, height: Int32) in
            ZwlrForeignToplevelHandleV1.Request.setRectangle(
                surface: surface, x: .min, y: .max, width: width, height: height)
        }
        #expect(try error { $0.wlr?.send(rectangle($1.surface().id, .max, .max)) } == nil)
        #expect(try error { $0.wlr?.send(rectangle($1.surface().id, 0, 0)) } == nil)
        let negative = try error { $0.wlr?.send(rectangle($1.surface().id, -1, 5)) }
        #expect(negative == ZwlrForeignToplevelHandleV1.Error.invalidRectangle.rawValue)
        let invalid = WlDisplay.Error.invalidObject.rawValue
        #expect(try error { $0.wlr?.send(rectangle($1.compositor.id, 1, 1)) } == invalid)
        #expect(try error { $0.wlr?.send(.activate(seat: $1.compositor.id)) } == invalid)
        #expect(try error { $0.wlr?.send(.setFullscreen(output: $1.compositor.id)) } == invalid)
    }

    @Test("watching needs the right view, acting administer as well")
    func rights() throws {
        let fixture = try ServerFixture()
        func globals(_ rights: Rights) throws -> [String] {
            fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: rights)])
            return try fixture.connect().globals.map(\.interface).filter { $0.contains("foreign_toplevel") }
        }
        let both = [ZwlrForeignToplevelManagerV1.name, ExtForeignToplevelListV1.name]
        #expect(try globals([.view, .administer]) == both)
        #expect(try globals(.view) == [ExtForeignToplevelListV1.name])
        #expect(try globals([.administer, .capture, .inject, .clipboard]) == [])
    }

    @Test("over a restart handles go on, released ones stay so, and identifiers are kept")
    func handOver() throws {
        let setup = try Setup()
        let list = try TestForeignToplevels(ext: setup.bar.client)
        let stopped = try TestForeignToplevels(wlr: setup.bar.client)
        try setup.fixture.pump()
        stopped.manager?.send(.stop)
        list.all[1].ext?.send(.destroy)
        try setup.fixture.pump()
        let dones = setup.bar.all.map(\.dones)
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(setup.bar.all.map(\.dones) == dones && setup.bar.all.count == 2 && list.all.count == 2)
        setup.main.toplevel.send(.setTitle(title: "renamed"))
        _ = try TestToplevel.map(setup.client, setup.fixture, "second")
        try setup.fixture.pump()
        #expect(setup.bar.titles == ["renamed", "own", "second"])
        #expect(list.all.count == 3 && list.all[0].title == "renamed")
        #expect(stopped.titles == ["renamed", "own"])
        let other = try TestForeignToplevels(ext: setup.extended)
        try setup.send(.setMaximized, to: "renamed")
        #expect(other.all.map(\.identifier).prefix(2) == list.all.map(\.identifier).prefix(2))
        #expect(try setup.bar.toplevel("renamed").states.contains(0))
        setup.own.destroy()
        try setup.fixture.pump()
        #expect(stopped.titles == ["renamed"] && setup.bar.titles == ["renamed", "second"])
    }
}
