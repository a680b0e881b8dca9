// Menus that close as key passes on, and a client that dies with all that a seat can hold.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct MenuTests {
    private func menu(_ client: TestClient, _ fixture: ServerFixture, of top: TestToplevel) throws -> TestPopup {
        let popup = TestPopup(client, parent: top.xdg, positioner: TestPopup.positioner(client, width: 50, height: 50))
        popup.popup.send(.grab(seat: try client.bind(WlSeat.self).id, serial: 0))
        popup.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00ff00, width: 50, height: 50, to: popup.surface)
        popup.surface.send(.commit)
        try fixture.pump()
        return popup
    }

    enum End: CaseIterable { case otherKey, toplevelGoes, surfaceGoes, clientDies }

    @Test("K2: when key leaves a window with a menu, the keyboard skips what is below", arguments: End.allCases)
    func menuEnds(_ end: End) throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let field = try TestTextInput(client)
        let top = try TestToplevel.map(client, fixture)
        let menu = try menu(client, fixture, of: top)
        #expect(input.takeEvents().last { $0.hasPrefix("enter") } == "enter \(menu.surface.id) []")
        _ = field.takeLines()
        switch end {
        case .otherKey:
            try fixture.connect("other").window("alert").color(0xff0000ff).makeKeyAndVisible()
            try fixture.pump()
        case .toplevelGoes: top.toplevel.send(.destroy)
        case .surfaceGoes: top.surface.send(.destroy)
        case .clientDies: try client.kill()
        }
        try fixture.pump()
        #expect(menu.isDone == (end != .clientDies))
        #expect(!input.takeEvents().contains { $0.hasPrefix("enter") })
        #expect(!field.takeLines().contains { $0.hasPrefix("enter") })
        #expect((fixture.server.seat.keyboardSurface == nil) == (end != .otherKey))
        #expect(fixture.model.checkInvariants() == [])
    }

    // MARK: All at once

    @Test("E2, E3, W7: a client that dies with a key, a button, a lock, a grab, a menu and a drag leaves nothing down")
    func diesWithAll() throws {
        let setup = try TextFixture()
        let fixture = setup.fixture
        try setup.enable()
        let pointer = try TestPointer(setup.typist)
        let device = try TestDataDevice(setup.typist)
        let top = try TestToplevel.map(setup.typist, fixture)
        let window = try #require(fixture.model.windows.last)
        try fixture.model.makeKey(window)
        try fixture.model.setFrame(Rect(x: 0, y: 0, width: 90, height: 90), of: window)
        try fixture.pump()
        _ = try menu(setup.typist, fixture, of: top)
        _ = setup.method.grab()
        _ = try pointer.relative()
        let manager = try setup.typist.bind(ZwpVirtualKeyboardManagerV1.self)
        let keyboard = Proxy<ZwpVirtualKeyboardV1>(setup.typist.connection, version: 1)
        manager.send(.createVirtualKeyboard(seat: pointer.seat.id, id: keyboard.id))
        let text = try #require(fixture.server.seat.keyboard.state?.keymap.text)
        keyboard.send(.keymap(format: 1, fd: try #require(text.descriptor.duplicate()), size: text.size))
        try fixture.compileKeymaps()
        keyboard.send(.key(time: 0, key: 30, state: 1))
        try fixture.pump()
        _ = try fixture.server.injector.inject([
            .key("s", .down), .hover(InputEvent.Place(screen: nil, point: Point(x: 80, y: 80))),
            .button(0x110, pressed: true),
        ])
        try fixture.pump()
        device.startDrag(device.source(["text/plain"], actions: .copy), from: top.surface)
        try fixture.pump()
        #expect(fixture.server.seat.dragAndDrop.isActive)
        try setup.typist.kill()
        _ = try fixture.server.injector.inject([.key("s", .up), .button(0x110, pressed: false)])
        try fixture.pump()
        #expect(!fixture.server.seat.dragAndDrop.isActive && fixture.server.seat.pointer.constraint == nil)
        #expect(fixture.server.seat.keyboard.heldKeys == [] && fixture.model.pressedKeys == [])
        #expect(fixture.server.seat.keyboard.active == nil)
        #expect(fixture.model.keyWindow == fixture.model.windows.first && setup.client.isOpen)
        #expect(fixture.model.checkInvariants() == [])
    }
}
