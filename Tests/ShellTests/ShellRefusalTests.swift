// xdg-shell and windows of the extension: who may grab, what is refused, and what follows a moved window.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ShellRefusalTests {
    /// A pop-up of one colour, shown.
    private func map(
        _ client: TestClient, _ fixture: ServerFixture, parent: Proxy<XdgSurface>, positioner: Proxy<XdgPositioner>,
        grabs: Bool = false
    ) throws -> TestPopup {
        let popup = TestPopup(client, parent: parent, positioner: positioner)
        if grabs { popup.popup.send(.grab(seat: try client.bind(WlSeat.self).id, serial: 0)) }
        popup.surface.send(.commit)
        try fixture.pump()
        guard let place = popup.place else { throw FixtureError("the pop-up was not configured") }
        try client.attach(0xff00ff00, width: place.width, height: place.height, to: popup.surface)
        popup.surface.send(.commit)
        try fixture.pump()
        return popup
    }

    @Test("E3: a program in the background cannot grab, and closes no other program's menu")
    func backgroundGrab() throws {
        let fixture = try ServerFixture()
        let (front, back) = (try fixture.connect("front"), try fixture.connect("back"))
        let window = try TestToplevel.map(front, fixture)
        let behind = try TestToplevel.map(back, fixture)
        #expect(window.has(.activated) && !behind.has(.activated))
        let menu = try map(
            front, fixture, parent: window.xdg, positioner: TestPopup.positioner(front, width: 50, height: 50),
            grabs: true)
        let intruder = try map(
            back, fixture, parent: behind.xdg, positioner: TestPopup.positioner(back, width: 50, height: 50),
            grabs: true)
        #expect(intruder.isDone && !menu.isDone && back.isOpen)
        #expect(fixture.server.seat.keyboardSurface?.id == menu.surface.id)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("a pop-up whose parent pop-up has no grab cannot grab; if the parent was dismissed, so is the pop-up")
    func nestedGrab() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = try TestToplevel.map(client, fixture)
        let positioner = TestPopup.positioner(client, width: 50, height: 50)
        let menu = try map(client, fixture, parent: window.xdg, positioner: positioner, grabs: true)
        fixture.server.seat.grabs.pressWillBegin(on: nil)
        try fixture.pump()
        #expect(menu.isDone)
        #expect(try map(client, fixture, parent: menu.xdg, positioner: positioner, grabs: true).isDone)
        #expect(client.isOpen)
        let tip = try map(client, fixture, parent: window.xdg, positioner: positioner)
        _ = try? map(client, fixture, parent: tip.xdg, positioner: positioner, grabs: true)
        #expect(client.protocolError?.code == XdgPopup.Error.invalidGrab.rawValue)
    }

    @Test("a maximum size below the minimum is an error at the commit, in either order of the requests (C4)")
    func sizes() throws {
        for minimumFirst in [true, false] {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            let window = try TestToplevel.map(client, fixture)
            func set(_ least: Int32, _ most: Int32) {
                if minimumFirst { window.toplevel.send(.setMinSize(width: 10, height: least)) }
                window.toplevel.send(.setMaxSize(width: 0, height: most))
                if !minimumFirst { window.toplevel.send(.setMinSize(width: 10, height: least)) }
            }
            set(50, 60)
            window.surface.send(.commit)
            set(70, 80)
            window.surface.send(.commit)
            set(70, 69)
            try fixture.pump()
            #expect(client.isOpen, "nothing takes effect before the commit")
            window.surface.send(.commit)
            try fixture.pump()
            #expect(client.protocolError?.code == XdgToplevel.Error.invalidSize.rawValue)
        }
    }

    @Test("an xdg_surface that goes before its toplevel or pop-up is defunct_role_object")
    func defunct() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = try TestToplevel.map(client, fixture)
        let popup = try map(
            client, fixture, parent: window.xdg, positioner: TestPopup.positioner(client, width: 50, height: 50))
        popup.xdg.send(.destroy)
        try fixture.pump()
        guard case .protocolError(let object, let code, _)? = client.error else {
            throw FixtureError("no protocol error")
        }
        #expect(object == popup.xdg.id && code == XdgSurface.Error.defunctRoleObject.rawValue)
    }

    @Test("a reactive pop-up is repositioned when its window moves, its child follows, and others stay")
    func reactive() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = try TestToplevel.map(client, fixture)
        let id = try #require(fixture.model.windows.first)
        func positioner(reactive: Bool) -> Proxy<XdgPositioner> {
            let positioner = TestPopup.positioner(client, width: 100, height: 50, x: 150, y: 0)
            positioner.send(
                .setConstraintAdjustment(constraintAdjustment: XdgPositioner.ConstraintAdjustment.slideX.rawValue))
            if reactive { positioner.send(.setReactive) }
            return positioner
        }
        func move(toX x: Double) throws {
            try fixture.model.setFrame(Rect(x: x, y: 100, width: 200, height: 100), of: id)
            try fixture.pump()
        }
        try move(toX: 100)
        let menu = try map(client, fixture, parent: window.xdg, positioner: positioner(reactive: true))
        let rigid = try map(client, fixture, parent: window.xdg, positioner: positioner(reactive: false))
        let inner = TestPopup.positioner(client, width: 10, height: 10, x: 20, y: 20)
        let submenu = try map(client, fixture, parent: menu.xdg, positioner: inner)
        #expect(menu.place?.x == 150 && rigid.place?.x == 150)
        try move(toX: 600)
        #expect(menu.place?.x == 100, "the screen ends at 800")
        #expect(rigid.place?.x == 150 && submenu.place?.x == 20)
        func left(_ popup: TestPopup) throws -> Double? {
            let surface = try #require(fixture.server.surfaces.all.first { $0.id == popup.surface.id })
            return fixture.model.surface(surface.node)?.position.x
        }
        #expect(try left(menu) == 150, "C4: not before the client's commit")
        menu.surface.send(.commit)
        try fixture.pump()
        #expect(try left(menu) == 100)
        #expect(try left(submenu) == 120)
        try move(toX: 600)
        try move(toX: 90)
        #expect(menu.place?.x == 150)
        #expect(client.isOpen && fixture.model.checkInvariants() == [])
    }

    @Test("W2: a level beyond ±8,388,607 is an error, never rounded silently", arguments: [-1.0, 1.0])
    func levels(sign: Double) throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").level(sign * 8_388_607).commit()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        #expect(client.isOpen && fixture.model.window(id)?.level == sign * 8_388_607)
        window.level(sign * (8_388_607 + 1 / 256))
        try fixture.pump()
        #expect(client.protocolError?.code == MullionWindowV1.Error.levelOutOfRange.rawValue)
        #expect(client.protocolError?.message.contains("W2") == true)
    }

    @Test("titles and names are cut at 4096 bytes, between characters; a message of the server at 1024")
    func titles() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let long = "x" + String(repeating: "é", count: 8000)
        client.application.send(.setName(name: long))
        client.window(long).commit()
        _ = client.toplevel(long)
        try fixture.pump()
        let model = fixture.model
        let cut = String(long.prefix(2048))
        #expect(model.windows.map { model.window($0)?.title } == [cut, cut])
        #expect(model.applications.map { model.application($0)?.name } == [cut])
        #expect("a\u{301}b".cut(toBytes: 1) == "a" && "ab".cut(toBytes: 2) == "ab" && "é".cut(toBytes: 1) == "")
        let name = String(repeating: "é", count: 5000)
        client.registry.send(.bind(name: 1, id: AnyNewID(interface: name, version: 1, id: client.surface().id)))
        try fixture.pump()
        let message = try #require(client.protocolError?.message)
        #expect((1023...1024).contains(message.utf8.count))
    }

    @Test("E3: while no window is key no client has the selection")
    func selection() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let manager = try client.bind(WlDataDeviceManager.self)
        let seat = try client.bind(WlSeat.self)
        let device = Proxy<WlDataDevice>(client.connection, version: manager.version)
        manager.send(.getDataDevice(id: device.id, seat: seat.id))
        var cancelled = 0
        func copy() throws {
            let source = Proxy<WlDataSource>(client.connection, version: manager.version)
            manager.send(.createDataSource(id: source.id))
            source.onEvent = { if case .cancelled = $0 { cancelled += 1 } }
            device.send(.setSelection(source: source.id, serial: 0))
            try fixture.pump()
        }
        let window = client.window("w").color(0xffff0000)
        window.makeKeyAndVisible()
        try fixture.pump()
        try copy()
        #expect(cancelled == 0 && fixture.server.seat.selections.focus != nil)
        window.hide()
        try fixture.pump()
        #expect(fixture.server.seat.selections.focus == nil)
        try copy()
        #expect(cancelled == 1, "a client without the keyboard cannot set it")
        window.makeKeyAndVisible()
        try fixture.pump()
        #expect(fixture.server.seat.selections.focus != nil)
    }
}
