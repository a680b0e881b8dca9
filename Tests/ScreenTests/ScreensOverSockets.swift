// S rules through client connections: plugging, unplugging, plugging in again.

import DisplayServer
import Geometry
import TestSupport
import Testing
import Wayland
import WindowModel

@testable import Displays

@Suite struct ScreensOverSockets {
    @Test("S2, S6: screens present are listed and not announced; a new one is announced to every application")
    func announcements() throws {
        let fixture = try ServerFixture(screens: ["800x600", "1024x768,external"])
        let client = try fixture.connect()
        #expect(client.screens.map(\.name) == ["BUILTIN-1", "EXTERNAL-1"])
        #expect(client.screens.map(\.wasAnnounced) == [false, false])
        #expect(client.takeEvents() == [])
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,scale=2"))
        try fixture.pump()
        #expect(client.takeEvents() == ["didConnect"])
        #expect(client.screens.last?.name == "EXTERNAL-2")
        #expect(client.screens.last?.bounds.width == 320)
    }

    @Test("S8: windows of an unplugged screen are kept, hidden and notified; frame, order and visibility return")
    func orphans() throws {
        let fixture = try ServerFixture(screens: ["800x600", "800x600,external,name=TV"])
        let client = try fixture.connect()
        let tv = client.screens[1]
        let low = client.window("low", on: tv).color(0xffff0000).frame(0, 0, 100, 100)
        let high = client.window("high", on: tv).color(0xff00ff00).frame(50, 50, 100, 100)
        low.makeKeyAndVisible()
        high.show()
        try fixture.pump()
        _ = client.takeEvents()
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.pump()
        let received = client.takeEvents()
        #expect(
            received.filter { $0.hasPrefix("low") } == [
                "low.didBecomeHidden", "low.didResignKey", "low.screenDidChange(nil)",
            ])
        #expect(received.contains("didDisconnect"))
        #expect(!tv.isConnected)
        #expect(fixture.model.keyWindow == nil)
        try fixture.server.plug(ScreenSpecification(parsing: "800x600,external,name=TV"))
        try fixture.pump()
        let back = client.takeEvents()
        #expect(back.contains("low.didBecomeVisible") && back.contains("high.didBecomeVisible"))
        #expect(back.contains("low.screenDidChange(TV)"))
        let screen = fixture.model.screens[1]
        #expect(try fixture.color(x: 25, y: 25, on: screen) == 0xff0000)
        #expect(try fixture.color(x: 75, y: 75, on: screen) == 0x00ff00)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K2, S8: a plain window that is mapped or was key on an unplugged screen takes key only from nobody")
    func keyAfterReplug() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external,name=TV"])
        let client = try fixture.connect()
        let input = try TestInput(client)
        func replug() throws {
            try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=TV"))
            try fixture.pump()
        }
        let early = try TestToplevel.map(client, fixture, "early")
        let window = try #require(fixture.model.keyWindow)
        try fixture.model.move(window, to: fixture.model.screens[1])
        try fixture.pump()
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.pump()
        #expect(fixture.model.keyWindow == nil && !early.has(.activated))
        _ = input.takeEvents()
        try replug()
        try fixture.press(30)
        #expect(early.has(.activated))
        #expect(
            input.takeEvents() == ["enter \(early.surface.id) []", "modifiers 0", "key 30 1", "key 30 0"])
        // The screen is unplugged while a program starts there; meanwhile somebody else is made key.
        let starter = try fixture.connect("starter")
        let late = starter.toplevel("late")
        late.surface.send(.commit)
        try fixture.pump()
        try fixture.model.move(#require(fixture.model.windows.last), to: fixture.model.screens[1])
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.pump()
        try starter.attach(0xff00ff00, width: 50, height: 50, to: late.surface)
        late.surface.send(.commit)
        let other = try fixture.connect("other").window("other").color(0xff0000ff)
        other.makeKeyAndVisible()
        try fixture.pump()
        let key = try #require(fixture.model.keyWindow)
        #expect(fixture.model.window(key)?.title == "other")
        try replug()
        #expect(fixture.model.windows.allSatisfy { fixture.model.isVisible($0) } && fixture.model.keyWindow == key)
        #expect(!late.has(.activated) && !early.has(.activated))
    }

    @Test("S9: a storm of plug and unplug never disconnects a client that uses and binds stale screens")
    func storm() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000)
        window.show()
        for _ in 0..<200 {
            let id = try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=FLAP"))
            try fixture.pump()
            guard let screen = client.screens.last else { throw FixtureError("no screen announced") }
            try fixture.server.disconnect(id)
            // The client has not read the withdrawal yet and continues as if the screen were connected.
            let output = try client.bind(WlOutput.self, name: screen.globalName)
            window.window.send(.setScreen(screen: screen.proxy.id))
            window.commit()
            let late = client.window("late", on: screen).color(0xff00ff00)
            late.show()
            try fixture.pump()
            output.send(.release)
            screen.proxy.send(.destroy)
            late.destroy()
        }
        try fixture.pump()
        #expect(client.isOpen)
        #expect(client.removedGlobals.count == 200)
        #expect(fixture.model.windows.count == 1)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("S2: without a screen clients connect and claim windows, which show when a screen appears")
    func noScreen() throws {
        let fixture = try ServerFixture(screens: [])
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000)
        window.makeKeyAndVisible()
        try fixture.pump()
        #expect(client.takeEvents() == [])
        try fixture.server.plug(ScreenSpecification(parsing: "640x480"))
        try fixture.pump()
        #expect(client.takeEvents().suffix(2) == ["w.didBecomeVisible", "w.didBecomeKey"])
        #expect(try fixture.color(x: 639, y: 479) == 0xff0000)
    }

    @Test("S3, S6: a mode change is sent when it is in effect; an impossible one is refused and changes nothing")
    func modes() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let screen = try fixture.server.connect(
            ScreenDescription(
                name: "TWO", modes: [Screen.Mode(width: 640, height: 480), Screen.Mode(width: 1280, height: 720)]))
        try fixture.pump()
        #expect(client.screens.last?.currentMode.width == 1280, "S3: the highest resolution")
        _ = client.takeEvents()
        try fixture.model.setMode(Screen.Mode(width: 640, height: 480), of: screen)
        try fixture.pump()
        #expect(client.takeEvents() == ["modeDidChange 640x480"])
        #expect(throws: ModelError.self) { try fixture.model.setMode(Screen.Mode(width: 1, height: 1), of: screen) }
        #expect(try fixture.screenshot(screen).width == 640)
    }

    @Test("S6: the screens to the right of one that is turned make room, unless their position was set")
    func layout() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external", "320x240,external"])
        let client = try fixture.connect()
        let outputs = try client.screens.map { try client.bind(WlOutput.self, name: $0.globalName) }
        var places: [[Int32]] = []
        for output in outputs {
            output.onEvent = { event in
                if case .geometry(let x, let y, _, _, _, _, _, _) = event { places.append([x, y]) }
            }
        }
        try fixture.pump()
        #expect(places == [[0, 0], [800, 0], [1440, 0]])
        places = []
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        #expect(places.sorted { $0[0] < $1[0] } == [[0, 0], [600, 0], [1240, 0]])
        // Somebody sets the position of the second to what it is.
        var wanted = try #require(fixture.model.screen(fixture.model.screens[1])).properties
        wanted.isPositioned = true
        try fixture.server.change(fixture.model.screens[1], to: wanted)
        places = []
        try fixture.server.rotate(fixture.mainScreen, to: .portrait, duration: 0)
        try fixture.pump()
        #expect(
            places.sorted { $0[0] < $1[0] } == [[1240, 0], [2040, 0]],
            "the first is to the right of the second, which stays, and the third of the first")
        // A remembered place that another screen has got meanwhile is not taken (S10).
        try fixture.server.disconnect(fixture.model.screens[2])
        try fixture.server.plug(ScreenSpecification(parsing: "100x100,external,position=2100+0"))
        let again = try fixture.server.plug(ScreenSpecification(parsing: "320x240,external"))
        #expect(fixture.model.screen(again)?.position == Point(x: 2200, y: 0))
    }

    @Test("S6: a change of scale sends the new bounds to clients, and no change of mode")
    func scale() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let client = try fixture.connect()
        let full = client.window("full").color(0xffff0000)
        full.show()
        let toplevel = try TestToplevel.map(client, fixture)
        toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        let screen = try #require(client.screens.first)
        let count = screen.states.count
        _ = client.takeEvents()
        try fixture.model.setScale(2, of: fixture.mainScreen)
        try fixture.pump()
        #expect(client.takeEvents() == ["full.frameDidChange"])
        #expect(screen.states.count == count + 1 && screen.bounds == (400, 300))
        #expect(toplevel.size == (400, 300) && full.frame.map { [$0.width, $0.height] } == [400, 300])
        #expect(try fixture.color(x: 799, y: 599) == 0xff0000)
    }
}
