// S rules through client connections: plugging, unplugging, plugging in again.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
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

    @Test("S3, S6: a mode change is sent when it is in effect; an impossible one is refused and changes nothing")
    func modes() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let screen = try fixture.server.connect(
            ScreenDescription(
                name: "TWO", modes: [Screen.Mode(width: 1280, height: 720), Screen.Mode(width: 640, height: 480)]))
        try fixture.pump()
        #expect(client.screens.last?.currentMode.width == 1280, "S3: the first one")
        _ = client.takeEvents()
        try fixture.model.setMode(Screen.Mode(width: 640, height: 480), of: screen)
        try fixture.pump()
        #expect(client.takeEvents() == ["modeDidChange 640x480"])
        #expect(throws: ModelError.self) { try fixture.model.setMode(Screen.Mode(width: 1, height: 1), of: screen) }
        #expect(try fixture.screenshot(screen).width == 640)
    }

    @Test("S10: a remembered place that another screen has got meanwhile is not taken")
    func takenPlace() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external", "320x240,external"])
        #expect(fixture.model.screen(fixture.model.screens[2])?.position == Point(x: 1440, y: 0))
        try fixture.server.disconnect(fixture.model.screens[2])
        try fixture.server.plug(ScreenSpecification(parsing: "100x100,external,position=1500+0"))
        let again = try fixture.server.plug(ScreenSpecification(parsing: "320x240,external"))
        #expect(fixture.model.screen(again)?.position == Point(x: 1600, y: 0))
    }
}
