// Input while locked (L2), and input reserved for a client (L4).

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct LockInputTests {
    @Test("L2: the keyboard, the pointer and touches leave other programs and reach only the lock")
    func devices() throws {
        let setup = try LockFixture()
        let (others, keys) = (try TestInput(setup.editor), try TestInput(setup.locker))
        try setup.fixture.pump()
        let screen = setup.fixture.mainScreen
        try setup.model.pointerMoved(to: Point(x: 50, y: 50), on: screen, time: 1)
        try setup.model.touch(id: 1, phase: .began, at: Point(x: 5, y: 5), on: screen, time: 1)
        try setup.fixture.pump()
        _ = others.takeEvents()
        let lock = try TestLock(setup.locker)
        try setup.fixture.pump()
        let left = others.takeEvents()
        #expect(left.contains("cancel") && left.contains("leave \(setup.window.surface.id)"), "\(left)")
        #expect(left.contains("pointer leave \(setup.window.surface.id)"))
        // Black screens: nobody.
        try setup.fixture.press(30)
        #expect(try setup.fixture.tap(x: 50, y: 50).reason == .locked)
        #expect(others.takeEvents() == [] && keys.takeEvents() == [])
        let surface = lock.surface(on: try setup.locker.bind(WlOutput.self))
        try surface.map(setup.fixture)
        let entered = keys.takeEvents()
        #expect(entered.contains("enter \(surface.surface.id) []"), "\(entered)")
        #expect(entered.contains { $0.hasPrefix("pointer enter \(surface.surface.id)") })
        try setup.fixture.press(31)
        try setup.fixture.tap(x: 50, y: 50)
        let received = keys.takeEvents()
        #expect(received.contains("key 31 1") && received.contains { $0.hasPrefix("down 99 \(surface.surface.id)") })
        // Other programs request the keyboard without effect.
        setup.window.makeKey()
        setup.editor.window("new").color(0xffffffff).makeKeyAndVisible()
        try setup.fixture.press(32)
        #expect(keys.takeEvents().contains("key 32 1") && others.takeEvents() == [])
        lock.unlock()
        try setup.fixture.pump()
        try setup.fixture.press(33)
        #expect(others.takeEvents().contains("key 33 1"))
        #expect(!keys.takeEvents().contains("key 33 1"))
        #expect(setup.model.checkInvariants() == [])
    }

    @Test("L2: virtual devices type and point at the lock")
    func virtualDevices() throws {
        let setup = try LockFixture()
        let (_, surface) = try setup.lock()
        let keys = try TestInput(setup.locker)
        try setup.fixture.pump()
        _ = keys.takeEvents()
        let pointer = try setup.editor.virtualPointer()
        pointer.send(.motionAbsolute(time: 1, x: 1, y: 1, xExtent: 2, yExtent: 2))
        pointer.send(.button(time: 1, button: 272, state: .pressed))
        pointer.send(.button(time: 1, button: 272, state: .released))
        pointer.send(.frame)
        try setup.fixture.pump()
        let received = keys.takeEvents()
        #expect(received.contains { $0.hasPrefix("pointer enter \(surface.surface.id)") }, "\(received)")
        #expect(received.contains("button 272 1") && received.contains("button 272 0"))
    }

    @Test("L2: a drag ends, its icon is not seen, and nothing is dropped")
    func drags() throws {
        let drag = try DragFixture()
        try drag.begin()
        try drag.move(150, 50)
        drag.forget()
        let locker = try drag.fixture.connect("locker")
        let lock = try TestLock(locker)
        try drag.fixture.pump()
        #expect(drag.to.takeEvents().contains("leave"))
        #expect(drag.from.takeEvents().contains { $0.contains("cancelled") })
        try drag.button(false)
        #expect(!drag.to.takeEvents().contains("drop"))
        lock.unlock()
        try drag.fixture.pump()
        #expect(drag.model.checkInvariants() == [])
    }

    @Test("L2: open menus close, also those that grab the keyboard")
    func menus() throws {
        let fixture = try ServerFixture()
        let (client, locker) = (try fixture.connect(), try fixture.connect("locker"))
        let toplevel = try TestToplevel.map(client, fixture, width: 100, height: 100)
        let input = try TestInput(client)
        try fixture.tap(x: 40, y: 40)
        let popup = TestPopup(
            client, parent: toplevel.xdg,
            positioner: TestPopup.positioner(client, width: 20, height: 20, x: 10, y: 10))
        let seat = try client.bind(WlSeat.self, version: 9)
        popup.popup.send(.grab(seat: seat.id, serial: 0))
        popup.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xffff00ff, width: 20, height: 20, to: popup.surface)
        popup.surface.send(.commit)
        try fixture.pump()
        _ = input.takeEvents()
        _ = try TestLock(locker)
        try fixture.pump()
        #expect(popup.isDone)
        #expect(client.isOpen)
    }

    @Test("L2: an input method of another program receives neither keys nor the text of the lock")
    func inputMethods() throws {
        let text = try TextFixture()
        try text.enable(.setSurroundingText(text: "before", cursor: 6, anchor: 6))
        let grab = Proxy<ZwpInputMethodKeyboardGrabV2>(text.typist.connection, version: 1)
        var grabbed: [UInt32] = []
        grab.onEvent = { if case .key(_, _, let key, let state) = $0, state == .pressed { grabbed.append(key) } }
        text.method.proxy.send(.grabKeyboard(keyboard: grab.id))
        try text.fixture.press(30)
        #expect(grabbed == [30])
        let locker = try text.fixture.connect("locker")
        let keys = try TestInput(locker)
        text.forget()
        let lock = try TestLock(locker)
        let surface = lock.surface(on: try locker.bind(WlOutput.self))
        try surface.map(text.fixture)
        #expect(text.method.takeLines().contains("deactivate"))
        let field = try TestTextInput(locker)
        try text.fixture.pump()
        field.proxy.send(.enable)
        field.proxy.send(.setSurroundingText(text: "secret", cursor: 6, anchor: 6))
        field.proxy.send(.commit)
        try text.fixture.pump()
        try text.fixture.press(31)
        #expect(text.method.takeLines() == [] && grabbed == [30])
        #expect(keys.takeEvents().contains("key 31 1"))
        lock.unlock()
        try text.fixture.pump()
        try text.fixture.press(32)
        #expect(grabbed == [30, 32])
    }

    @Test("L1: a video behind the lock does not keep users from being away")
    func idleInhibitors() throws {
        let setup = try LockFixture(ServerFixture(clock: .manual))
        let inhibitors = try setup.editor.bind(ZwpIdleInhibitManagerV1.self)
        let inhibitor = Proxy<ZwpIdleInhibitorV1>(setup.editor.connection, version: 1)
        inhibitors.send(.createInhibitor(id: inhibitor.id, surface: setup.window.surface.id))
        let (notifier, seat) = (
            try setup.locker.bind(ExtIdleNotifierV1.self, version: 1), try setup.locker.bind(WlSeat.self)
        )
        let notification = Proxy<ExtIdleNotificationV1>(setup.locker.connection, version: 1)
        var events: [String] = []
        notification.onEvent = {
            switch $0 {
            case .idled: events.append("idled")
            case .resumed: events.append("resumed")
            }
        }
        notifier.send(.getIdleNotification(id: notification.id, timeout: 1000, seat: seat.id))
        try setup.fixture.pump()
        try setup.fixture.step(5_000_000)
        try setup.fixture.pump()
        #expect(events == [])
        let lock = try TestLock(setup.locker)
        try setup.fixture.pump()
        try setup.fixture.step(2_000_000)
        try setup.fixture.pump()
        #expect(events == ["idled"])
        lock.unlock()
        try setup.fixture.pump()
        #expect(setup.editor.isOpen && setup.locker.isOpen)
    }

    @Test("L4: input is for the inhibitor's client only, and everything stays visible")
    func inhibitor() throws {
        let setup = try LockFixture()
        let (others, keys) = (try TestInput(setup.editor), try TestInput(setup.locker))
        let own = setup.locker.window("own").color(0xff00ff00).frame(0, 0, 100, 100)
        own.show()
        try setup.fixture.pump()
        _ = others.takeEvents()
        let manager = try setup.locker.bind(ZwlrInputInhibitManagerV1.self)
        let inhibitor = Proxy<ZwlrInputInhibitorV1>(setup.locker.connection, version: 1)
        manager.send(.getInhibitor(id: inhibitor.id))
        try setup.fixture.pump()
        #expect(others.takeEvents().contains("leave \(setup.window.surface.id)"))
        #expect(try setup.fixture.color(x: 400, y: 400) == 0xff0000)
        try setup.fixture.press(30)
        #expect(keys.takeEvents().contains("key 30 1"))
        #expect(try setup.fixture.tap(x: 400, y: 400).reason == .reserved)
        #expect(try setup.fixture.tap(x: 50, y: 50).hit != nil)
        setup.window.makeKey()
        try setup.fixture.press(31)
        #expect(others.takeEvents() == [])
        let control = try TestControl(setup.fixture)
        #expect(try control.send("GET", "/v1/status").body.contains("\"inputHolder\":2"))
        #expect(try control.send("DELETE", "/v1/lock").body.contains("reserved for application 2"))
        // A second one is the client's error.
        let other = try setup.fixture.connect("other")
        let rivals = try other.bind(ZwlrInputInhibitManagerV1.self)
        rivals.send(.getInhibitor(id: Proxy<ZwlrInputInhibitorV1>(other.connection, version: 1).id))
        try setup.fixture.pump()
        #expect(other.protocolError?.message.contains("L4") == true)
        inhibitor.send(.destroy)
        try setup.fixture.pump()
        try setup.fixture.press(32)
        #expect(others.takeEvents().contains("key 32 1"))
        #expect(try setup.fixture.tap(x: 400, y: 400).hit != nil)
        // It also ends with its client.
        let third = Proxy<ZwlrInputInhibitorV1>(setup.locker.connection, version: 1)
        manager.send(.getInhibitor(id: third.id))
        try setup.fixture.pump()
        #expect(setup.model.inputHolder != nil)
        try setup.locker.kill()
        #expect(setup.model.inputHolder == nil)
        #expect(setup.model.checkInvariants() == [])
    }
}
