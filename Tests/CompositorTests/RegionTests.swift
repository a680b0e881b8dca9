// Regions compared with a bitmap, and with hostile numbers.

import Compositor
import Testing

@Suite struct RegionTests {
    @Test("H1: a region contains what was added and not subtracted since (100 random histories)")
    func againstBitmap() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let region = Region()
            var reference = Set<Int>()
            for _ in 0..<random.int(1...12) {
                let rect = IntRect(
                    x: random.int(-2...16), y: random.int(-2...16), width: random.int(-1...9),
                    height: random.int(-1...9))
                var squares = Set<Int>()
                for y in 0..<rect.height {
                    for x in 0..<rect.width { squares.insert((Int(rect.minY) + y) * 100 + Int(rect.minX) + x) }
                }
                switch random.int(0...5) {
                case 0: region.subtract(rect); reference.subtract(squares)
                case 1: region.subtract(Region(rect)); reference.subtract(squares)
                case 2: region.add(Region(rect)); reference.formUnion(squares)
                case 3 where !squares.isEmpty: region.intersect(rect); reference.formIntersection(squares)
                default: region.add(rect); reference.formUnion(squares)
                }
            }
            for y in -4..<28 {
                for x in -4..<28 {
                    #expect(region.contains(x: x, y: y) == reference.contains(y * 100 + x), "seed \(seed)")
                }
            }
            #expect(region.area == reference.count, "seed \(seed)")
            #expect(region.rectangles.map(\.area).reduce(0, +) == reference.count, "seed \(seed)")
            #expect(region.isEmpty == reference.isEmpty, "seed \(seed)")
            #expect(region.copy() == region, "seed \(seed)")
        }
    }

    @Test("H1: enormous rectangles are clamped, never wrapped")
    func hostile() {
        let region = Region()
        region.add(IntRect(x: .min, y: .min, width: .max, height: .max))
        region.add(IntRect(x: Int(Int32.max) - 1, y: 0, width: Int(Int32.max), height: Int(Int32.max)))
        region.add(IntRect(x: .max, y: .max, width: .max, height: .max))
        #expect(!region.contains(x: Int(Int32.min) - 1, y: 0))
        #expect(region.contains(x: Int(Int32.max) - 1, y: 5))
        #expect(!region.contains(x: .max, y: .min))
        region.add(.everything)
        #expect(region.area > 0)
        #expect(region.contains(x: -1_000_000_000, y: 2_000_000_000))
        region.subtract(.everything)
        #expect(region.isEmpty)
        #expect(region.extents == .empty)
        region.add(IntRect(x: 3, y: 4, width: 5, height: 6))
        region.add(region)
        #expect(region.rectangles == [IntRect(x: 3, y: 4, width: 5, height: 6)])
        region.intersect(region)
        region.subtract(region)
        #expect(region.isEmpty)
    }

    @Test("a copy is independent")
    func copies() {
        let region = Region(IntRect(x: 0, y: 0, width: 4, height: 4))
        let copy = region.copy()
        copy.subtract(IntRect(x: 0, y: 0, width: 2, height: 4))
        #expect(region.area == 16)
        #expect(copy.area == 8)
        #expect(region.contains(IntRect(x: 1, y: 1, width: 3, height: 3)))
        #expect(!copy.contains(IntRect(x: 1, y: 1, width: 3, height: 3)))
    }
}
