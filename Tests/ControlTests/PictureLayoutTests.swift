// The orientation of pictures, and the reports of differences.

import Compositor
import ControlProtocol
import JSON5
import MullionGeometry
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct PictureLayoutTests {
    /// A screen of 3×2 native pixels.
    private func screen(
        _ orientation: Screen.Orientation, isFlipped: Bool = false, scale: Double = 1, at position: Point = .zero,
        in model: WindowModel = WindowModel()
    ) throws -> Screen {
        var description = ScreenDescription(
            name: "S\(model.screens.count)", modes: [Screen.Mode(width: 3, height: 2)], scale: scale,
            orientation: orientation, isFlipped: isFlipped)
        description.position = position
        let id = try model.connect(description)
        return try #require(model.screen(id))
    }

    @Test(
        "S4: upright, a screen's points are its picture's pixels divided by the scale, however it is rotated or flipped",
        arguments: Screen.Orientation.allCases, [false, true])
    func upright(orientation: Screen.Orientation, isFlipped: Bool) throws {
        let screen = try screen(orientation, isFlipped: isFlipped)
        let place = PictureLayout([screen], .upright)[screen.id]
        #expect(screen.toPixels.then(place.fromNative) == .identity)
        // Each pixel moves as the transform specifies.
        var native = Bitmap(width: 3, height: 2)
        for index in 0..<6 {
            native.paste(Bitmap(width: 1, height: 1, filledWith: UInt32(index)), x: index % 3, y: index / 3)
        }
        let turned = Picture(screen: screen.id, bitmap: native, place: place).turned
        #expect(turned.width == Int(screen.bounds.size.width) && turned.height == Int(screen.bounds.size.height))
        for y in 0..<2 {
            for x in 0..<3 {
                let target = place.fromNative.apply(to: Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                #expect(turned[Int(target.x), Int(target.y)] == native[x, y], "\(x),\(y)")
            }
        }
    }

    @Test("S4: native pictures are not rotated")
    func native() throws {
        let screen = try screen(.landscapeLeft, isFlipped: true)
        #expect(PictureLayout([screen], .native)[screen.id] == PictureLayout.Place())
    }

    @Test("S1: joined, screens are at their positions in pixels of the highest scale, from the top left corner on")
    func joined() throws {
        let model = WindowModel()
        let a = try screen(.portrait, at: Point(x: -4, y: 1), in: model)
        let b = try screen(.landscapeRight, scale: 2, at: Point(x: 1.5, y: 0), in: model)
        let layout = PictureLayout([a, b], .joined)
        #expect(layout[a.id].x == 0 && layout[a.id].y == 2 && layout[b.id].x == 11 && layout[b.id].y == 0)
        let pictures = [a, b].map { screen in
            let bitmap = Bitmap(width: 3, height: 2, filledWith: screen.id.rawValue)
            return Picture(screen: screen.id, bitmap: bitmap, place: layout[screen.id])
        }
        let whole = try Picture.joined(pictures)
        #expect(whole.width == 13 && whole.height == 4)
        #expect(whole[0, 2] == 0xff00_0001 && whole[2, 3] == 0xff00_0001 && whole[3, 3] == 0xff00_0000)
        #expect(whole[11, 0] == 0xff00_0002 && whole[12, 2] == 0xff00_0002 && whole[12, 3] == 0xff00_0000)
        let corner = b.toPixels.then(layout[b.id].fromNative).apply(to: Point(x: 0.5, y: 1))
        #expect(corner == Point(x: 12, y: 2))
    }

    @Test("differences are reported with all fields; others are null")
    func comparison() throws {
        func text(_ seen: Bitmap, _ expected: Bitmap) throws -> String {
            let payload = API.Comparison(seen.compare(to: expected), seen: seen, expected: expected, frame: 7)
            return String(decoding: try JSONWriter.encode(payload), as: UTF8.self)
        }
        let black = Bitmap(width: 2, height: 1)
        var other = black
        other.paste(Bitmap(width: 1, height: 1, filledWith: 0x00_0a0b), x: 1, y: 0)
        #expect(
            try text(other, black) == """
                {"allowed":0,"box":{"height":1,"width":1,"x":1,"y":0},"differing":1,"equal":false,\
                "expectedSize":{"height":1,"width":2},"first":{"expected":"#000000","seen":"#000a0b","x":1,"y":0},\
                "frame":7,"greatest":11,"pixels":2,"size":{"height":1,"width":2}}
                """)
        #expect(
            try text(black, black) == """
                {"allowed":0,"box":null,"differing":0,"equal":true,"expectedSize":{"height":1,"width":2},"first":null,\
                "frame":7,"greatest":0,"pixels":2,"size":{"height":1,"width":2}}
                """)
        #expect(
            try text(black, Bitmap(width: 1, height: 2)) == """
                {"allowed":null,"box":null,"differing":null,"equal":false,"expectedSize":{"height":2,"width":1},"first":null,\
                "frame":7,"greatest":null,"pixels":2,\
                "reason":"the sizes differ: 2×1 pixels seen, 1×2 expected","size":{"height":1,"width":2}}
                """)
    }

    @Test("a route accepts bodies up to its own limit")
    func bodies() throws {
        let route = Route(.postCompare, bodyBytes: 10) { _ in .later }
        try route.check(bodyBytes: 10)
        let problem = #expect(throws: Problem.self) { try route.check(bodyBytes: 11) }
        #expect(problem?.status == 413 && problem?.detail.contains("at most 10 bytes") == true)
    }
}
