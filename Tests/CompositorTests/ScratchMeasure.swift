import Compositor
import Testing
import WindowModel
@Suite(.serialized) struct Scratch {
    @Test func measure() throws {
        let clock = ContinuousClock()
        var b = Bitmap(width: 1920, height: 1080, filledWith: 0x336699)
        b.paste(Bitmap(width: 800, height: 500, filledWith: 0xffffff), x: 200, y: 100)
        for i in 0..<400 { b.paste(Bitmap(width: 7, height: 9, filledWith: UInt32(i &* 7919)), x: 210 + i % 80 * 9, y: 110 + i / 80 * 20) }
        for _ in 0..<3 { var n = 0; let t = try clock.measure { n = try PNG.encode(b).count }; print("MEASURE png", t, n) }
        let big = TestContents(.xrgb8888, width: 1920, height: 1080)
        let argb = TestContents(.argb8888, width: 1920, height: 1080)
        for i in argb.bytes.indices { argb.bytes[i] = UInt8(truncatingIfNeeded: 100) }
        let s = TestSurfaces(big, argb)
        let r = Renderer()
        func go(_ name: String, _ f: Frame, _ change: (Int) -> Void) {
            s.draw(f, with: r)
            let t = clock.measure { for i in 0..<20 { change(i); s.draw(f, with: r) } }
            print("MEASURE", name, t / 20, r.damagedPixels, r.paintedPixels)
        }
        go("xrgb full", frame(1920, 1080, [surface(0, 1920, 1080)])) { _ in s.entries[0]?.damage.recordEverything() }
        go("argb full", frame(1920, 1080, [surface(1, 1920, 1080)])) { _ in s.entries[1]?.damage.recordEverything() }
        go("argb fade", frame(1920, 1080, [surface(1, 1920, 1080, alpha: 0.5)])) { _ in s.entries[1]?.damage.recordEverything() }
        go("bilinear full", frame(1920, 1080, [surface(0, 1280, 720, .scale(x: 1.5, y: 1.5))])) { _ in s.entries[0]?.damage.recordEverything() }
        go("2x full", frame(1920, 1080, [surface(0, 960, 540, .scale(x: 2, y: 2))])) { _ in s.entries[0]?.damage.recordEverything() }
        go("turned", frame(1920, 1080, [surface(0, 1920, 1080, AffineTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 300, ty: 0))])) { _ in s.entries[0]?.damage.recordEverything() }
        go("10x10 over 1", frame(1920, 1080, [surface(0, 1920, 1080)])) { i in s.entries[0]?.damage.record(IntRect(x: i, y: 5, width: 10, height: 10)) }
        let many = (0..<100).map { color(red, 10, 10, moved(Double($0), 500), window: UInt32($0 + 5)) }
        go("10x10 with 100 others", frame(1920, 1080, [surface(0, 1920, 1080)] + many)) { i in s.entries[0]?.damage.record(IntRect(x: i, y: 5, width: 10, height: 10)) }
        go("nothing, 100 layers", frame(1920, 1080, [surface(0, 1920, 1080)] + many)) { _ in }
        let t = clock.measure { for _ in 0..<10 { _ = r.bitmap() } }
        print("MEASURE snapshot", t / 10)
    }
}
