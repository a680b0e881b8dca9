// Pictures of single windows over the control socket.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct WindowPictureTests {
    private func picture(_ control: ControlSession, _ id: Window.ID, _ query: String = "") throws -> Bitmap {
        let answer = try control.send("GET", "/v1/windows/\(id)/screenshot.png" + query)
        #expect(answer.status == 200 && answer.headers["content-type"] == "image/png", "\(answer)")
        #expect(answer.headers["mullion-frame"] != nil)
        return try PNG.decode(answer.body)
    }

    @Test("a window's picture shows it alone: covered, off screen, hidden, faded and without a screen")
    func alone() throws {
        let fixture = try ServerFixture(screens: ["100x80,name=A,scale=2"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0xff20_3040).frame(10, 10, 20, 10)
        window.show()
        client.window("above").color(0xffff_0000).level(5).frame(0, 0, 100, 80).show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        func check(_ what: Comment) throws {
            let picture = try picture(control, id)
            #expect(picture.width == 40 && picture.height == 20, what)
            #expect(picture.pixels.allSatisfy { $0 == 0xff20_3040 }, what)
        }
        try check("covered")
        window.frame(-500, 900, 20, 10).commit()
        try fixture.pump()
        try check("off screen")
        window.hide()
        try fixture.pump()
        try check("hidden")
        try fixture.server.disconnect(fixture.mainScreen)
        try fixture.pump()
        let small = try picture(control, id)
        #expect(small.width == 20 && small.height == 10, "no screen: one pixel per point")
    }

    @Test("W1: translucent contents and the window's alpha are kept in the file's alpha")
    func alpha() throws {
        let fixture = try ServerFixture(screens: ["60x40,name=A"])
        let client = try fixture.connect()
        let window = client.window("w").frame(0, 0, 4, 4)
        try client.attach(0x8040_0000, width: 2, height: 4, to: window.surface)
        window.show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        func taken() throws -> Bitmap {
            var result: Bitmap?
            fixture.server.captures.capture(id, withPopups: false) { result = $0 }
            try fixture.wait(for: "a picture") { result != nil }
            return try #require(result)
        }
        var picture = try taken()
        #expect(picture.hasAlpha && picture[0, 0] == 0x8040_0000 && picture[2, 0] == 0)
        try fixture.model.setAlpha(0.5, of: id)
        picture = try taken()
        #expect(picture[0, 0] == 0x4020_0000 && picture[3, 3] == 0)
        let control = try ControlSession(fixture)
        let file = try control.send("GET", "/v1/windows/\(id)/screenshot.png").body
        #expect(file[25] == 6, "RGBA")
    }

    @Test("C1, C3: sub-surfaces and pop-ups are part of it; those outside the bounds only with popups=true")
    func popups() throws {
        let fixture = try ServerFixture(screens: ["200x100,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let toplevel = client.toplevel("w")
        toplevel.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_00ff, width: 30, height: 20, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        let node = try #require(fixture.model.window(id)?.root)
        let part = fixture.model.createSurface()
        try fixture.model.addPopup(part, to: id, at: Point(x: 25, y: 5))
        try fixture.model.setContent(part, size: Size(width: 15, height: 5))
        #expect(fixture.model.surface(node) != nil)
        let bounds = try picture(control, id)
        #expect(bounds.width == 30 && bounds.height == 20 && bounds[29, 6] == 0xff00_00ff)
        let whole = try picture(control, id, "?popups=true")
        #expect(whole.width == 40 && whole.height == 20)
        try fixture.model.destroySurface(part)
    }

    @Test("the pointer is in the picture if requested; refusals say what is wrong")
    func cursorAndRefusals() throws {
        let fixture = try ServerFixture(screens: ["60x40,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0xff20_3040).frame(10, 10, 30, 20)
        window.show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        let place = InputEvent.Place(screen: nil, point: Point(x: 20, y: 15))
        _ = try fixture.server.injector.inject([.hover(place)])
        try fixture.pump()
        let bare = try picture(control, id)
        let seen = try picture(control, id, "?cursor=true")
        #expect(bare[10, 5] == 0xff20_3040 && seen[10, 5] != 0xff20_3040 && seen[29, 19] == 0xff20_3040)
        #expect(try control.send("GET", "/v1/windows/99/screenshot.png").status == 404)
        #expect(try control.send("GET", "/v1/windows/\(id)/screenshot.png?popups=1").status == 400)
        for size in [(0.0, 10.0), (20_000, 10), (16_000, 16_000)] {
            window.frame(0, 0, size.0, size.1).commit()
            try fixture.pump()
            let answer = try control.send("GET", "/v1/windows/\(id)/screenshot.png")
            #expect(answer.status == 409 && answer.text.contains("W6"), "\(answer)")
        }
    }

    @Test("mullionctl screenshot --window saves it; options that make no sense together are refused")
    func command() throws {
        let fixture = try ServerFixture(screens: ["60x40,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        client.window("w").color(0xff20_3040).frame(10, 10, 30, 20).show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        let file = control.folder + "/window.png"
        let result = try control.mullionctl("screenshot", "--window", "\(id)", "-o", file)
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
        let picture = try PNG.decode(control.read("window.png"))
        #expect(picture.width == 30 && picture.height == 20 && picture[0, 0] == 0xff20_3040)
        #expect(try control.mullionctl("screenshot", "A", "--window", "1", "-o", file).status == 2)
        #expect(try control.mullionctl("screenshot", "--popups", "-o", file).status == 2)
        #expect(try control.mullionctl("screenshot", "--window", "77", "-o", file).status == 1)
    }
}
