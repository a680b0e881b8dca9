// What PATCH /v1/windows and the event stream say of windows: W1, W3, R2.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct WindowPatchTests {
    @Test("R2: the control API sets and shows all six parts of the mask, which decide what follows a rotation")
    func autoresizing() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000).frame(100, 200, 300, 100)
        window.show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        let all = "[\"leftMargin\",\"width\",\"rightMargin\",\"topMargin\",\"height\",\"bottomMargin\"]"
        #expect(
            try control.send("PATCH", "/v1/windows/\(id)", "{\"autoresizing\": \(all)}").body
                .contains("\"autoresizing\":\(all)"))
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        let frame = try #require(window.frame)
        #expect(abs(frame.x - 75) < 0.01 && abs(frame.y - 800.0 / 3) < 0.01)
        #expect(abs(frame.width - 225) < 0.01 && abs(frame.height - 400.0 / 3) < 0.01)
        let wrong = try control.send("PATCH", "/v1/windows/\(id)", "{\"autoresizing\": [\"depth\"]}")
        #expect(wrong.status == 422 && wrong.body.contains("bottomMargin"))
        _ = try TestToplevel.map(client, fixture)
        let plain = try #require(fixture.model.windows.last)
        #expect(try control.send("PATCH", "/v1/windows/\(plain)", "{\"autoresizing\": [\"width\"]}").status == 409)
        #expect(fixture.model.window(plain)?.autoresizing == [])
    }

    @Test("R2: the wire carries all six parts of the mask; a window follows them to the pixel")
    func wire() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let client = try fixture.connect()
        let bar = client.window("bar").color(0xffff0000).frame(0, 500, 800, 100)
        bar.window.send(.setAutoresizing(mask: [.width, .topMargin]))
        let corner = client.window("corner").color(0xff00ff00).frame(700, 0, 100, 100)
        corner.window.send(.setAutoresizing(mask: [.leftMargin, .bottomMargin]))
        for window in [bar, corner] { window.show() }
        try fixture.pump()
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        #expect(bar.frame.map { [$0.x, $0.y, $0.width, $0.height] } == [0, 700, 600, 100])
        #expect(corner.frame.map { [$0.x, $0.y, $0.width, $0.height] } == [500, 0, 100, 100])
    }

    @Test("the event stream tells every change of a window, by its client or through the control API")
    func stream() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000)
        window.show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        func patch(_ body: String) throws {
            #expect(try control.send("PATCH", "/v1/windows/\(id)", body).status == 200)
        }
        let events = try control.events()
        window.level(5).commit()
        try fixture.pump()
        try patch("{\"alpha\": 0.5, \"title\": \"t\", \"userInteractionEnabled\": false}")
        try patch("{\"hidden\": true, \"autoresizing\": [\"width\"]}")
        try patch("{\"hidden\": false, \"front\": true}")
        let names = [
            "levelDidChange", "autoresizingDidChange", "alphaDidChange", "titleDidChange",
            "userInteractionEnabledDidChange", "hiddenDidChange", "cameToFront",
        ]
        let told = try events().filter { event in names.contains { event.contains("\"event\":\"\($0)\"") } }
        let order = told.compactMap { event in names.first { event.contains("\"\($0)\"") } }
        #expect(
            order == [
                "levelDidChange", "alphaDidChange", "titleDidChange", "userInteractionEnabledDidChange",
                "autoresizingDidChange", "hiddenDidChange", "hiddenDidChange",
            ])
        #expect(told.allSatisfy { $0.contains("\"window\":\(id)") && $0.contains("\"application\":") })
        let other = client.window("other")
        try patch("{\"front\": true}")
        #expect(try events().filter { $0.contains("\"event\":\"cameToFront\"") }.count == 2)
        other.destroy()
    }
}
