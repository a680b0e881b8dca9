// H and E rules through client connections: which client receives which events.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct InputOverSockets {
    @Test("E1: a touch goes to the window hit at began, key or not, wherever the finger goes later")
    func capture() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let low = client.window("low").color(0xffff0000).frame(0, 0, 100, 100)
        let high = client.window("high").color(0xff00ff00).frame(100, 0, 100, 100)
        low.show()
        high.makeKeyAndVisible()
        try fixture.pump()
        _ = input.takeEvents()
        func touch(_ phase: Event.Phase, _ x: Double) throws {
            _ = try fixture.model.touch(
                id: 1, phase: phase, at: Point(x: x, y: 50), on: fixture.mainScreen, time: fixture.loop.now)
            try fixture.pump()
        }
        try touch(.began, 50)
        try touch(.moved, 150)
        try touch(.ended, 150)
        #expect(input.takeEvents() == ["down 1 \(low.surface.id) 50.0,50.0", "move 1 150.0,50.0", "up 1"])
        #expect(fixture.model.keyWindow == fixture.model.windows(of: fixture.model.applications[0]).last)
    }

    @Test("E2: a touch whose window is hidden is cancelled once, and the rest of it is dropped")
    func cancelled() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let window = client.window("w").color(0xffff0000)
        window.show()
        try fixture.pump()
        let screen = fixture.mainScreen
        _ = try fixture.model.touch(id: 5, phase: .began, at: Point(x: 9, y: 9), on: screen, time: fixture.loop.now)
        try fixture.pump()
        window.hide()
        try fixture.pump()
        window.show()
        try fixture.pump()
        let rest = try fixture.model.touch(
            id: 5, phase: .ended, at: Point(x: 9, y: 9), on: screen, time: fixture.loop.now)
        try fixture.pump()
        #expect(rest.hit == nil)
        #expect(input.takeEvents() == ["down 5 \(window.surface.id) 9.0,9.0", "cancel"])
    }

    @Test("H2: an empty input region lets touches through; H3: the answer names the target and why others were skipped")
    func fallsThrough() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let behind = client.window("behind").color(0xffff0000)
        let overlay = client.window("overlay").color(0x8000ff00).level(10)
        let disabled = client.window("disabled").color(0x400000ff).level(20)
        overlay.surface.send(.setInputRegion(region: client.region([(0, 0, 10, 10)]).id))
        disabled.window.send(.setUserInteractionEnabled(enabled: 0))
        for window in [behind, overlay, disabled] { window.show() }
        try fixture.pump()
        let routing = try fixture.tap(x: 50, y: 50)
        let windows = fixture.model.windows(of: fixture.model.applications[0])
        #expect(routing.hit?.window == windows[0])
        #expect(routing.candidates.map(\.reason) == [.interactionDisabled, .inputRegion])
        #expect(try fixture.tap(x: 5, y: 5).hit?.window == windows[1])
    }

    @Test("E3: keys go to the key window only; without one they are dropped and the answer says so")
    func keys() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        #expect(try fixture.press(30).reason == .noKeyWindow)
        let window = client.window("w").color(0xffff0000)
        window.makeKeyAndVisible()
        client.window("above").color(0xff00ff00).level(9).show()
        try fixture.pump()
        #expect(input.takeEvents() == ["enter \(window.surface.id) []", "modifiers 0"])
        try fixture.press(30)
        #expect(input.takeEvents() == ["key 30 1", "key 30 0"])
        _ = try fixture.model.press(key: 42, pressed: true, time: fixture.loop.now)
        try fixture.pump()
        #expect(input.takeEvents() == ["key 42 1", "modifiers 1"])
        window.hide()
        try fixture.pump()
        #expect(fixture.model.pressedKeys == [], "no key stays down")
        #expect(input.takeEvents().first == "leave \(window.surface.id)")
    }

    @Test("K7: a touch does not make an extension window key; it makes a plain window key and brings it to front")
    func keyOnTouch() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        client.window("key").color(0xff111111).frame(0, 0, 10, 10).makeKeyAndVisible()
        client.window("other").color(0xff222222).frame(20, 0, 10, 10).show()
        try fixture.pump()
        let key = fixture.model.keyWindow
        try fixture.tap(x: 25, y: 5)
        #expect(fixture.model.keyWindow == key)
        let plain = try fixture.connect("plain")
        let one = plain.toplevel("one")
        let two = plain.toplevel("two")
        for (toplevel, color) in [(one, UInt32(0xffff0000)), (two, 0xff00ff00)] {
            toplevel.surface.send(.commit)
            try fixture.pump()
            try plain.attach(color, width: 300, height: 300, to: toplevel.surface)
            toplevel.surface.send(.commit)
            try fixture.pump()
        }
        #expect(fixture.model.keyWindow == key, "a new plain window takes key from no other application")
        #expect(try fixture.color(x: 200, y: 200) == 0x00ff00)
        try fixture.tap(x: 40, y: 40)
        #expect(one.has(.activated))
        #expect(try fixture.color(x: 200, y: 200) == 0xff0000)
    }

    @Test("E5: pointer enter, motion, buttons and leave follow the surface under the pointer; E7: ignoring nests")
    func pointer() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let window = client.window("w").color(0xffff0000).frame(100, 100, 100, 100)
        window.show()
        try fixture.pump()
        func move(_ x: Double, _ y: Double) throws {
            _ = try fixture.model.pointerMoved(to: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
            try fixture.pump()
        }
        try move(150, 150)
        #expect(input.takeEvents().first == "pointer enter \(window.surface.id) 50.0,50.0")
        _ = try fixture.model.pointerButton(code: 0x110, pressed: true, time: fixture.loop.now)
        try move(10, 10)
        _ = try fixture.model.pointerButton(code: 0x110, pressed: false, time: fixture.loop.now)
        try fixture.pump()
        #expect(
            input.takeEvents() == [
                "button 272 1", "motion -90.0,-90.0", "button 272 0", "pointer leave \(window.surface.id)",
            ])
        client.application.send(.beginIgnoringInteractionEvents)
        client.application.send(.beginIgnoringInteractionEvents)
        client.application.send(.endIgnoringInteractionEvents)
        try fixture.pump()
        #expect(try fixture.tap(x: 150, y: 150).reason == .ignoring)
        client.application.send(.endIgnoringInteractionEvents)
        try fixture.pump()
        #expect(try fixture.tap(x: 150, y: 150).hit != nil)
        client.application.send(.endIgnoringInteractionEvents)
        try fixture.pump()
        #expect(client.protocolError?.code == MullionApplicationV1.Error.unbalanced.rawValue)
    }
}
