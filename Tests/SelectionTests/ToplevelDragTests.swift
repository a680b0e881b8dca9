// xdg_toplevel_drag_v1: windows that are dragged together with data.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct ToplevelDragTests {
    private let fixture: ServerFixture
    private let device: TestDataDevice
    private let manager: Proxy<XdgToplevelDragManagerV1>
    /// 400 × 300 points at the corner of the first screen.
    private let main: TestToplevel

    init() throws {
        fixture = try ServerFixture.handingOver(screens: ["800x600,name=A", "800x600,name=B"])
        device = try TestDataDevice(try fixture.connect("program"))
        manager = try device.client.bind(XdgToplevelDragManagerV1.self)
        main = try TestToplevel.map(device.client, fixture, "main", width: 400, height: 300)
        try place(main, 0, 0)
    }

    private var client: TestClient { device.client }
    private var model: WindowModel { fixture.model }

    private func window(_ toplevel: TestToplevel) -> Window.ID? {
        model.windows.first { model.window($0)?.title == toplevel.name }
    }

    private func place(_ toplevel: TestToplevel, _ x: Double, _ y: Double) throws {
        let id = try #require(window(toplevel))
        let size = try #require(model.frame(of: id)).size
        try model.setFrame(Rect(origin: Point(x: x, y: y), size: size), of: id)
        try fixture.pump()
    }

    /// The screen and the place of a window.
    private func whereabouts(_ toplevel: TestToplevel) -> String {
        guard let id = window(toplevel), let frame = model.frame(of: id) else { return "gone" }
        let screen = model.screen(of: id).flatMap { model.screen($0)?.name } ?? "nowhere"
        return "\(screen) \(frame.origin.x),\(frame.origin.y)"
    }

    private func move(_ x: Double, _ y: Double, screen: Int = 0) throws {
        try model.pointerMoved(to: Point(x: x, y: y), on: model.screens[screen], time: fixture.loop.now)
        try fixture.pump()
    }

    private func button(_ pressed: Bool) throws {
        try model.pointerButton(code: 0x110, pressed: pressed, time: fixture.loop.now)
        try fixture.pump()
    }

    private func touch(_ phase: Event.Phase, _ x: Double, _ y: Double) throws {
        try model.touch(
            id: 3, phase: phase, at: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    private func drag(_ source: Proxy<WlDataSource>) -> Proxy<XdgToplevelDragV1> {
        let drag = Proxy<XdgToplevelDragV1>(client.connection, version: 1)
        manager.send(.getXdgToplevelDrag(id: drag.id, dataSource: source.id))
        return drag
    }

    /// Presses in the main window and begins a drag that can have a window.
    private func begin() throws -> (source: Proxy<WlDataSource>, drag: Proxy<XdgToplevelDragV1>) {
        try move(50, 20)
        try button(true)
        let source = device.source()
        let drag = drag(source)
        device.startDrag(source, from: main.surface)
        try fixture.pump()
        _ = device.takeEvents()
        return (source, drag)
    }

    /// A window of 100 × 80 points, attached before it is mapped.
    private func tearOff(_ drag: Proxy<XdgToplevelDragV1>, _ name: String = "tab") throws -> TestToplevel {
        let tab = client.toplevel(name)
        drag.send(.attach(toplevel: tab.toplevel.id, xOffset: 30, yOffset: 10))
        tab.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_ff00, width: 100, height: 80, to: tab.surface)
        tab.surface.send(.commit)
        try fixture.pump()
        return tab
    }

    private func sourceEvents() -> [String] { device.takeEvents().filter { $0.hasPrefix("source") } }

    @Test("a window that is torn off follows the pointer, on every screen, and stays where it is dropped")
    func tornOff() throws {
        let (_, drag) = try begin()
        let tab = try tearOff(drag)
        #expect(whereabouts(tab) == "A 20.0,10.0")
        try move(300, 200)
        #expect(whereabouts(tab) == "A 270.0,190.0")
        try move(20, 5, screen: 1)
        #expect(whereabouts(tab) == "B -10.0,-5.0")
        try move(500, 400, screen: 1)
        #expect(whereabouts(tab) == "B 470.0,390.0")
        _ = device.takeEvents()
        try button(false)
        #expect(sourceEvents() == ["source dropped", "source cancelled"], "a window can be dropped anywhere")
        drag.send(.destroy)
        try move(100, 100)
        #expect(whereabouts(tab) == "B 470.0,390.0" && whereabouts(main) == "A 0.0,0.0")
        #expect(client.isOpen && model.checkInvariants() == [])
    }

    @Test(
        "the dragged window is not hit: the data goes to what is under it, by pointer and finger",
        arguments: [true, false])
    func underneath(isTouch: Bool) throws {
        let other = try TestDataDevice(try fixture.connect("other"))
        let target = try TestToplevel.map(other.client, fixture, "target", width: 200, height: 200)
        try place(target, 500, 300)
        let source: Proxy<WlDataSource>
        let drag: Proxy<XdgToplevelDragV1>
        if isTouch {
            try touch(.began, 50, 20)
            source = device.source()
            drag = self.drag(source)
            device.startDrag(source, from: main.surface)
            try fixture.pump()
        } else {
            let begun = try begin()
            (source, drag) = (begun.source, begun.drag)
        }
        let tab = try tearOff(drag)
        _ = other.takeEvents()
        if isTouch { try touch(.moved, 600, 400) } else { try move(600, 400) }
        #expect(whereabouts(tab) == "A 570.0,390.0")
        #expect(other.takeEvents().first == "enter \(target.surface.id) 100.0,100.0")
        other.answer("text/plain")
        try fixture.pump()
        _ = (device.takeEvents(), other.takeEvents())
        if isTouch { try touch(.ended, 610, 400) } else { try button(false) }
        #expect(sourceEvents() == ["source dropped"])
        #expect(other.takeEvents().last == "drop")
        #expect(whereabouts(tab) == (isTouch ? "A 580.0,390.0" : "A 570.0,390.0"))
        drag.send(.destroy)
        source.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen && model.checkInvariants() == [])
    }

    @Test(
        "E2: a window that was there before and has the press goes with the drag, to another screen, and away",
        arguments: [true, false])
    func existing(isDestroyed: Bool) throws {
        try move(50, 20)
        try button(true)
        let source = device.source()
        let drag = drag(source)
        drag.send(.attach(toplevel: main.toplevel.id, xOffset: 50, yOffset: 20))
        device.startDrag(source, from: main.surface)
        try move(60, 40)
        #expect(whereabouts(main) == "A 10.0,20.0")
        try move(200, 100, screen: 1)
        try move(210, 100, screen: 1)
        #expect(whereabouts(main) == "B 160.0,80.0")
        #expect(model.checkInvariants() == [])
        _ = device.takeEvents()
        // It becomes a part of another window.
        if isDestroyed {
            main.toplevel.send(.destroy)
            main.xdg.send(.destroy)
            main.surface.send(.destroy)
        } else {
            main.surface.send(.attach(buffer: nil, x: 0, y: 0))
            main.surface.send(.commit)
        }
        try fixture.pump()
        try move(300, 300)
        #expect(sourceEvents() == [] && model.checkInvariants() == [])
        // And is torn off again.
        let tab = try tearOff(drag)
        #expect(whereabouts(tab) == "A 270.0,290.0")
        try move(310, 300)
        try button(false)
        #expect(whereabouts(tab) == "A 280.0,290.0")
        #expect(sourceEvents() == ["source dropped", "source cancelled"])
        // The pointer is free again.
        try move(300, 310)
        try button(true)
        #expect(device.takeEvents().last == "button 1")
        try button(false)
        #expect(client.isOpen && model.checkInvariants() == [])
    }

    @Test("a window that fills a screen stays; one that is unmapped or destroyed makes room for another")
    func detached() throws {
        let (_, drag) = try begin()
        let first = try tearOff(drag, "first")
        first.toplevel.send(.setMaximized)
        try fixture.pump()
        try move(300, 200)
        #expect(whereabouts(first) == "A 0.0,0.0")
        first.toplevel.send(.unsetMaximized)
        try fixture.pump()
        try move(301, 200)
        #expect(whereabouts(first) == "A 271.0,190.0")
        first.surface.send(.attach(buffer: nil, x: 0, y: 0))
        first.surface.send(.commit)
        let second = try tearOff(drag, "second")
        #expect(whereabouts(second) == "A 271.0,190.0")
        second.toplevel.send(.destroy)
        let third = try tearOff(drag, "third")
        try move(310, 200)
        #expect(whereabouts(third) == "A 280.0,190.0")
        // Another drag, which has not begun, gets it.
        let idle = self.drag(device.source())
        idle.send(.attach(toplevel: third.toplevel.id, xOffset: 0, yOffset: 0))
        try move(400, 200)
        #expect(whereabouts(third) == "A 280.0,190.0")
        drag.send(.attach(toplevel: third.toplevel.id, xOffset: 1, yOffset: 2))
        try fixture.pump()
        #expect(whereabouts(third) == "A 399.0,198.0")
        manager.send(.destroy)
        try move(410, 200)
        #expect(whereabouts(third) == "A 409.0,198.0" && client.isOpen && model.checkInvariants() == [])
        // Wherever a program wants it.
        idle.send(.attach(toplevel: third.toplevel.id, xOffset: 0, yOffset: 0))
        drag.send(.attach(toplevel: main.toplevel.id, xOffset: .min, yOffset: .max))
        try move(420, 200)
        _ = try fixture.screenshot()
        #expect(client.isOpen && model.checkInvariants() == [])
    }

    @Test("E2: the drag ends with its source, its screen, its program, and at a lock; the window stays")
    func ended() throws {
        for end in ["source", "screen", "lock", "program", "input"] {
            let test = try ToplevelDragTests()
            let (source, drag) = try test.begin()
            let tab = try test.tearOff(drag)
            try test.move(100, 100, screen: 1)
            #expect(test.whereabouts(tab) == "B 70.0,90.0")
            _ = test.device.takeEvents()
            switch end {
            case "source": source.send(.destroy)
            case "screen": try test.fixture.server.disconnect(test.model.screens[1])
            case "lock": _ = try TestLock(test.fixture.connect("lock"))
            case "program": try test.client.kill()
            default: test.model.cancelInput(time: test.fixture.loop.now)
            }
            try test.fixture.pump()
            if end == "program" {
                #expect(test.model.windows == [])
            } else {
                #expect(test.sourceEvents() == (end == "source" ? [] : ["source cancelled"]), "\(end)")
                drag.send(.destroy)
                let before = test.whereabouts(tab)
                try test.move(200, 100)
                #expect(test.whereabouts(tab) == before && before.hasSuffix(" 70.0,90.0"), "\(end): \(before)")
                #expect(test.client.isOpen, "\(end): \(String(describing: test.client.error))")
            }
            #expect(test.model.checkInvariants() == [], "\(end)")
            if end != "input" { try test.button(false) }
            #expect(test.model.checkInvariants() == [], "\(end)")
        }
    }

    @Test("a drag that the server refuses has ended; so has one whose source is destroyed before it begins")
    func refused() throws {
        let source = device.source()
        let drag = drag(source)
        drag.send(.attach(toplevel: main.toplevel.id, xOffset: 0, yOffset: 0))
        device.startDrag(source, from: main.surface, serial: 1)
        try fixture.pump()
        #expect(sourceEvents() == ["source cancelled"])
        // No error, and no effect.
        drag.send(.attach(toplevel: main.toplevel.id, xOffset: 0, yOffset: 0))
        drag.send(.destroy)
        let other = device.source()
        let second = self.drag(other)
        other.send(.destroy)
        second.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
    }

    @Test("over a restart a drag that has begun is cancelled, and one that has not keeps its window")
    func handOver() throws {
        let (_, drag) = try begin()
        let tab = try tearOff(drag)
        let source = device.source()
        let waiting = self.drag(source)
        waiting.send(.attach(toplevel: main.toplevel.id, xOffset: 5, yOffset: 6))
        try fixture.pump()
        _ = device.takeEvents()
        try fixture.handOver()
        try fixture.pump()
        #expect(sourceEvents() == ["source cancelled"])
        drag.send(.destroy)
        let before = whereabouts(tab)
        try move(60, 20)
        try button(true)
        device.startDrag(source, from: main.surface)
        try fixture.pump()
        try move(100, 100)
        #expect(whereabouts(main) == "A 95.0,94.0" && whereabouts(tab) == before)
        waiting.send(.attach(toplevel: tab.toplevel.id, xOffset: 0, yOffset: 0))
        try fixture.pump()
        #expect(client.protocolError?.code == XdgToplevelDragV1.Error.toplevelAttached.rawValue)
    }

    // MARK: Errors

    @Test("a source has one window, is not used before, and is only dragged")
    func sourceErrors() throws {
        let invalid = XdgToplevelDragManagerV1.Error.invalidSource.rawValue
        func check(_ code: UInt32, _ words: String, _ body: (ToplevelDragTests) throws -> Void) throws {
            let test = try ToplevelDragTests()
            try body(test)
            try test.fixture.pump()
            #expect(test.client.protocolError?.code == code)
            #expect(test.client.protocolError?.message.contains(words) == true, "\(words)")
        }
        try check(invalid, "already has a toplevel drag") {
            let source = $0.device.source()
            _ = ($0.drag(source), $0.drag(source))
        }
        try check(invalid, "was dragged") { _ = $0.drag(try $0.begin().source) }
        try check(invalid, "was the selection") {
            let source = $0.device.source(actions: nil)
            $0.device.device.send(.setSelection(source: source.id, serial: 0))
            _ = $0.drag(source)
        }
        try check(WlDataSource.Error.invalidSource.rawValue, "toplevel drag") {
            let source = $0.device.source(actions: nil)
            _ = $0.drag(source)
            $0.device.device.send(.setSelection(source: source.id, serial: 0))
        }
    }

    @Test("a drag has one window at a time, and its object lives until it has ended")
    func dragErrors() throws {
        func check(_ code: XdgToplevelDragV1.Error, _ body: (ToplevelDragTests) throws -> Void) throws {
            let test = try ToplevelDragTests()
            try body(test)
            try test.fixture.pump()
            #expect(test.client.protocolError?.code == code.rawValue)
            #expect(test.model.checkInvariants() == [] && test.model.windows == [])
        }
        for isSame in [true, false] {
            try check(.toplevelAttached) {
                let drag = try $0.begin().drag
                let tab = try $0.tearOff(drag)
                let next = isSame ? tab : $0.main
                drag.send(.attach(toplevel: next.toplevel.id, xOffset: 0, yOffset: 0))
            }
        }
        try check(.toplevelAttached) {
            let drag = $0.drag($0.device.source())
            for _ in 0..<2 { drag.send(.attach(toplevel: $0.client.toplevel("t").toplevel.id, xOffset: 0, yOffset: 0)) }
        }
        try check(.ongoingDrag) { $0.drag($0.device.source()).send(.destroy) }
        try check(.ongoingDrag) { try $0.begin().drag.send(.destroy) }
        try check(.ongoingDrag) {
            let drag = try $0.begin().drag
            _ = try $0.tearOff(drag)
            drag.send(.destroy)
        }
    }
}
