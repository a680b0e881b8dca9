// Screenshots, captures and comparisons over the control socket.

import Compositor
import FoundationEssentials
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PictureTests {
    private struct Compared: Decodable {
        struct Pixel: Decodable, Equatable { var x, y: Int, expected, seen: String }
        struct Box: Decodable, Equatable { var x, y, width, height: Double }
        var equal: Bool
        var reason: String?
        var frame: UInt64
        var differing: Int?
        var greatest: Int?
        var box: Box?
        var first: Pixel?
        var diff: String?
        var sideBySide: String?
        var pixels: Int
    }

    private struct Captured: Decodable {
        struct Screen: Decodable { var name: String, toPixels: [Double], png: String? }
        struct Surface: Decodable { var role: String }
        struct Window: Decodable { var id: UInt32, title: String, toPixels: [Double]?, surfaces: [Surface] }
        var frame: UInt64
        var time: UInt64
        var keyWindow: UInt32?
        var png: String?
        var screens: [Screen]
        var windows: [Window]
    }

    private func decode<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) throws -> T {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    private func picture(_ base64: String?) throws -> Bitmap {
        let text = try #require(base64)
        return try PNG.decode(Array(try #require(Data(base64Encoded: text))))
    }

    private func apply(_ transform: [Double], _ x: Double, _ y: Double) -> (x: Int, y: Int) {
        let (a, b, c, d) = (transform[0], transform[1], transform[2], transform[3])
        return (Int(a * x + c * y + transform[4]), Int(b * x + d * y + transform[5]))
    }

    @Test("a screen equals its own picture; a change is reported to the pixel, with a picture of the difference")
    func compare() throws {
        let fixture = try ServerFixture(screens: ["100x80,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0xff20_3040).frame(10, 20, 30, 5)
        window.show()
        try fixture.pump()
        let golden = try control.send("GET", "/v1/screens/A/screenshot.png").body
        var answer = try control.send("POST", "/v1/screens/A/compare", golden, type: "image/png")
        #expect(answer.status == 200)
        #expect(try decode(Compared.self, answer.body).equal)
        let before = try decode(Compared.self, answer.body).frame
        #expect(answer.headers["mullion-frame"] == String(before))

        window.color(0xff20_304a).commit()
        try fixture.pump()
        answer = try control.send("POST", "/v1/compare?diff=true", golden)
        let found = try decode(Compared.self, answer.body)
        #expect(!found.equal && found.differing == 150 && found.greatest == 10 && found.frame > before)
        #expect(found.box == Compared.Box(x: 10, y: 20, width: 30, height: 5))
        #expect(found.first == Compared.Pixel(x: 10, y: 20, expected: "#203040", seen: "#20304a"))
        let differences = try picture(found.diff)
        #expect(differences[10, 20] == 0xffff_0000 && differences[9, 20] == 0xff00_0000)
        let tolerant = try control.send("POST", "/v1/compare?tolerance=10&diff=true", golden)
        let equal = try decode(Compared.self, tolerant.body)
        #expect(equal.equal && equal.greatest == 10 && equal.differing == 0 && equal.diff == nil)

        let other = try PNG.encode(Bitmap(width: 80, height: 100))
        let sizes = try decode(Compared.self, try control.send("POST", "/v1/compare?diff=true", other).body)
        #expect(!sizes.equal && sizes.differing == nil && sizes.diff == nil)
        #expect(sizes.reason == "the sizes differ: 100×80 pixels seen, 80×100 expected")
    }

    @Test("the title of a window that is masked or cropped may contain semicolons")
    func titles() throws {
        let fixture = try ServerFixture(screens: ["100x80,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let title = "a;b;1,2,3,4"
        let window = client.window(title).color(0xff20_3040).frame(10, 20, 30, 5)
        window.show()
        try fixture.pump()
        let golden = try control.send("GET", "/v1/screens/A/screenshot.png").body
        window.color(0xff20_304a).commit()
        try fixture.pump()
        for query in ["masks=0,0,1,1;window:\(title)", "masks=window:\(title)&masks=0,0,1,1"] {
            let answer = try control.send("POST", "/v1/screens/A/compare?\(query)", golden)
            #expect(try decode(Compared.self, answer.body).equal, "\(query): \(answer.text)")
        }
        try Data(golden).write(to: URL(fileURLWithPath: control.folder + "/a.png"))
        let command = ["compare", control.folder + "/a.png", "A", "--mask", "0,0,1,1", "--mask", "window:\(title)"]
        let result = try control.mullionctl(command)
        #expect(result.status == 0, "\(result)")
        let crop = try control.send("GET", "/v1/screens/A/screenshot.png?crop=window:\(title)").body
        #expect(try PNG.decode(crop) == Bitmap(width: 30, height: 5, filledWith: 0xff20_304a))
        let twice = try control.send("POST", "/v1/screens/A/compare?crop=0,0,1,1&crop=0,0,1,1", golden)
        #expect(twice.status == 400 && twice.text.contains("\\\"crop\\\" is repeated"), "\(twice.text)")
    }

    @Test("masks, crops and a number of differing pixels, by rectangle and by window; both pictures as one")
    func terms() throws {
        let fixture = try ServerFixture(screens: ["100x80,name=A", "60x40,name=B,orientation=landscapeRight"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let window = client.window("clock").color(0xff20_3040).frame(10, 20, 30, 5)
        window.show()
        try fixture.pump()
        let golden = try control.send("GET", "/v1/screens/A/screenshot.png").body
        window.color(0xff20_304a).commit()
        try fixture.pump()
        func compare(_ query: String, _ golden: [UInt8], at path: String = "/v1/screens/A") throws -> Compared {
            let answer = try control.send("POST", "\(path)/compare?\(query)", golden)
            #expect(answer.status == 200, "\(answer.text)")
            return try decode(Compared.self, answer.body)
        }
        let id = try #require(fixture.model.windows.last)
        for masks in ["window:clock", "window:\(id)", "10,20,30,5", "10,20,15,5;25,20,15,5", "0,0,100,80"] {
            #expect(try compare("masks=\(masks)", golden).equal, "\(masks)")
        }
        #expect(try compare("masks=10,20,15,5&masks=25,20,15,5", golden).equal)
        let rest = try compare("masks=10,20,29,5", golden)
        #expect(rest.differing == 5 && rest.box == Compared.Box(x: 39, y: 20, width: 1, height: 5))
        #expect(try compare("maxDiffering=150", golden).equal && !compare("maxDiffering=149", golden).equal)
        #expect(try compare("maxDiffering=2%25", golden).equal && !compare("maxDiffering=1%25", golden).equal)
        let whole = try picture(try compare("sideBySide=true", golden).sideBySide)
        #expect(whole.width == 316 && whole[10, 20] == 0xff20_3040 && whole[118, 20] == 0xff20_304a)
        #expect(whole[226, 20] == 0xffff_0000)

        // A crop is compared with a cropped picture; masks keep their positions.
        let crop = try control.send("GET", "/v1/screens/A/screenshot.png?crop=window:clock").body
        #expect(try PNG.decode(crop) == Bitmap(width: 30, height: 5, filledWith: 0xff20_304a))
        #expect(try compare("crop=10,20,30,5", crop).equal && compare("crop=window:clock", crop).equal)
        let moved = try compare("crop=9,20,30,5", crop)
        #expect(moved.differing == 5 && moved.box == Compared.Box(x: 0, y: 0, width: 1, height: 5))
        #expect(try compare("crop=9,20,30,5&masks=0,0,10,80", crop).equal)

        // Of all screens, at their positions; a turned screen too.
        let second = try #require(client.screens.first { $0.name == "B" })
        let other = client.window("other", on: second).color(0xff00_ff00).frame(3, 4, 6, 8)
        other.show()
        try fixture.pump()
        let all = try control.send("GET", "/v1/screenshot.png").body
        other.color(0xffff_0000).commit()
        try fixture.pump()
        #expect(try !compare("", all, at: "/v1").equal && compare("masks=window:other", all, at: "/v1").equal)
        let native = try control.send("GET", "/v1/screens/B/screenshot.png?crop=window:other").body
        #expect(try PNG.decode(native) == Bitmap(width: 8, height: 6, filledWith: 0xffff_0000))

        // Masks may overlap and exceed the picture, and a window may be anywhere.
        let many = (0..<256).map { "\($0 % 7),0,\(40 + $0),80" }.joined(separator: ";")
        #expect(try compare("masks=\(many)", golden).equal)
        let wideFrame = #"{"frame": {"x": -1e300, "y": 20, "width": 2e300, "height": 5}}"#
        #expect(try control.send("PATCH", "/v1/windows/\(id)", Array(wideFrame.utf8)).status == 200)
        try fixture.pump()
        #expect(try compare("masks=window:clock", golden).equal)
        let wide = try control.send("GET", "/v1/screens/A/screenshot.png?crop=window:clock").body
        #expect(try PNG.decode(wide).height == 5)

        for (path, status, words) in [
            ("/v1/screens/A/compare?masks=\(many);1,1,1,1", 400, "masks lists 257 areas; use at most 256"),
            ("/v1/screens/A/compare?masks=1,2,3", 400, "1,2,3\\\" is not a part of a picture; use X,Y,WIDTH,HEIGHT"),
            ("/v1/screens/A/compare?masks=window:none", 404, "no window has the id or title \\\"none"),
            ("/v1/screens/A/compare?crop=window:other", 409, "window:other is on no screen of the picture"),
            ("/v1/screens/A/compare?crop=90,0,11,5", 409, "90,0,11,5 is not within the picture of 100×80 pixels"),
            ("/v1/screens/A/compare?maxDiffering=many", 400, "maxDiffering=many is not a number of pixels"),
            ("/v1/screens/A/compare?maxDiffering=-1", 400, "maxDiffering=-1 is not a number of pixels"),
            ("/v1/windows/\(id)/compare?masks=window:clock", 400, "a window has no other windows"),
        ] {
            let answer = try control.send("POST", path, golden)
            #expect(answer.status == status && answer.text.contains(words), "\(path): \(answer)")
        }
    }

    @Test("a window equals its own picture, alpha included, and is cropped and masked in its own pixels")
    func compareWindow() throws {
        let fixture = try ServerFixture(screens: ["200x160,scale=2,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0x8040_2010).frame(10, 20, 30, 5)
        window.show()
        try fixture.pump()
        let path = "/v1/windows/\(try #require(fixture.model.windows.last))"
        let golden = try control.send("GET", path + "/screenshot.png").body
        func compare(_ query: String, _ golden: [UInt8]) throws -> Compared {
            try decode(Compared.self, try control.send("POST", "\(path)/compare?\(query)", golden).body)
        }
        #expect(try compare("", golden).equal)
        let crop = try control.send("GET", path + "/screenshot.png?crop=1,2,3,4").body
        #expect(try compare("crop=1,2,3,4", crop).equal)
        window.color(0x8140_2010).commit()
        try fixture.pump()
        let translucent = try compare("", golden)
        #expect(!translucent.equal && translucent.differing == translucent.pixels)
        #expect(try compare("masks=0,0,4000,4000", golden).equal && compare("tolerance=1", golden).equal)
    }

    @Test("what cannot be compared is refused with the reason; long bodies are accepted for comparisons only")
    func refusals() throws {
        let fixture = try ServerFixture(screens: ["64x64,name=A"])
        let control = try ControlSession(fixture)
        let golden = try PNG.encode(Bitmap(width: 64, height: 64))
        func check(
            _ target: String, _ body: [UInt8], _ status: Int, _ words: String, type: String? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let answer = try control.send("POST", target, body, type: type)
            #expect(answer.status == status && answer.text.contains(words), "\(answer)", sourceLocation: sourceLocation)
        }
        try check("/v1/compare", [], 400, "PNG")
        try check("/v1/compare", Array("no picture at all".utf8), 400, "PNG")
        try check("/v1/compare", Array(golden.dropLast(golden.count / 2)), 400, "not a PNG")
        try check("/v1/compare", golden, 415, "image/png", type: "application/x-www-form-urlencoded")
        try check("/v1/compare?tolerance=256", golden, 400, "0…255")
        try check("/v1/compare?tolerance=1.5", golden, 400, "not an integer")
        try check("/v1/compare?upright=true", golden, 400, "upright")
        try check("/v1/screens/B/compare", golden, 404, "B")
        let long = [UInt8](repeating: 32, count: 1 << 20 + 1)
        try check("/v1/settle", long, 413, "1048576")
        try check("/v1/compare", long, 400, "not a PNG")
        #expect(try control.send("POST", "/v1/compare", length: 64 << 20 + 1).status == 413)
        #expect(try control.send("GET", "/v1/capture?screen=A&joined=true").status == 400)
        try fixture.server.disconnect(fixture.mainScreen)
        try check("/v1/compare", golden, 409, "S2")
        let empty = try decode(Captured.self, try control.send("GET", "/v1/capture").body)
        #expect(empty.screens.isEmpty && empty.windows.isEmpty && empty.keyWindow == nil)
    }

    @Test("a capture shows screens, windows, pictures and key at one moment; its number grows when pictures change")
    func capture() throws {
        let fixture = try ServerFixture(screens: ["60x40,name=A,scale=2", "50x30,name=B,orientation=landscapeLeft"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let second = try #require(client.screens.first { $0.name == "B" })
        let one = client.window("one").color(0xffff_0000).frame(2, 3, 10, 10)
        one.makeKeyAndVisible()
        let two = client.window("two", on: second).frame(1, 2, 8, 8)
        two.show()
        let waiting = client.window("waiting")
        waiting.commit()
        _ = try client.attach(0xff00_ff00, width: 8, height: 8, to: two.surface)
        two.commit()
        try fixture.pump()
        let first = try control.send("GET", "/v1/capture")
        let seen = try decode(Captured.self, first.body)
        #expect(first.headers["mullion-frame"] == String(seen.frame) && seen.png == nil)
        #expect(seen.screens.map(\.name) == ["A", "B"])
        #expect(seen.windows.map(\.title) == ["one", "two", "waiting"])
        #expect(seen.keyWindow == seen.windows[0].id && seen.windows[1].surfaces.map(\.role) == ["root"])
        let (a, b) = (try picture(seen.screens[0].png), try picture(seen.screens[1].png))
        #expect(a.width == 60 && b.width == 50)
        // The centre of each window, transformed, is a pixel of the window's colour.
        let middle = apply(try #require(seen.windows[0].toPixels), 5, 5)
        #expect(middle == (14, 16) && a[middle.x, middle.y] == 0xffff_0000)
        let turned = apply(try #require(seen.windows[1].toPixels), 1.5, 0.5)
        #expect(turned == (2, 27) && b[turned.x, turned.y] == 0xff00_ff00)
        #expect(seen.screens[1].toPixels == [0, -1, 1, 0, 0, 30])

        // With joined and upright, the transforms map into those pictures.
        let joined = try decode(Captured.self, try control.send("GET", "/v1/capture?joined=true").body)
        let all = try picture(joined.png)
        #expect(joined.frame == seen.frame && joined.time > seen.time && joined.screens.allSatisfy { $0.png == nil })
        for (index, color) in [0xffff_0000, 0xff00_ff00].enumerated() {
            let place = apply(try #require(joined.windows[index].toPixels), 4, 4)
            #expect(all[place.x, place.y] == UInt32(color))
        }
        let upright = try decode(Captured.self, try control.send("GET", "/v1/capture?screen=B&upright=true").body)
        #expect(upright.screens[0].png == nil && upright.screens[1].toPixels == [1, 0, 0, 1, 0, 0])
        #expect(try picture(upright.screens[1].png)[1, 2] == 0xff00_ff00)

        func frame() throws -> UInt64 { try decode(Captured.self, try control.send("GET", "/v1/capture").body).frame }
        #expect(try frame() == seen.frame, "nothing has changed")
        one.frame(3, 3, 10, 10).commit()
        try fixture.pump()
        let moved = try frame()
        #expect(moved > seen.frame)
        _ = try client.attach(0xff00_00ff, width: 8, height: 8, to: two.surface)
        two.commit()
        try fixture.pump()
        let redrawn = try frame()
        #expect(redrawn > moved)
        // Invisible pixels do not count, nor does a commit without pixels.
        _ = try client.attach(0xff00_00ff, width: 8, height: 8, to: waiting.surface)
        waiting.commit()
        two.commit()
        try fixture.pump()
        #expect(try frame() == redrawn)
        try fixture.model.setPosition(Point(x: 100, y: 7), of: fixture.server.screen("B").id)
        #expect(try frame() > redrawn)
        try fixture.server.disconnect(try fixture.server.screen("B").id)
        #expect(try frame() > redrawn)
    }

    @Test("S4: a picture of one screen is native, or upright on request; one of all screens is upright")
    func upright() throws {
        for (orientation, x, y) in [
            ("portrait", 0, 0), ("portraitUpsideDown", 39, 19), ("landscapeLeft", 0, 19), ("landscapeRight", 39, 0),
        ] {
            let fixture = try ServerFixture(screens: ["40x20,name=A,orientation=\(orientation)"])
            let control = try ControlSession(fixture)
            let client = try fixture.connect()
            client.window("corner").color(0xffff_0000).frame(0, 0, 3, 1).show()
            try fixture.pump()
            let native = try PNG.decode(try control.send("GET", "/v1/screens/A/screenshot.png").body)
            #expect(native.width == 40 && native[x, y] == 0xffff_0000, "\(orientation)")
            for target in ["/v1/screens/A/screenshot.png?upright=true", "/v1/screenshot.png"] {
                let picture = try PNG.decode(try control.send("GET", target).body)
                #expect(picture.width == (orientation.hasPrefix("landscape") ? 20 : 40))
                let row = (0..<4).map { picture[$0, 0] }
                #expect(row == [0xffff_0000, 0xffff_0000, 0xffff_0000, 0xff00_0000] && picture[0, 1] == 0xff00_0000)
            }
        }
    }

    @Test("S2: pictures of several screens show one moment, whatever is drawn or unplugged meanwhile")
    func moment() throws {
        let fixture = try ServerFixture(screens: ["64x64,name=A", "3840x2160,name=B,scale=1"])
        let client = try fixture.connect()
        let second = try #require(client.screens.first { $0.name == "B" })
        let windows = [client.window("a"), client.window("b", on: second)]
        for window in windows { window.color(0xffff_0000).frame(0, 0, 20, 20).show() }
        try fixture.pump()
        let screens = fixture.model.screens
        var first: [Bitmap] = []
        var later: [[Bitmap]] = []
        var gone: Int?
        fixture.server.capture(screens) { first = $0.map(\.1) }
        // The small screen is drawn in the first slice; its content changes while the large one is still being drawn.
        try fixture.loop.runOnce(nonblocking: true)
        for window in fixture.model.windows {
            try fixture.model.setFrame(Rect(x: 30, y: 0, width: 20, height: 20), of: window)
        }
        // A screen that is being drawn is drawn once more afterwards, once for all who request it by then.
        let drawn = fixture.server.counters.framesDrawn
        for _ in 0..<3 { fixture.server.capture([screens[0]]) { later.append($0.map(\.1)) } }
        fixture.server.capture([screens[1]]) { gone = $0.count }
        #expect(first.isEmpty && later.isEmpty && gone == nil)
        try fixture.server.disconnect(screens[1])
        #expect(first.isEmpty && gone == nil)
        try fixture.wait(for: "all pictures") { later.count == 3 && gone != nil }
        #expect(first.count == 2, "a picture that was begun shows the old content")
        for picture in first { #expect(picture[5, 5] == 0xffff_0000 && picture[35, 5] == 0xff00_0000) }
        for picture in later { #expect(picture.first?[5, 5] == 0xff00_0000 && picture.first?[35, 5] == 0xffff_0000) }
        #expect(gone == 0, "a screen unplugged before its turn has no picture")
        #expect(fixture.server.counters.framesDrawn == drawn + 1)
    }
}
