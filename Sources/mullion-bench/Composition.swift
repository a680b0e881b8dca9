// Measures drawing a full-size picture, in this process.

import Compositor
import MullionGeometry
import WindowModel

enum Composition {
    static func measure() throws -> [Row] {
        let full = IntRect.everything
        let small = IntRect(x: 900, y: 500, width: 10, height: 10)
        let cases: [(String, PixelFormat, UInt32, IntRect)] = [
            ("composition, full-size opaque", .xrgb8888, 0xff20_4060, full),
            ("composition, full-size translucent", .argb8888, 0x8010_2030, full),
            ("composition, 10×10 pixels damaged", .xrgb8888, 0xff20_4060, small),
        ]
        let copy = MemoryCopy()
        var bodies: [() throws -> Double] = [{ timed(4, copy.run) }]
        for (what, format, pixel, damage) in cases {
            let scene = Scene(format, pixel)
            guard scene.draw(full) == Scene.pixels else { throw MeasurementError("\(what): the picture was not drawn") }
            let count = damage == full ? 4 : 400
            let painted = damage.intersection(Scene.bounds).area
            bodies.append {
                var drawn = 0
                let time = timed(count) { drawn = scene.draw(damage) }
                guard drawn == painted else { throw MeasurementError("\(what): \(drawn) pixels were drawn") }
                return time
            }
        }
        let samples = try interleaved(40, bodies)
        return zip(cases, samples.dropFirst()).map { (part, series) in
            Row(part.0, series, "ms", scale: 1e3, per: "memcpy of 1920×1080×4 bytes", samples[0])
        }
    }
}

/// A screen with one surface that fills it, and its renderer.
private final class Scene {
    static let bounds = IntRect(
        x: 0, y: 0, width: BenchClient.screen.width, height: BenchClient.screen.height)
    static let pixels = bounds.area

    private let renderer = Renderer()
    private let contents: [Pixels]
    private let frame: Frame
    private var damage = DamageHistory()
    private var count = 0

    init(_ format: PixelFormat, _ pixel: UInt32) {
        // Two in turn, as in an animation.
        contents = [Pixels(format, pixel), Pixels(format, pixel)]
        let (width, height) = BenchClient.screen
        let layer = Layer(
            window: Window.ID(rawValue: 1), content: .surface(Surface.ID(index: 0, generation: 1)),
            size: Size(width: Double(width), height: Double(height)), toPixels: .identity, clip: nil, alpha: 1)
        frame = Frame(screen: Screen.ID(rawValue: 1), pixelWidth: width, pixelHeight: height, layers: [layer])
    }

    /// Draws after a commit that changed this part; returns the number of changed pixels.
    func draw(_ changed: IntRect) -> Int {
        damage.record(changed)
        count += 1
        let shown = contents[count % 2]
        guard renderer.begin(frame, contents: { _ in (shown, damage) }) else { return 0 }
        while !renderer.draw() {}
        return renderer.damagedPixels
    }
}

/// Pixels of one colour in this process's memory.
private final class Pixels: PixelContents {
    let format: PixelFormat
    let width = BenchClient.screen.width
    let height = BenchClient.screen.height
    let stride = BenchClient.screen.width * 4
    private let memory: [UInt32]

    init(_ format: PixelFormat, _ pixel: UInt32) {
        self.format = format
        memory = [UInt32](repeating: pixel, count: width * height)
    }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        unsafe memory.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            unsafe body(base + offset(of: part), stride)
            return true
        }
    }
}
