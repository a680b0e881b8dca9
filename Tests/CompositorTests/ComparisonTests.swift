// Comparing and rotating pictures, exact to the pixel.

import Compositor
import Testing

@Suite struct ComparisonTests {
    private func bitmap(_ rows: [[UInt32]]) -> Bitmap {
        var result = Bitmap(width: rows.first?.count ?? 0, height: rows.count)
        for (y, row) in rows.enumerated() {
            for (x, pixel) in row.enumerated() {
                result.paste(Bitmap(width: 1, height: 1, filledWith: pixel), x: x, y: y)
            }
        }
        return result
    }

    @Test("a picture equals itself, whatever the tolerance")
    func equal() {
        let picture = bitmap([[1, 0xff_ffff], [0x80_4020, 0]])
        for tolerance: UInt8 in [0, 1, 255] {
            #expect(picture.compare(to: picture, .init(tolerance: tolerance))?.isEqual == true)
        }
        #expect(Bitmap(width: 0, height: 0).compare(to: Bitmap(width: 0, height: 0))?.isEqual == true)
    }

    @Test("a pixel differs if a channel differs by more than the tolerance; count, maximum, box and first are exact")
    func differing() throws {
        let expected = bitmap([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
        let seen = bitmap([[0, 0, 0x00_0003, 0], [0, 0x09_0000, 0, 0], [0, 0, 0x00_0a00, 0]])
        var result = try #require(seen.compare(to: expected))
        #expect(result.differing == 3 && result.greatest == 10 && !result.isEqual)
        #expect(result.box == IntRect(x: 1, y: 0, width: 2, height: 3))
        #expect(result.first == Comparison.Pixel(x: 2, y: 0, expected: 0xff00_0000, seen: 0xff00_0003))
        result = try #require(seen.compare(to: expected, .init(tolerance: 3)))
        #expect(result.differing == 2 && result.greatest == 10)
        #expect(result.box == IntRect(x: 1, y: 1, width: 2, height: 2))
        #expect(result.first == Comparison.Pixel(x: 1, y: 1, expected: 0xff00_0000, seen: 0xff09_0000))
        result = try #require(seen.compare(to: expected, .init(tolerance: 9)))
        #expect(result.differing == 1 && result.box == IntRect(x: 2, y: 2, width: 1, height: 1))
        result = try #require(seen.compare(to: expected, .init(tolerance: 10)))
        #expect(result.isEqual && result.greatest == 10 && result.box == nil && result.first == nil)
        // In both directions, over the whole range.
        let white = bitmap([[0xff_ffff]])
        #expect(white.compare(to: bitmap([[0]]), .init(tolerance: 254))?.differing == 1)
        #expect(bitmap([[0]]).compare(to: white, .init(tolerance: 255))?.isEqual == true)
    }

    @Test("masks are not compared, may overlap and lie outside, and are blue in the picture of the differences")
    func masks() throws {
        let expected = bitmap([[0, 0, 0, 0], [0, 0, 0, 0]])
        let seen = bitmap([[0xff, 0xff, 0, 0xff], [0, 0xff, 0, 0]])
        var options = Comparison.Options(masks: [IntRect(x: 0, y: 0, width: 2, height: 1)])
        var result = try #require(seen.compare(to: expected, options))
        #expect(result.differing == 2 && result.pixels == 6 && result.box == IntRect(x: 1, y: 0, width: 3, height: 2))
        options.masks += [IntRect(x: -5, y: -5, width: 7, height: 100), IntRect(x: 3, y: 0, width: 9, height: 1)]
        result = try #require(seen.compare(to: expected, options))
        #expect(result.isEqual && result.pixels == 3 && result.box == nil)
        options.masks += [IntRect(x: 40, y: 40, width: 9, height: 1), IntRect(x: 0, y: 0, width: 4, height: 2)]
        result = try #require(seen.compare(to: expected, options))
        #expect(result.isEqual && result.pixels == 0)
        let picture = try #require(seen.differences(from: expected, .init(masks: [options.masks[0]])))
        #expect(picture.rows == [[0x20_3050, 0x20_3050, 0, 0xff_0000], [0, 0xff_0000, 0, 0]])
    }

    @Test("a number or a share of the compared pixels may differ; they are reported all the same")
    func allowance() throws {
        let expected = bitmap([[0, 0, 0, 0], [0, 0, 0, 0]])
        let seen = bitmap([[1, 1, 0, 0], [0, 0, 0, 0]])
        for (allowance, isEqual, allowed) in [
            (.pixels(1), false, 1), (.pixels(2), true, 2), (.share(0.24), false, 1), (.share(0.25), true, 2),
            (.share(1), true, 8),
        ] as [(Comparison.Allowance, Bool, Int)] {
            let result = try #require(seen.compare(to: expected, .init(allowance: allowance)))
            #expect(result.isEqual == isEqual && result.allowed == allowed && result.differing == 2, "\(allowance)")
            #expect(result.first?.seen == 0xff00_0001)
        }
        let mask = IntRect(x: 0, y: 1, width: 4, height: 1)
        let half = try #require(seen.compare(to: expected, .init(masks: [mask], allowance: .share(0.25))))
        #expect(!half.isEqual && half.allowed == 1 && half.pixels == 4)
    }

    @Test("side by side: expected, seen and differences with gaps; without differences for other sizes")
    func sideBySide() throws {
        let (expected, seen) = (bitmap([[0xff]]), bitmap([[0xfe]]))
        let picture = try #require(seen.sideBySide(with: expected))
        #expect(picture.width == 19 && picture.height == 1)
        #expect([0, 9, 18].map { picture[$0, 0] } == [0xff00_00ff, 0xff00_00fe, 0xffff_0000])
        let other = try #require(bitmap([[1], [2]]).sideBySide(with: expected))
        #expect(other.width == 10 && other.height == 2 && other[9, 1] == 0xff00_0002)
    }

    @Test("cropping keeps the pixels, and clips to the picture")
    func cropping() {
        let picture = bitmap([[1, 2, 3], [4, 5, 6]])
        #expect(picture.cropped(to: IntRect(x: 1, y: 0, width: 2, height: 2)).rows == [[2, 3], [5, 6]])
        #expect(picture.cropped(to: IntRect(x: -1, y: 1, width: 2, height: 9)).rows == [[4]])
        #expect(picture.cropped(to: IntRect(x: 3, y: 0, width: 2, height: 2)).rows.isEmpty)
    }

    @Test("pictures of different sizes are not compared")
    func sizes() {
        let a = Bitmap(width: 2, height: 3)
        #expect(a.compare(to: Bitmap(width: 3, height: 2)) == nil)
        #expect(a.differences(from: Bitmap(width: 2, height: 2)) == nil)
    }

    @Test("the difference picture is bright red at differing pixels and dim grey elsewhere")
    func picture() throws {
        let expected = bitmap([[0, 0xff_ffff, 0xff_0000], [0x00_00ff, 0x00_ff00, 0x10_1010]])
        let seen = bitmap([[1, 0xff_ffff, 0xff_0000], [0x00_00ff, 0x00_ff00, 0x30_1010]])
        let picture = try #require(seen.differences(from: expected))
        // 255·77/256 = 76, a third is 25; blue 28 → 9; green 149 → 49; white 255 → 85.
        #expect(picture.rows == [[0xff_0000, 0x55_5555, 0x19_1919], [0x09_0909, 0x31_3131, 0xff_0000]])
        let tolerant = try #require(seen.differences(from: expected, .init(tolerance: 1)))
        #expect(tolerant.rows[0][0] == 0 && tolerant.rows[1][2] == 0xff_0000)
        #expect(tolerant.pixels.allSatisfy { $0 >> 24 == 0xff })
    }

    @Test("S4: pictures rotate clockwise by quarter turns, and back exactly")
    func turning() {
        let picture = bitmap([[1, 2, 3], [4, 5, 6]])
        #expect(picture.turned(by: 0) == picture && picture.turned(by: 4) == picture)
        #expect(picture.turned(by: 1).rows == [[4, 1], [5, 2], [6, 3]])
        #expect(picture.turned(by: 2).rows == [[6, 5, 4], [3, 2, 1]])
        #expect(picture.turned(by: 3).rows == [[3, 6], [2, 5], [1, 4]])
        #expect(picture.turned(by: -1) == picture.turned(by: 3))
        for turns in -5...5 { #expect(picture.turned(by: turns).turned(by: -turns) == picture) }
        #expect(picture.mirrored().rows == [[3, 2, 1], [6, 5, 4]])
        #expect(picture.mirrored().mirrored() == picture)
        let empty = Bitmap(width: 0, height: 3).turned(by: 1)
        #expect(empty.width == 3 && empty.height == 0)
    }
}
