// Pictures to files and back.

import Compositor
import Testing

@Suite struct PNGTests {
    @Test("a picture survives encoding and decoding to the pixel, from any thread")
    func roundTrip() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        for (width, height) in [(1, 1), (3, 2), (17, 31), (640, 3)] {
            let bitmap = await Task.detached {
                var random = SeededRandom(seed: seed)
                var bitmap = Bitmap(width: width, height: height)
                for y in 0..<height {
                    for x in 0..<width {
                        let pixel = UInt32(truncatingIfNeeded: random.next())
                        bitmap.paste(Bitmap(width: 1, height: 1, filledWith: pixel), x: x, y: y)
                    }
                }
                return bitmap
            }.value
            let bytes = try await Task.detached { try PNG.encode(bitmap) }.value
            #expect(Array(bytes.prefix(4)) == [0x89, 0x50, 0x4e, 0x47])
            #expect(try PNG.decode(bytes) == bitmap, "seed \(seed)")
        }
    }

    @Test("what is no PNG, or cut short, is an error that says so")
    func broken() throws {
        #expect(throws: PNG.Failure.self) { try PNG.decode([]) }
        #expect(throws: PNG.Failure.self) { try PNG.decode([1, 2, 3, 4, 5, 6, 7, 8, 9]) }
        #expect(throws: PNG.Failure.self) { try PNG.encode(Bitmap(width: 0, height: 5)) }
        let bytes = try PNG.encode(Bitmap(width: 30, height: 30, filledWith: 0x12_3456))
        #expect(throws: PNG.Failure.self) { try PNG.decode(Array(bytes.prefix(40))) }
        var huge = bytes
        // The width in IHDR: its checksum no longer fits either.
        huge[16] = 0x7f
        #expect(throws: PNG.Failure.self) { try PNG.decode(huge) }
    }

    @Test("S1: pictures join side by side at their places in the global layout, black between")
    func joining() throws {
        let a = Bitmap(width: 2, height: 1, filledWith: 0x11_1111)
        let b = Bitmap(width: 1, height: 2, filledWith: 0x22_2222)
        let joined = try #require(Bitmap(joining: [(a, -2, 0), (b, 1, -1)]))
        #expect(joined.rows == [[0, 0, 0, 0x22_2222], [0x11_1111, 0x11_1111, 0, 0x22_2222]])
        #expect(joined[0, 1] == 0xff11_1111)
        #expect(joined[4, 0] == nil)
        #expect(Bitmap(joining: [])?.pixels.isEmpty == true)
        #expect(Bitmap(joining: [(a, .min, 0), (b, .max, .max)]) == nil)
        var target = Bitmap(width: 2, height: 2)
        target.paste(b, x: 1, y: 1)
        target.paste(a, x: .max, y: .min)
        #expect(target.rows == [[0, 0], [0, 0x22_2222]])
    }
}
