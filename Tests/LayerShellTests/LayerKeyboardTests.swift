// The keyboard interactivity of layer surfaces: K4, K7 and K8.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct LayerKeyboardTests {
    @Test("K4: without interactivity a surface never becomes key, and no touch brings it to the front")
    func none() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let first = try TestLayerSurface(client).set(100, 100).map(fixture)
        try TestLayerSurface(client).set(200, 50).map(fixture)
        #expect(fixture.model.keyWindow == nil)
        try fixture.tap(x: 400, y: 260)
        #expect(fixture.model.keyWindow == nil)
        #expect(fixture.model.windows(on: fixture.mainScreen) == fixture.model.windows)
        // Mapped while it cannot be key, it becomes so by the next commit only.
        first.set(100, 100, keyboard: .exclusive)
        try fixture.pump()
        #expect(fixture.model.keyWindow == nil)
        first.commit()
        try fixture.pump()
        #expect(fixture.model.keyWindow == fixture.model.windows[0])
        first.set(100, 100).commit()
        try fixture.pump()
        #expect(fixture.model.keyWindow == nil)
    }

    @Test("K7: on demand, a surface becomes key by a touch, and others take it from it")
    func onDemand() throws {
        let fixture = try ServerFixture()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        _ = try TestToplevel.map(other, fixture, width: 100, height: 100)
        let search = try TestLayerSurface(client).set(100, 30, at: .bottom, keyboard: .onDemand).map(fixture)
        let windows = fixture.model.windows
        #expect(fixture.model.keyWindow == windows[0], "K2: it takes key from nobody")
        let keys = try TestInput(client)
        try fixture.pump()
        try fixture.tap(x: 400, y: 590)
        #expect(fixture.model.keyWindow == windows[1])
        #expect(keys.takeEvents().contains { $0.hasPrefix("enter \(search.surface.id)") })
        try fixture.tap(x: 40, y: 40)
        #expect(fixture.model.keyWindow == windows[0])
    }

    @Test("K8: exclusive surfaces of the top and overlay layers keep the keyboard until they go", arguments: [2, 3])
    func exclusive(layer: UInt32) throws {
        let fixture = try ServerFixture()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        let (keys, others) = (try TestInput(client), try TestInput(other))
        let toplevel = try TestToplevel.map(other, fixture, width: 100, height: 100)
        try fixture.pump()
        let launcher = try TestLayerSurface(client, .init(rawValue: layer))
            .set(100, 30, keyboard: .exclusive).map(fixture)
        let windows = fixture.model.windows
        #expect(fixture.model.keyWindow == windows[1])
        _ = (keys.takeEvents(), others.takeEvents())
        // A touch, a new window and makeKey of the extension change nothing.
        try fixture.tap(x: 40, y: 40)
        _ = try TestToplevel.map(other, fixture, "another")
        let own = other.window("own").frame(500, 500, 10, 10)
        own.makeKeyAndVisible()
        try fixture.pump()
        #expect(fixture.model.keyWindow == windows[1])
        try fixture.press(30)
        #expect(keys.takeEvents().contains("key 30 1"))
        #expect(!others.takeEvents().contains { $0.hasPrefix("key") || $0.hasPrefix("enter") })
        #expect(fixture.model.checkInvariants() == [])
        launcher.surface.send(.attach(buffer: nil, x: 0, y: 0))
        launcher.commit()
        try fixture.pump()
        #expect(fixture.model.keyWindow == fixture.model.windows[3], "it asked last")
        #expect(toplevel.configures > 0 && fixture.model.checkInvariants() == [])
    }

    @Test("K8: key returns to where it was, and to the next exclusive surface first")
    func returns() throws {
        let fixture = try ServerFixture()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        _ = try TestLayerSurface(client).set(100, 30, at: .bottom, keyboard: .onDemand).map(fixture)
        _ = try TestToplevel.map(other, fixture)
        let windows = fixture.model.windows
        try fixture.tap(x: 40, y: 40)
        #expect(fixture.model.keyWindow == windows[1])
        let launcher = try TestLayerSurface(client).set(100, 30, keyboard: .exclusive).map(fixture)
        let prompt = try TestLayerSurface(other, .overlay).set(100, 30, keyboard: .exclusive).map(fixture)
        #expect(fixture.model.keyWindow == fixture.model.windows[3])
        prompt.layer.send(.setLayer(layer: .bottom))
        prompt.commit()
        try fixture.pump()
        #expect(fixture.model.keyWindow == fixture.model.windows[2], "below the windows it holds nothing")
        prompt.destroy()
        try fixture.pump()
        #expect(fixture.model.keyWindow == fixture.model.windows[2])
        launcher.destroy()
        try fixture.pump()
        #expect(fixture.model.keyWindow == windows[1], "not the panel, although its level is higher")
    }

    @Test("K8: key returns to who typed before, though a prompt opened behind the launcher and closed before it")
    func promptBehind() throws {
        let fixture = try ServerFixture()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        _ = try TestLayerSurface(client).set(100, 30, at: .bottom, keyboard: .onDemand).map(fixture)
        _ = try TestToplevel.map(other, fixture)
        let typing = try #require(fixture.model.windows.last)
        // K8, K5: interaction is asked of heirs only.
        try fixture.model.setUserInteractionEnabled(false, of: typing)
        try fixture.model.makeKey(typing)
        let launcher = try TestLayerSurface(client, .overlay).set(100, 30, keyboard: .exclusive).map(fixture)
        let held = fixture.model.keyWindow
        let prompt = try TestLayerSurface(other).set(100, 30, keyboard: .exclusive).map(fixture)
        #expect(fixture.model.keyWindow == held && held != typing)
        prompt.destroy()
        try fixture.pump()
        #expect(fixture.model.keyWindow == held)
        launcher.destroy()
        try fixture.pump()
        #expect(fixture.model.keyWindow == typing)
    }

    @Test("an exclusive surface of the background becomes key as if on demand")
    func background() throws {
        let fixture = try ServerFixture()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        _ = try TestToplevel.map(other, fixture)
        try TestLayerSurface(client, .background).set(0, 0, at: .all, keyboard: .exclusive).map(fixture)
        let windows = fixture.model.windows
        #expect(fixture.model.keyWindow == windows[0])
        try fixture.tap(x: 700, y: 500)
        #expect(fixture.model.keyWindow == windows[1])
        try fixture.tap(x: 40, y: 40)
        #expect(fixture.model.keyWindow == windows[0])
    }
}
