// Hostile numbers do not trap, and other layers are drawn correctly.

import Compositor
import MullionGeometry
import Testing
import WindowModel

@Suite struct HostileTests {
    private static let numbers: [Double] = [
        0, -0.0, 1, -1, 0.5, 1e-300, -1e-9, 32_767.5, -32_769, 65_536, 1e9, -4e9, 1e18, -1e200, 1.7e308, .infinity,
        -.infinity, .nan, .leastNonzeroMagnitude,
    ]

    @Test("W6: enormous, degenerate and infinite transforms, sizes and clips do not trap")
    func transforms() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        let contents = TestContents(width: 3, [UInt32](repeating: 0xff00, count: 9))
        let surfaces = TestSurfaces(contents)
        let renderer = Renderer()
        for _ in 0..<3000 {
            func number() -> Double { Self.numbers.randomElement(using: &random) ?? 0 }
            func transform() -> AffineTransform {
                AffineTransform(a: number(), b: number(), c: number(), d: number(), tx: number(), ty: number())
            }
            let clip = random.chance(2) ? nil : Rect(x: number(), y: number(), width: number(), height: number())
            contents.viewport =
                random.chance(3) ? Rect(x: number(), y: number(), width: number(), height: number()) : nil
            let alpha = random.chance(2) ? 1 : number()
            let upright = AffineTransform(a: number(), b: 0, c: 0, d: number(), tx: number(), ty: number())
            let layers = [
                surface(0, number(), number(), transform(), clip: clip, alpha: alpha),
                surface(0, number(), number(), upright, window: 2, clip: clip, alpha: alpha),
                color(Color(red: number(), green: number(), blue: 0, alpha: number()), number(), number(), transform()),
                color(red, 1, 1, moved(1, 0), window: 3),
            ]
            surfaces.entries[0]?.damage.record(IntRect(x: .max, y: .min, width: .max, height: .max))
            surfaces.draw(frame(6, 5, layers), with: renderer)
            #expect(renderer.bitmap()[1, 0] == 0xffff_0000, "seed \(seed)")
        }
    }

    @Test("W6: a layer far beyond 16 bits is drawn where it reaches the screen")
    func farAway() {
        let contents = TestContents(.xrgb8888, width: 70_000, height: 2)
        for x in 0..<70_000 {
            contents.set(UInt32(x), x, 0)
            contents.set(UInt32(x), x, 1)
        }
        let surfaces = TestSurfaces(contents)
        #expect(surfaces.rows(3, 1, surface(0, 70_000, 2, moved(-69_998, 0))) == [[69_998, 69_999, 0]])
        #expect(surfaces.rows(2, 1, surface(0, 70_000, 2, moved(-40_000, -1))) == [[40_000, 40_001]])
        let tiny = TestSurfaces(TestContents(width: 2, [1, 2]))
        #expect(tiny.rows(2, 1, surface(0, 2, 1, .scale(x: 1e6, y: 1e6).then(moved(-999_999, -1e5)))) == [[1, 2]])
        let none = TestSurfaces()
        let half = AffineTransform(a: 1e7, b: 1e7, c: -1e7, d: 1e7, tx: 0, ty: -1e7)
        #expect(none.rows(2, 1, color(red, 1, 1, half)) == [[0xff_0000, 0xff_0000]])
        #expect(surfaces.rows(1, 1, surface(0, 70_000, 2, .scale(x: 1.0 / 70_000, y: 0.5))) == [[35_000]])
    }

    @Test("buffers with inconsistent sizes are neither drawn nor read")
    func buffers() {
        let bad = [
            TestContents(.xrgb8888, width: 0, height: 4), TestContents(.xrgb8888, width: 4, height: 0),
            TestContents(.rgb565, width: -1, height: 1, stride: 8),
            TestContents(.xrgb8888, width: 4, height: 1, stride: 0),
            TestContents(.xrgb8888, width: 4, height: 1, stride: -16),
        ]
        let scaled = TestContents(width: 1, [1])
        scaled.bufferScale = 0
        for contents in bad + [scaled] {
            let surfaces = TestSurfaces(contents)
            #expect(surfaces.rows(1, 1, color(red, 1, 1), surface(0, 4, 4)) == [[0xff_0000]])
            #expect(contents.reads == 0)
        }
    }

    @Test("frames of impossible sizes yield an empty or a clipped picture")
    func frames() {
        let none = TestSurfaces()
        #expect(none.picture(frame(-5, 5, [])).pixels.isEmpty)
        #expect(none.picture(frame(.min, .max, [])).pixels.isEmpty)
        #expect(none.picture(frame(.max, 1, [color(red, 1e9, 1)])).width == Renderer.maximumEdge)
    }
}
