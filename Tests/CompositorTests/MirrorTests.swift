// S7, S5: mirrors are redrawn only where needed, and no old pixels remain when mirroring begins or ends.

import Compositor
import MullionGeometry
import Testing
import WindowModel

@Suite struct MirrorTests {
    /// A main screen of 100 × 50 pixels, and a 200 × 200 display that mirrors it at twice its size, at y = 50.
    private struct Pair {
        let model = WindowModel()
        let main: Screen.ID
        let wall: Screen.ID
        let app: Application.ID

        init() throws {
            main = try model.connect(
                ScreenDescription(name: "Main", kind: .builtIn, modes: [Screen.Mode(width: 100, height: 50)]))
            wall = try model.connect(
                ScreenDescription(name: "Wall", modes: [Screen.Mode(width: 200, height: 200)]))
            app = model.addApplication()
        }

        func window(_ frame: Rect, _ color: Color? = red, on screen: Screen.ID? = nil) throws -> Window.ID {
            let id = try model.createWindow(
                application: app, screen: screen ?? main, options: Window.Options(frame: frame))
            try model.setBackgroundColor(color, of: id)
            try model.setHidden(false, of: id)
            return id
        }

        func frame() throws -> Frame { try #require(model.frame(for: wall)) }
    }

    @Test("S7: exactly what changes on the mirrored screen is redrawn on the mirror")
    func damage() throws {
        let pair = try Pair()
        let contents = TestContents(width: 40, [UInt32](repeating: 0x33_3333, count: 40 * 40))
        let surfaces = TestSurfaces(contents)
        let small = try pair.window(Rect(x: 60, y: 20, width: 10, height: 10))
        let holder = try pair.window(Rect(x: 5, y: 5, width: 40, height: 40), nil)
        let root = pair.model.createSurface()
        try pair.model.setRoot(root, of: holder)
        try pair.model.setContent(root, size: Size(width: 40, height: 40))
        #expect(root.index == 0, "the first surface is the first content")
        let renderer = Renderer()
        surfaces.draw(try pair.frame(), with: renderer)
        #expect(renderer.damagedPixels == 40_000)
        #expect(!surfaces.draw(try pair.frame(), with: renderer))
        try pair.model.setFrame(Rect(x: 80, y: 20, width: 10, height: 10), of: small)
        surfaces.draw(try pair.frame(), with: renderer)
        #expect(
            Set(renderer.damagedRegion.rectangles) == [
                IntRect(x: 120, y: 90, width: 20, height: 20), IntRect(x: 160, y: 90, width: 20, height: 20),
            ])
        contents.set(0xff_ffff, 7, 9)
        surfaces.entries[0]?.damage.record(IntRect(x: 7, y: 9, width: 1, height: 1))
        surfaces.draw(try pair.frame(), with: renderer)
        #expect(renderer.damagedRegion.rectangles == [IntRect(x: 24, y: 78, width: 2, height: 2)])
        #expect(renderer.bitmap() == surfaces.picture(try pair.frame()))
    }

    @Test("S7: a window that extends beyond the mirrored screen does not extend into the bars")
    func bars() throws {
        let pair = try Pair()
        _ = try pair.window(Rect(x: -20, y: -20, width: 140, height: 90))
        let picture = TestSurfaces().picture(try pair.frame())
        for y in 0..<200 {
            let expected: UInt32 = (50..<150).contains(y) ? 0xff_0000 : 0
            #expect(picture.rows[y].allSatisfy { $0 == expected }, "row \(y)")
        }
    }

    @Test("S7: when mirroring begins or ends, no pixels of the other picture remain")
    func beginAndEnd() throws {
        let pair = try Pair()
        let none = TestSurfaces()
        let renderer = Renderer()
        func check(_ what: String) throws {
            none.draw(try pair.frame(), with: renderer, maximumPixels: 1000)
            #expect(renderer.bitmap() == none.picture(try pair.frame()), "\(what)")
        }
        let seen = try pair.window(Rect(x: 10, y: 10, width: 50, height: 20))
        try check("mirroring")
        let own = try pair.window(Rect(x: 0, y: 0, width: 30, height: 300), green, on: pair.wall)
        try check("ended")
        #expect(renderer.bitmap()[5, 5] == 0xff00_ff00 && renderer.bitmap()[100, 100] == 0xff00_0000)
        try pair.model.setHidden(true, of: own)
        try check("begun again")
        #expect(renderer.bitmap()[5, 5] == 0xff00_0000 && renderer.bitmap()[100, 100] == 0xffff_0000)
        try pair.model.rotate(pair.main, to: .landscapeLeft, time: 1)
        try check("the source rotated")
        try pair.model.rotate(pair.wall, to: .landscapeRight, time: 1)
        try check("the mirror rotated")
        try pair.model.setFlipped(true, of: pair.wall)
        try check("the mirror flipped")
        try pair.model.setHidden(true, of: seen)
        try check("no visible window")
        try pair.model.setMirroring(.off, of: pair.wall)
        try check("off")
        #expect(renderer.bitmap().rows.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test("S5: a new overscan compensation leaves no pixels of the old picture")
    func overscan() throws {
        let model = WindowModel()
        let id = try model.connect(
            ScreenDescription(
                name: "TV", modes: [Screen.Mode(width: 40, height: 20)],
                overscanInsets: Screen.Insets(top: 2, left: 4, bottom: 3, right: 6)))
        let window = try model.createWindow(application: model.addApplication())
        try model.setBackgroundColor(red, of: window)
        try model.setHidden(false, of: window)
        let none = TestSurfaces()
        let renderer = Renderer()
        for overscan in [Screen.Overscan.scale, .none, .insetBounds, .scale, .insetBounds, .none] {
            try model.setOverscan(overscan, of: id)
            let frame = try #require(model.frame(for: id))
            none.draw(frame, with: renderer)
            #expect(renderer.bitmap() == none.picture(frame))
            for y in 0..<20 {
                for x in 0..<40 {
                    let isSeen = (4..<34).contains(x) && (2..<17).contains(y)
                    #expect(renderer.bitmap()[x, y] == (isSeen ? 0xffff_0000 : 0xff00_0000), "\(overscan) \(x) \(y)")
                }
            }
        }
    }
}
