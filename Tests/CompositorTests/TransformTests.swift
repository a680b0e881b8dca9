// Rotated, mirrored, scaled and faded layers.

import Compositor
import MullionGeometry
import Testing
import WindowModel

@Suite struct TransformTests {
    /// 2×3 pixels, numbered by row.
    private let picture = TestSurfaces(TestContents(width: 2, [1, 2, 3, 4, 5, 6]))

    @Test("R3: quarter turns and mirrors move whole pixels")
    func quarterTurns() {
        func turned(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ x: Double, _ y: Double) -> Layer {
            surface(0, 2, 3, AffineTransform(a: a, b: b, c: c, d: d, tx: x, ty: y))
        }
        #expect(picture.rows(2, 3, turned(-1, 0, 0, 1, 2, 0)) == [[2, 1], [4, 3], [6, 5]])
        #expect(picture.rows(2, 3, turned(-1, 0, 0, -1, 2, 3)) == [[6, 5], [4, 3], [2, 1]])
        // Clockwise: x to the right goes down.
        #expect(picture.rows(3, 2, turned(0, 1, -1, 0, 3, 0)) == [[5, 3, 1], [6, 4, 2]])
        #expect(picture.rows(3, 2, turned(0, -1, 1, 0, 0, 2)) == [[2, 4, 6], [1, 3, 5]])
        // The cosine of a quarter turn as most programs compute it.
        #expect(picture.rows(3, 2, turned(6e-17, 1, -1, 6e-17, 3, 0)) == [[5, 3, 1], [6, 4, 2]])
    }

    @Test("buffer transforms are undone as wl_output.transform specifies")
    func bufferTransforms() {
        let expected: [(BufferTransform, [[UInt32]])] = [
            (.normal, [[1, 2], [3, 4], [5, 6]]), (.rotated90, [[5, 3, 1], [6, 4, 2]]),
            (.rotated180, [[6, 5], [4, 3], [2, 1]]), (.rotated270, [[2, 4, 6], [1, 3, 5]]),
            (.flipped, [[2, 1], [4, 3], [6, 5]]), (.flipped90, [[1, 3, 5], [2, 4, 6]]),
            (.flipped180, [[5, 6], [3, 4], [1, 2]]), (.flipped270, [[6, 4, 2], [5, 3, 1]]),
        ]
        for (transform, rows) in expected {
            let contents = TestContents(width: 2, [1, 2, 3, 4, 5, 6])
            contents.bufferTransform = transform
            let size = transform.swapsAxes ? (3, 2) : (2, 3)
            let surfaces = TestSurfaces(contents)
            #expect(
                surfaces.rows(size.0, size.1, surface(0, Double(size.0), Double(size.1))) == rows, "\(transform)")
        }
        #expect(expected.count == BufferTransform.allCases.count)
    }

    @Test("whole factors repeat pixels; a buffer at the screen's scale is drawn one to one")
    func wholeFactors() {
        let double = AffineTransform.scale(x: 2, y: 1)
        #expect(picture.rows(4, 1, surface(0, 2, 3, double)) == [[1, 1, 2, 2]])
        let dense = TestContents(width: 2, [1, 2, 3, 4])
        dense.bufferScale = 2
        #expect(TestSurfaces(dense).rows(2, 2, surface(0, 1, 1, .scale(x: 2, y: 2))) == [[1, 2], [3, 4]])
    }

    @Test("other scales are smooth, and edges do not fade")
    func smooth() {
        let two = TestSurfaces(TestContents(width: 2, [0, 0xff_ffff]))
        let rows = two.rows(3, 1, surface(0, 2, 1, .scale(x: 1.5, y: 1)))
        #expect(rows[0][0] == 0)
        #expect(rows[0][2] == 0xff_ffff)
        #expect((0x7e...0x81).contains(rows[0][1] & 0xff))
        let flat = TestSurfaces(TestContents(width: 3, [UInt32](repeating: 0x40_8020, count: 9)))
        #expect(
            flat.rows(4, 4, surface(0, 3, 3, .scale(x: 4.0 / 3, y: 4.0 / 3)))
                == [[UInt32]](repeating: [UInt32](repeating: 0x40_8020, count: 4), count: 4))
    }

    @Test("a viewport shows a part of the buffer over the whole layer")
    func viewport() {
        let contents = TestContents(width: 4, Array(1...16))
        contents.viewport = Rect(x: 1, y: 2, width: 2, height: 2)
        let surfaces = TestSurfaces(contents)
        #expect(surfaces.rows(2, 2, surface(0, 2, 2)) == [[10, 11], [14, 15]])
        #expect(surfaces.rows(4, 1, surface(0, 4, 2)) == [[10, 10, 11, 11]])
    }

    @Test("W1: a rotated window covers a diamond, and its clip rotates with it")
    func turned() {
        let contents = TestContents(width: 20, [UInt32](repeating: 0xff_ffff, count: 400))
        let surfaces = TestSurfaces(contents)
        let half = 0.5.squareRoot()
        let turn = AffineTransform(a: half, b: half, c: -half, d: half, tx: 20, ty: 5)
        for layer in [surface(0, 20, 20, turn), color(white, 20, 20, turn)] {
            let bitmap = surfaces.picture(frame(40, 40, [layer]))
            #expect(bitmap[20, 19] == 0xffff_ffff)
            #expect(bitmap[20, 30] == 0xffff_ffff)
            #expect(bitmap[8, 19] == 0xffff_ffff)
            #expect(bitmap[8, 8] == 0xff00_0000)
            #expect(bitmap[32, 32] == 0xff00_0000)
            // Along the middle row the width is the diagonal.
            let sum = (0..<40).reduce(0.0) { $0 + Double((bitmap[$1, 19] ?? 0) & 0xff) / 255 }
            #expect(abs(sum - 20 * 2.squareRoot()) < 1)
            let area = bitmap.pixels.reduce(0.0) { $0 + Double($1 & 0xff) / 255 }
            #expect(abs(area - 400) < 4)
        }
        let clip = Rect(x: 0, y: 0, width: 10, height: 20)
        let cut = surfaces.picture(frame(40, 40, [surface(0, 20, 20, turn, clip: clip)]))
        let area = cut.pixels.reduce(0.0) { $0 + Double($1 & 0xff) / 255 }
        #expect(abs(area - 200) < 4)
        #expect(cut[30, 19] == 0xff00_0000)
        #expect(cut[10, 19] == 0xffff_ffff)
    }

    @Test("W1: alpha fades a window as a whole: its own layers do not shine through each other")
    func groups() {
        let none = TestSurfaces()
        let blue = Color(red: 0, green: 0, blue: 1)
        let background = color(white, 3, 1, window: 9)
        let rows = none.rows(
            3, 1, background, color(red, 2, 1, alpha: 0.5), color(blue, 2, 1, moved(1, 0), alpha: 0.5))
        #expect(rows == [[0xff_7f7f, 0x7f_7fff, 0x7f_7fff]])
        let single = TestSurfaces(TestContents(width: 1, [0xff_0000]))
        #expect(single.rows(1, 1, background, surface(0, 1, 1, alpha: 0.5)) == [[0xff_7f7f]])
        #expect(none.rows(1, 1, background, color(red, 1, 1, alpha: 0.5)) == [[0xff_7f7f]])
    }
}
