// Smaller pictures, against a slow average.

import Testing

@testable import Compositor

@Suite struct ScalingTests {
    private static func picture(_ width: Int, _ height: Int, hasAlpha: Bool, seed: UInt64) -> Bitmap {
        // Knuth's MMIX generator.
        var state = seed
        return Bitmap(width: width, height: height, hasAlpha: hasAlpha) { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt32(truncatingIfNeeded: state >> 32)
        }
    }

    /// The average of what a pixel covers, from the areas of the overlaps.
    private static func average(_ picture: Bitmap, _ width: Int, _ height: Int, _ x: Int, _ y: Int) -> UInt32 {
        func overlap(_ place: Int, _ count: Int, _ length: Int, _ pixel: Int) -> Double {
            let (start, end) = (Double(place * length) / Double(count), Double((place + 1) * length) / Double(count))
            return max(0, min(Double(pixel + 1), end) - max(Double(pixel), start))
        }
        var sums = [0.0, 0, 0, 0]
        var total = 0.0
        for row in 0..<picture.height {
            let part = overlap(y, height, picture.height, row)
            for column in 0..<picture.width where part > 0 {
                let area = part * overlap(x, width, picture.width, column)
                total += area
                for channel in sums.indices {
                    let value = picture.pixels[row * picture.width + column] >> UInt32(8 * channel) & 0xff
                    sums[channel] += area * Double(value)
                }
            }
        }
        return sums.enumerated().reduce(0) {
            $0 | UInt32(($1.element / total + 1e-9).rounded()) << UInt32(8 * $1.offset)
        }
    }

    @Test("each pixel is the average of those that it covers", arguments: [true, false])
    func averages(hasAlpha: Bool) {
        for (index, size) in [(7, 5, 3, 2), (64, 48, 9, 31), (10, 10, 1, 1), (5, 9, 5, 4), (33, 2, 32, 1)].enumerated()
        {
            let picture = Self.picture(size.0, size.1, hasAlpha: hasAlpha, seed: UInt64(index))
            let small = picture.reduced(toWidth: size.2, height: size.3)
            #expect(small.width == size.2 && small.height == size.3 && small.hasAlpha == hasAlpha)
            for y in 0..<small.height {
                for x in 0..<small.width {
                    let expected = Self.average(picture, size.2, size.3, x, y)
                    #expect(small.pixels[y * small.width + x] == expected, "\(size) \(x),\(y)")
                }
            }
        }
    }

    @Test("a picture is never enlarged, and has at least one pixel")
    func sizes() {
        let picture = Self.picture(40, 10, hasAlpha: false, seed: 9)
        #expect(picture.reduced(by: 1, maximumEdge: nil) == picture)
        #expect(picture.reduced(toWidth: 80, height: 20) == picture)
        #expect(picture.reduced(by: 1, maximumEdge: 100) == picture)
        func size(_ factor: Double, _ edge: Int?) -> [Int] {
            let small = picture.reduced(by: factor, maximumEdge: edge)
            return [small.width, small.height]
        }
        #expect(size(0.5, nil) == [20, 5] && size(0.5, 10) == [10, 3] && size(0.01, nil) == [1, 1])
        #expect(size(1, 1) == [1, 1])
    }

    @Test("one colour stays that colour, whatever the sizes")
    func plain() {
        for edge in [1, 3, 7, 100, 255] {
            let small = Bitmap(width: 256, height: 100, filledWith: 0xff12_feff).reduced(by: 1, maximumEdge: edge)
            #expect(small.pixels.allSatisfy { $0 == 0xff12_feff }, "\(edge)")
        }
    }
}
