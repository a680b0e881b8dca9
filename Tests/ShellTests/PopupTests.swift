// Pop-ups of plain programs: stacking order and dismissal.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PopupTests {
    /// A pop-up of one colour, shown.
    private func map(
        _ client: TestClient, _ fixture: ServerFixture, parent: Proxy<XdgSurface>, argb: UInt32 = 0xff00ff00,
        positioner: Proxy<XdgPositioner>, grabs: Bool = false
    ) throws -> TestPopup {
        let popup = TestPopup(client, parent: parent, positioner: positioner)
        if grabs {
            let seat = try client.bind(WlSeat.self)
            popup.popup.send(.grab(seat: seat.id, serial: 0))
        }
        popup.surface.send(.commit)
        try fixture.pump()
        guard let place = popup.place else { throw FixtureError("the pop-up was not configured") }
        try client.attach(argb, width: place.width, height: place.height, to: popup.surface)
        popup.surface.send(.commit)
        try fixture.pump()
        return popup
    }

    private func origin(_ fixture: ServerFixture) throws -> (x: Int, y: Int) {
        guard let frame = fixture.model.windows.first.flatMap({ fixture.model.window($0)?.frame }) else {
            throw FixtureError("no window")
        }
        return (Int(frame.minX), Int(frame.minY))
    }

    private func tap(_ fixture: ServerFixture, _ x: Double, _ y: Double) throws {
        _ = try fixture.server.injector.inject([.tap(id: 7, InputEvent.Place(screen: nil, point: Point(x: x, y: y)))])
        try fixture.pump()
    }

    @Test("C3: a pop-up is above its own window, outside its frame too, and below a window of a higher level")
    func order() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let top = try TestToplevel.map(client, fixture)
        let (x, y) = try origin(fixture)
        let positioner = TestPopup.positioner(client, width: 60, height: 60, x: 180, y: 80)
        let popup = try map(client, fixture, parent: top.xdg, positioner: positioner)
        #expect(try fixture.color(x: x + 190, y: y + 90) == 0x00ff00)
        #expect(try fixture.color(x: x + 239, y: y + 139) == 0x00ff00, "not clipped")
        #expect(try fixture.color(x: x + 100, y: y + 50) == 0xff0000)
        let routing = try fixture.tap(x: Double(x) + 230, y: Double(y) + 130)
        #expect(routing.hit?.location == Point(x: 50, y: 50))
        #expect(input.takeEvents().contains("down 99 \(popup.surface.id) 50.0,50.0"))
        let above = client.window("above").color(0xff0000ff).level(1).frame(Double(x) + 200, Double(y) + 90, 20, 20)
        above.show()
        #expect(try fixture.color(x: x + 205, y: y + 95) == 0x0000ff)
        #expect(try fixture.color(x: x + 195, y: y + 95) == 0x00ff00)
        #expect(try fixture.tap(x: Double(x) + 205, y: Double(y) + 95).hit?.window == fixture.model.windows.last)
        let cover = client.window("cover").color(0xff888888).frame(0, 0, 800, 600)
        cover.show()
        #expect(try fixture.color(x: x + 195, y: y + 95) == 0x888888, "the pop-up is ordered with its window")
        #expect(fixture.model.windows.count == 3, "a pop-up is not a window")
        popup.destroy()
        cover.hide()
        #expect(try fixture.color(x: x + 230, y: y + 130) == 0)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("nested pop-ups are placed relative to each other; the lower one cannot be destroyed first")
    func nested() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture)
        let (x, y) = try origin(fixture)
        let positioner = TestPopup.positioner(client, width: 50, height: 50, x: 190, y: 90)
        let menu = try map(client, fixture, parent: top.xdg, positioner: positioner)
        let positioner2 = TestPopup.positioner(client, width: 50, height: 50, x: 40, y: 40)
        let submenu = try map(client, fixture, parent: menu.xdg, argb: 0xff0000ff, positioner: positioner2)
        #expect(try fixture.color(x: x + 190 + 45, y: y + 90 + 45) == 0x0000ff)
        #expect(try fixture.color(x: x + 190 + 89, y: y + 90 + 89) == 0x0000ff)
        #expect(try fixture.color(x: x + 190 + 10, y: y + 90 + 10) == 0x00ff00)
        submenu.destroy()
        let again = try map(client, fixture, parent: menu.xdg, argb: 0xff0000ff, positioner: positioner2)
        #expect(client.isOpen)
        menu.popup.send(.destroy)
        try fixture.pump()
        #expect(client.protocolError?.code == XdgWmBase.Error.notTheTopmostPopup.rawValue)
        #expect(!again.isDone && fixture.model.checkInvariants() == [])
    }

    @Test("pop-ups end with their parents: hidden by a null buffer, dismissed with the toplevel")
    func gone() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture)
        let positioner = TestPopup.positioner(client, width: 50, height: 50)
        let menu = try map(client, fixture, parent: top.xdg, positioner: positioner)
        let submenu = try map(client, fixture, parent: menu.xdg, positioner: positioner)
        menu.surface.send(.attach(buffer: nil, x: 0, y: 0))
        menu.surface.send(.commit)
        try fixture.pump()
        #expect(submenu.isDone && !menu.isDone)
        let (x, y) = try origin(fixture)
        #expect(try fixture.color(x: x + 10, y: y + 10) == 0xff0000)
        top.toplevel.send(.destroy)
        top.xdg.send(.destroy)
        try fixture.pump()
        #expect(menu.isDone)
        submenu.destroy()
        menu.destroy()
        top.surface.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen && fixture.model.surfaceCount == 0)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("E3: within the key window a grab takes the keys; a press outside the client's surfaces dismisses it")
    func grab() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let top = try TestToplevel.map(client, fixture)
        let positioner = TestPopup.positioner(client, width: 50, height: 50)
        let menu = try map(client, fixture, parent: top.xdg, positioner: positioner, grabs: true)
        let submenu = try map(client, fixture, parent: menu.xdg, positioner: positioner, grabs: true)
        #expect(input.takeEvents().last { $0.hasPrefix("enter") } == "enter \(submenu.surface.id) []")
        let other = try fixture.connect("other")
        let desktop = other.window("desktop").color(0xffff_ffff).frame(0, 0, 800, 600).level(-1)
        desktop.show()
        try fixture.pump()
        let own = try origin(fixture)
        // The client receives presses in its own surfaces, and decides itself what to close.
        for (x, y) in [(own.x + 10, own.y + 10), (own.x + 190, own.y + 90)] {
            try tap(fixture, Double(x), Double(y))
            #expect(!menu.isDone && !submenu.isDone)
        }
        let places = input.takeEvents().filter { $0.hasPrefix("down") }
        #expect(places.count == 2, "each receives a press: \(places)")
        try tap(fixture, 799, 599)
        #expect(menu.isDone && submenu.isDone)
        try other.kill()
        #expect(
            input.takeEvents().filter { !$0.hasPrefix("modifiers") }
                == ["leave \(submenu.surface.id)", "enter \(top.surface.id) []"])
        submenu.destroy()
        menu.destroy()
        // Another window becomes key: the grab ends.
        let second = try map(client, fixture, parent: top.xdg, positioner: positioner, grabs: true)
        #expect(input.takeEvents().contains("enter \(second.surface.id) []"))
        let alert = client.window("alert").color(0xff0000ff).level(2000)
        alert.makeKeyAndVisible()
        try fixture.pump()
        #expect(second.isDone)
        #expect(input.takeEvents().filter { $0.hasPrefix("enter") }.last == "enter \(alert.surface.id) []")
        #expect(client.isOpen)
        try client.kill()
        #expect(fixture.model.surfaceCount == 0 && fixture.server.seat.keyboardSurface == nil)
    }

    @Test("K7: where touches do not make key, a menu opens without the keyboard and a press elsewhere dismisses it")
    func menuWithoutKey() throws {
        var policy = Policy()
        policy.keyOnTouch = false
        let fixture = try ServerFixture(policy: policy)
        let (client, other) = (try fixture.connect("plain"), try fixture.connect("other"))
        let alert = other.window("alert").color(0xff00_00ff).frame(600, 400, 100, 100)
        alert.makeKeyAndVisible()
        try fixture.pump()
        let top = try TestToplevel.map(client, fixture)
        let id = try #require(fixture.model.windows.last)
        #expect(fixture.model.keyWindow != id)
        let input = try TestInput(client)
        let positioner = TestPopup.positioner(client, width: 50, height: 50)
        let menu = try map(client, fixture, parent: top.xdg, positioner: positioner, grabs: true)
        let frame = try #require(fixture.model.frame(of: id))
        try tap(fixture, frame.minX + 5, frame.minY + 5)
        #expect(!menu.isDone)
        // E3: the keys stay with the key window.
        _ = try fixture.press(30)
        try fixture.pump()
        #expect(!input.takeEvents().contains { $0.hasPrefix("enter") || $0.hasPrefix("key") })
        // A menu of another program, whose window is not key either, dismisses nothing.
        let third = try fixture.connect("third")
        let behind = try TestToplevel.map(third, fixture)
        let intruder = try map(
            third, fixture, parent: behind.xdg, positioner: TestPopup.positioner(third, width: 9, height: 9),
            grabs: true)
        #expect(intruder.isDone && !menu.isDone)
        try tap(fixture, 650, 450)
        #expect(menu.isDone && client.isOpen && fixture.model.checkInvariants() == [])
    }

    @Test("C4: a reposition takes effect with the acknowledged commit, not before")
    func reposition() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture)
        let (x, y) = try origin(fixture)
        let popup = try map(
            client, fixture, parent: top.xdg, positioner: TestPopup.positioner(client, width: 50, height: 50))
        let other = TestPopup.positioner(client, width: 50, height: 50, x: 100, y: 20)
        popup.popup.send(.reposition(positioner: other.id, token: 77))
        try fixture.pump()
        #expect(popup.repositioned == [77])
        #expect(try fixture.color(x: x + 10, y: y + 10) == 0x00ff00)
        popup.surface.send(.commit)
        #expect(try fixture.color(x: x + 10, y: y + 10) == 0xff0000)
        #expect(try fixture.color(x: x + 149, y: y + 69) == 0x00ff00)
    }

    /// The code of the error that a mistake next to a mapped toplevel causes.
    private func mistake(_ body: (TestClient, ServerFixture, TestToplevel) throws -> Void) throws -> UInt32? {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let witness = try fixture.connect("witness")
        let toplevel = try TestToplevel.map(client, fixture)
        try body(client, fixture, toplevel)
        try fixture.pump()
        #expect(witness.isOpen && fixture.model.windows.isEmpty && fixture.model.checkInvariants() == [])
        #expect(client.protocolError != nil, "\(String(describing: client.error)), open: \(client.isOpen)")
        return client.protocolError?.code
    }

    @Test("mistakes with positioners and parents, including a pop-up as its own parent")
    func errors() throws {
        #expect(
            try mistake { client, _, top in
                let positioner = Proxy<XdgPositioner>(client.connection, version: 5)
                client.wmBase.send(.createPositioner(id: positioner.id))
                positioner.send(.setSize(width: 5, height: 5))
                _ = TestPopup(client, parent: top.xdg, positioner: positioner)
            } == XdgWmBase.Error.invalidPositioner.rawValue)
        #expect(
            try mistake { client, _, _ in _ = TestPopup.positioner(client, width: 0, height: 5) }
                == XdgPositioner.Error.invalidInput.rawValue)
        #expect(
            try mistake { client, _, _ in
                TestPopup(client, parent: nil, positioner: TestPopup.positioner(client, width: 5, height: 5))
                    .surface.send(.commit)
            } == XdgWmBase.Error.invalidPopupParent.rawValue)
        #expect(
            try mistake { client, _, _ in
                let surface = client.surface()
                let xdg = Proxy<XdgSurface>(client.connection, version: 5)
                client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
                let positioner = TestPopup.positioner(client, width: 5, height: 5)
                let popup = Proxy<XdgPopup>(client.connection, version: 5)
                xdg.send(.getPopup(id: popup.id, parent: xdg.id, positioner: positioner.id))
                surface.send(.commit)
            } == XdgWmBase.Error.invalidPopupParent.rawValue)
        #expect(
            try mistake { client, fixture, top in
                let positioner = TestPopup.positioner(client, width: 5, height: 5)
                let popup = try map(client, fixture, parent: top.xdg, positioner: positioner)
                popup.popup.send(.grab(seat: try client.bind(WlSeat.self).id, serial: 0))
            } == XdgPopup.Error.invalidGrab.rawValue)
        #expect(
            try mistake { client, _, top in
                var parent = top.xdg
                for _ in 0..<100 {
                    parent =
                        TestPopup(
                            client, parent: parent, positioner: TestPopup.positioner(client, width: 5, height: 5)
                        ).xdg
                }
            } == WlDisplay.Error.noMemory.rawValue)
    }
}
