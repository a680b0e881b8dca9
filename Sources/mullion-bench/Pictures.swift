// Measures encoding a full-size picture as PNG, in this process.

import Compositor

enum Pictures {
    private static let cell = (width: 8, height: 16)

    static func measure() throws -> [Row] {
        let (width, height) = BenchClient.screen
        let plain = Bitmap(width: width, height: height, filledWith: 0xff20_4060)
        let cases = [("one colour", plain), ("text", text())]
        let copy = MemoryCopy()
        func used(_ body: () throws -> Void) rethrows -> Double {
            let before = Clock.ownThread
            try body()
            return Clock.ownThread - before
        }
        let bodies: [() throws -> Double] =
            [{ used(copy.run) }] + cases.map { part in { try used { _ = try PNG.encode(part.1) } } }
        let samples = try interleaved(20, bodies)
        return zip(cases, samples.dropFirst()).map { part, series in
            Row(
                "a PNG of \(width)×\(height), \(part.0)", series, "ms", scale: 1e3,
                per: "memcpy of \(width)×\(height)×4 bytes", samples[0])
        }
    }

    /// A white page of signs with grey edges, a third of which are spaces.
    private static func text() -> Bitmap {
        var random = SeededRandom()
        let signs = (0..<60).map { _ in
            var sign = Bitmap(width: cell.width, height: cell.height, filledWith: 0xffff_ffff)
            for _ in 0..<40 {
                let ink = [0xff00_0000, 0xff80_8080, 0xffc0_c0c0].randomElement(using: &random) ?? 0
                sign.paste(
                    Bitmap(width: 1, height: 1, filledWith: UInt32(ink)), x: Int.random(in: 1..<7, using: &random),
                    y: Int.random(in: 3..<13, using: &random))
            }
            return sign
        }
        var page = Bitmap(width: BenchClient.screen.width, height: BenchClient.screen.height, filledWith: 0xffff_ffff)
        for y in stride(from: 0, to: page.height, by: cell.height) {
            for x in stride(from: 0, to: page.width, by: cell.width) where Int.random(in: 0..<3, using: &random) > 0 {
                guard let sign = signs.randomElement(using: &random) else { continue }
                page.paste(sign, x: x, y: y)
            }
        }
        return page
    }
}
