// Cursors: which image is drawn, where, and in which captures.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct CursorTests {
    private static let green: UInt32 = 0xff00_ff00
    private static let red: UInt32 = 0xffff_0000
    private static let blue: UInt32 = 0xff00_00ff
    private static let black: UInt32 = 0xff00_0000
    private static let white: UInt32 = 0xffff_ffff

    private func picture(_ setup: PointerFixture, cursor: Bool = true, of screen: String = "A") throws -> Bitmap {
        try setup.fixture.pump()
        var result: Bitmap?
        let id = try setup.fixture.server.screen(screen).id
        setup.fixture.server.capture([id], cursor: cursor) { result = $0.first?.1 }
        try setup.fixture.wait(for: "a picture") { result != nil }
        return try #require(result)
    }

    /// The number of pixels in which two pictures differ.
    private func differing(_ a: Bitmap, _ b: Bitmap) -> Int { zip(a.pixels, b.pixels).count { $0 != $1 } }

    @Test("unless a client sets the cursor it is an arrow; it is drawn on request, and never hit")
    func arrow() throws {
        let setup = try PointerFixture(screens: ["80x60,name=A"])
        #expect(try picture(setup) == picture(setup, cursor: false), "before the pointer has a position")
        try setup.hover(10, 20)
        let bare = try picture(setup, cursor: false)
        #expect(bare == Bitmap(width: 80, height: 60))
        let seen = try picture(setup)
        #expect(seen[10, 20] == Self.white && seen[11, 22] == Self.black && seen[12, 22] == Self.white)
        #expect(seen[11, 20] == Self.black && differing(seen, bare) > 30)
        let high = try setup.window(0, 0, 80, 60, level: 5000, argb: Self.green)
        let over = try picture(setup)
        #expect(over[10, 20] == Self.white && over[11, 20] == Self.green && over[11, 22] == Self.black)
        #expect(try picture(setup, cursor: false)[11, 22] == Self.green)
        #expect(try setup.hover(11, 22)?.hit?.window == setup.fixture.model.windows[0])
        #expect(try setup.fixture.tap(x: 11, y: 22).hit?.surface != nil && high.surface.isAlive)
    }

    @Test("setting the same cursor again sends neither enter nor leave")
    func setAgain() throws {
        let setup = try PointerFixture(screens: ["80x60,name=A"])
        _ = try setup.client.bind(WlOutput.self)
        _ = try setup.window(0, 0, 40, 60, argb: Self.green)
        try setup.hover(10, 10)
        let image = try setup.pointer.setCursor(Self.red, width: 4, height: 4)
        try setup.fixture.pump()
        var received = 0
        image.onEvent = { _ in received += 1 }
        func set(_ surface: Proxy<WlSurface>?) throws {
            setup.pointer.pointer.send(
                .setCursor(serial: setup.pointer.enterSerial, surface: surface?.id, hotspotX: 1, hotspotY: 1))
            try setup.fixture.pump()
        }
        try set(image)
        try set(image)
        #expect(received == 0)
        try set(nil)
        #expect(received == 1)
    }

    @Test("set_cursor is for the client under the pointer, with its enter serial; null hides the cursor; W5")
    func choice() throws {
        let setup = try PointerFixture(screens: ["80x60,name=A"])
        let left = try setup.window(0, 0, 40, 60, argb: Self.green)
        let other = try setup.fixture.connect("other")
        let otherPointer = try TestPointer(other)
        other.window("o").color(Self.green).frame(40, 0, 40, 60).show()
        try setup.fixture.pump()
        try setup.hover(10, 10)
        _ = try setup.pointer.setCursor(Self.red, width: 4, height: 4, serial: setup.pointer.enterSerial &- 1)
        _ = try otherPointer.setCursor(Self.red, width: 4, height: 4, serial: setup.pointer.enterSerial)
        #expect(try picture(setup)[10, 10] == Self.white, "wrong serial, wrong client")
        let image = try setup.pointer.setCursor(Self.red, width: 4, height: 3, hotspot: (1, 2))
        let seen = try picture(setup)
        for (x, y, isInside) in [(9, 8, true), (12, 10, true), (8, 8, false), (9, 7, false), (13, 10, false)] {
            #expect((seen[x, y] == Self.red) == isInside, "\(x),\(y)")
        }
        #expect(differing(seen, try picture(setup, cursor: false)) == 12)
        // The hotspot can be changed for the current surface, whatever the serial, and follows wl_surface.offset.
        setup.pointer.pointer.send(.setCursor(serial: 0, surface: image.id, hotspotX: 0, hotspotY: 0))
        #expect(try picture(setup)[10, 10] == Self.red && picture(setup)[9, 9] == Self.green)
        image.send(.offset(x: 2, y: -1))
        try setup.client.attach(Self.blue, width: 4, height: 3, to: image)
        #expect(try picture(setup)[10, 10] == Self.red, "not before the commit")
        image.send(.commit)
        let moved = try picture(setup)
        #expect(moved[12, 9] == Self.blue && moved[11, 9] == Self.green && moved[15, 11] == Self.blue)
        setup.pointer.pointer.send(
            .setCursor(serial: setup.pointer.enterSerial, surface: nil, hotspotX: 0, hotspotY: 0))
        #expect(try picture(setup) == picture(setup, cursor: false))
        // Each client has to set its cursor again after enter.
        try setup.hover(60, 10)
        #expect(try picture(setup)[60, 10] == Self.white)
        _ = try otherPointer.setCursor(Self.blue, width: 1, height: 1)
        #expect(try picture(setup)[60, 10] == Self.blue)
        try setup.hover(10, 10)
        #expect(try picture(setup)[10, 10] == Self.white)
        setup.pointer.pointer.send(
            .setCursor(serial: setup.pointer.enterSerial, surface: image.id, hotspotX: 0, hotspotY: 0))
        #expect(try picture(setup)[10, 10] == Self.blue)
        image.send(.destroy)
        #expect(try picture(setup) == picture(setup, cursor: false), "without its image the cursor is hidden")
        left.destroy()
        #expect(try picture(setup)[10, 10] == Self.white, "outside all surfaces it is the arrow again")
        let window = try setup.window(0, 0, 5, 5)
        setup.pointer.pointer.send(.setCursor(serial: 0, surface: window.surface.id, hotspotX: 0, hotspotY: 0))
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.code == WlPointer.Error.role.rawValue)
        #expect(other.isOpen)
    }

    @Test("S4: the cursor is upright and sized in points in every orientation; C1: it includes its sub-surfaces")
    func upright() throws {
        for orientation in ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"] {
            for scale in [1, 2] {
                let setup = try PointerFixture(screens: [
                    "\(40 * scale)x\(30 * scale),name=A,scale=\(scale),orientation=\(orientation)"
                ])
                let control = try ControlSession(setup.fixture)
                _ = try setup.window(0, 0, 40, 40, argb: Self.green)
                try setup.hover(10, 10)
                let image = try setup.pointer.setCursor(Self.red, width: 4, height: 2, hotspot: (1, 0))
                _ = try TestSubsurface(setup.client, of: image, argb: Self.blue, x: 2, y: 0, width: 2, height: 2)
                image.send(.commit)
                try setup.fixture.pump()
                let answer = try control.send("GET", "/v1/screens/A/screenshot.png?cursor=true&upright=true")
                let seen = try PNG.decode(answer.body)
                for y in 8 * scale..<14 * scale {
                    for x in 7 * scale..<15 * scale {
                        let isCursor = (9 * scale..<13 * scale).contains(x) && (10 * scale..<12 * scale).contains(y)
                        let wanted = isCursor ? (x < 11 * scale ? Self.red : Self.blue) : Self.green
                        #expect(seen[x, y] == wanted, "\(orientation) \(scale): \(x),\(y)")
                    }
                }
            }
        }
        // A buffer at the screen's scale is drawn unscaled; a fractional position does not blur it.
        let setup = try PointerFixture(screens: ["80x60,name=A,scale=2"])
        _ = try setup.window(0, 0, 40, 30, argb: Self.green)
        try setup.hover(10.3, 10.2)
        let fine = try setup.pointer.setCursor(Self.red, width: 6, height: 6)
        fine.send(.setBufferScale(scale: 2))
        fine.send(.commit)
        let seen = try picture(setup)
        #expect(differing(seen, try picture(setup, cursor: false)) == 36)
        #expect(seen[21, 20] == Self.red && seen[26, 25] == Self.red)
    }

    @Test("a cursor on the edge between two screens is drawn on both; S7: it is drawn on mirrors")
    func edges() throws {
        let setup = try PointerFixture(screens: [
            "40x30,name=A", "40x30,external,name=B,mirroring=off", "80x60,external,name=M,mirroring=A",
        ])
        let model = setup.fixture.model
        try model.setPosition(Point(x: 40, y: 5), of: setup.fixture.server.screen("B").id)
        _ = try setup.window(0, 0, 40, 30, argb: Self.green)
        try setup.hover(37, 10)
        _ = try setup.pointer.setCursor(Self.red, width: 8, height: 8)
        func reds(_ screen: String) throws -> Int { try picture(setup, of: screen).pixels.count { $0 == Self.red } }
        #expect(try reds("A") == 3 * 8 && reds("B") == 5 * 8)
        let other = try picture(setup, of: "B")
        #expect(other[0, 5] == Self.red && other[4, 12] == Self.red && other[5, 5] == Self.black)
        #expect(try reds("M") == 6 * 16 && picture(setup, of: "M")[74, 20] == Self.red)
        try setup.hover(2, 2)
        #expect(try reds("A") == 64 && reds("B") == 0 && reds("M") == 256)
        try setup.hover(15, 10)
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: .landscapeLeft)
        #expect(try reds("A") == 64, "R4: at the same place")
    }

    @Test("a moving cursor redraws its old and new places in captures that include it, and nothing in others")
    func watched() throws {
        let setup = try PointerFixture(screens: ["200x200,name=A", "100x100,external,name=B,mirroring=off"])
        let captures = setup.fixture.server.captures
        _ = try setup.window(0, 0, 200, 200, argb: Self.green)
        try setup.hover(10, 10)
        let image = try setup.pointer.setCursor(Self.red, width: 8, height: 8)
        try setup.fixture.pump()
        var (drawn, elsewhere): ([Int], [Int]) = ([], [])
        let session = captures.watch(setup.fixture.mainScreen, cursor: true) { drawn.append($0.damagedPixels) }
        captures.watch(try setup.fixture.server.screen("B").id, cursor: true) { elsewhere.append($0.damagedPixels) }
        try setup.fixture.wait(for: "the first pictures") { !drawn.isEmpty && !elsewhere.isEmpty }
        try setup.hover(60, 60)
        try setup.fixture.wait(for: "the motion") { drawn.count == 2 }
        try setup.client.attach(Self.blue, width: 8, height: 8, to: image)
        image.send(.damageBuffer(x: 0, y: 0, width: 8, height: 8))
        image.send(.commit)
        try setup.fixture.wait(for: "the new image") { drawn.count == 3 }
        #expect(Array(drawn[1...]) == [128, 64] && elsewhere.count == 1)
        // A capture without the cursor has a picture of its own, which the cursor does not change.
        captures.endSessions([session])
        captures.watch(setup.fixture.mainScreen) { drawn.append($0.damagedPixels) }
        try setup.fixture.wait(for: "the picture without it") { drawn.count == 4 }
        try setup.hover(90, 90)
        #expect(!captures.isBusy && drawn[3] == 40_000)
        try setup.hover(10, 10)
        #expect(!captures.isBusy && drawn.count == 4)
    }

    @Test("a cursor that is not shown keeps its feedback until it is, without keeping the server awake")
    func feedback() throws {
        let setup = try PointerFixture(screens: ["80x60"])
        let (fixture, client) = (setup.fixture, setup.client)
        _ = try setup.window(0, 0, 40, 30)
        try setup.hover(10, 10)
        // Over no window.
        try setup.hover(70, 50)
        let presentation = try client.bind(WpPresentation.self)
        let image = try setup.pointer.setCursor(Self.red, width: 8, height: 8)
        let feedback = Proxy<WpPresentationFeedback>(client.connection, version: 2)
        var presented = 0
        feedback.onEvent = { if case .presented = $0 { presented += 1 } }
        presentation.send(.feedback(surface: image.id, callback: feedback.id))
        image.send(.damageBuffer(x: 0, y: 0, width: 8, height: 8))
        image.send(.commit)
        try fixture.pump()
        var turns = 0
        // A tick for its commit may still come.
        try fixture.wait(for: "rest") {
            let end = fixture.loop.now + 60_000
            let before = turns
            while fixture.loop.now < end { turns += (try? fixture.loop.runOnce(nonblocking: true)) == true ? 1 : 0 }
            return turns == before
        }
        #expect(presented == 0)
        try setup.hover(10, 10)
        setup.pointer.pointer.send(
            .setCursor(serial: setup.pointer.enterSerial, surface: image.id, hotspotX: 0, hotspotY: 0))
        try fixture.wait(for: "the feedback") { presented == 1 }
    }

    @Test("the cursor's surface receives enter, leave, its scale and frame callbacks")
    func callbacks() throws {
        let setup = try PointerFixture(screens: ["80x60,name=A", "80x60,external,name=B,mirroring=off,scale=2"])
        let outputs = try setup.client.globals.filter { $0.interface == WlOutput.name }
            .map { try setup.client.bind(WlOutput.self, name: $0.name) }
        _ = try setup.window(0, 0, 40, 30)
        try setup.hover(10, 10)
        var (received, done): ([String], Int) = ([], 0)
        let image = try setup.pointer.setCursor(Self.red, width: 8, height: 8)
        let scale = try setup.client.fractionalScale(of: image)
        scale.onEvent = { if case .preferredScale(let scale) = $0 { received.append("scale \(scale)") } }
        image.onEvent = { event in
            switch event {
            case .enter(let output): received.append("enter \(outputs.firstIndex { $0.id == output } ?? -1)")
            case .leave(let output): received.append("leave \(outputs.firstIndex { $0.id == output } ?? -1)")
            case .preferredBufferScale, .preferredBufferTransform: break
            }
        }
        let callback = Proxy<WlCallback>(setup.client.connection, version: 1)
        callback.onEvent = { _ in done += 1 }
        image.send(.frame(callback: callback.id))
        image.send(.commit)
        try setup.fixture.wait(for: "a frame") { done == 1 }
        #expect(received == ["enter 0", "scale 120"])
        let window = setup.client.window("b", on: setup.client.screens.last).color(Self.green).frame(0, 0, 40, 30)
        window.show()
        try setup.fixture.pump()
        try setup.hover(10, 10, on: "B")
        #expect(received.suffix(3).sorted() == ["enter 1", "leave 0", "scale 240"])
        setup.pointer.pointer.send(
            .setCursor(serial: setup.pointer.enterSerial, surface: nil, hotspotX: 0, hotspotY: 0))
        try setup.fixture.pump()
        #expect(received.last == "leave 1")
    }

    @Test("?cursor=true shows the cursor in screenshots, captures and comparisons; so does mullionctl --cursor")
    func routes() throws {
        let setup = try PointerFixture(screens: ["80x60,name=A"])
        let control = try ControlSession(setup.fixture)
        try setup.hover(10, 20)
        for target in ["/v1/screens/A/screenshot.png", "/v1/screenshot.png"] {
            #expect(try PNG.decode(try control.send("GET", target).body)[10, 20] == Self.black)
            #expect(try PNG.decode(try control.send("GET", target + "?cursor=true").body)[10, 20] == Self.white)
        }
        let golden = try control.send("GET", "/v1/screenshot.png?cursor=true").body
        #expect(try control.send("POST", "/v1/compare?cursor=true", golden).text.contains(#""equal":true"#))
        #expect(try control.send("POST", "/v1/screens/A/compare", golden).text.contains(#""equal":false"#))
        let frame = try control.send("GET", "/v1/capture?cursor=true").headers["mullion-frame"]
        #expect(try control.send("GET", "/v1/capture?joined=true&cursor=true").headers["mullion-frame"] == frame)
        try setup.hover(11, 20)
        #expect(try control.send("GET", "/v1/capture?cursor=true").headers["mullion-frame"] != frame)
        #expect(try control.send("GET", "/v1/screenshot.png?cursor=1").status == 400)
        let file = control.folder + "/a.png"
        #expect(try control.mullionctl("screenshot", "A", "-o", file, "--cursor").status == 0)
        #expect(try PNG.decode(try control.read("a.png"))[11, 20] == Self.white)
        #expect(try control.mullionctl("compare", file, "A", "--cursor").status == 0)
        #expect(try control.mullionctl("compare", file, "A").status == 1)
        #expect(try control.mullionctl("screenshot", "-o", file, "--cursor", "--state", file + ".json").status == 0)
        #expect(try PNG.decode(try control.read("a.png"))[11, 20] == Self.white)
    }
}
