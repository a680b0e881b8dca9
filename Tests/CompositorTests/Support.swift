// Helpers for the compositor's tests: contents in plain memory, seeded random numbers, shorthands for drawing.

import Compositor
import MullionGeometry
import WindowModel

/// A surface's pixels in the test's memory.
final class TestContents: PixelContents {
    let format: PixelFormat
    let width: Int
    let height: Int
    let stride: Int
    var bufferScale = 1
    var bufferTransform = BufferTransform.normal
    var viewport: Rect?
    var opaqueRegion: Region?
    var opacity = 1.0
    var bytes: [UInt8]
    var isGone = false
    private(set) var reads = 0

    /// Zeroed memory; `stride` nil: consecutive rows, aligned to 4 bytes.
    init(_ format: PixelFormat, width: Int, height: Int, stride: Int? = nil) {
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride ?? (width * format.bytesPerPixel + 3) / 4 * 4
        bytes = [UInt8](repeating: 0, count: max(4, self.stride * height))
    }

    /// 32-bit pixels, row by row.
    convenience init(_ format: PixelFormat = .xrgb8888, width: Int, _ pixels: [UInt32]) {
        self.init(format, width: width, height: pixels.count / width)
        for (index, pixel) in pixels.enumerated() { set(pixel, index % width, index / width) }
    }

    func set(_ pixel: UInt32, _ x: Int, _ y: Int) {
        for byte in 0..<format.bytesPerPixel {
            bytes[y * stride + x * format.bytesPerPixel + byte] = UInt8(truncatingIfNeeded: pixel >> (8 * byte))
        }
    }

    func pixel(_ x: Int, _ y: Int) -> UInt32 {
        (0..<format.bytesPerPixel).reduce(0) { sum, byte in
            sum | UInt32(bytes[y * stride + x * format.bytesPerPixel + byte]) << (8 * byte)
        }
    }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        reads += 1
        guard !isGone else { return false }
        bytes.withUnsafeBytes { raw in
            if let base = raw.baseAddress { body(base + offset(of: part), stride) }
        }
        return true
    }
}

/// The surfaces of a test by number.
final class TestSurfaces {
    struct Entry {
        var pixels: TestContents
        var damage = DamageHistory()
    }
    var entries: [UInt32: Entry] = [:]

    init(_ contents: TestContents...) {
        for (index, pixels) in contents.enumerated() { entries[UInt32(index)] = Entry(pixels: pixels) }
    }

    func find(_ id: Surface.ID) -> Renderer.Contents? {
        entries[id.index].map { ($0.pixels, $0.damage) }
    }

    /// Begins a frame and compares it in at most this many slices.
    func compare(_ frame: Frame, with renderer: Renderer, slices: Int) {
        renderer.begin(frame)
        for layer in frame.layers {
            if case .surface(let id) = layer.content { renderer.add(layer, find(id)) } else { renderer.add(layer, nil) }
        }
        for _ in 0..<slices where renderer.compare(until: { true }) { return }
    }

    /// Draws a frame completely; returns false when nothing changed.
    @discardableResult
    func draw(_ frame: Frame, with renderer: Renderer, maximumPixels: Int = .max) -> Bool {
        guard renderer.begin(frame, contents: find) else { return false }
        while !renderer.draw(maximumPixels: maximumPixels) {}
        return true
    }

    /// The frame drawn from scratch.
    func picture(_ frame: Frame) -> Bitmap {
        let renderer = Renderer()
        draw(frame, with: renderer)
        return renderer.bitmap()
    }

    /// The rows of a frame with these layers, drawn from scratch, without the unused byte.
    func rows(_ width: Int, _ height: Int, _ layers: Layer...) -> [[UInt32]] {
        picture(frame(width, height, layers)).rows
    }
}

extension Renderer {
    /// A part drawn directly, row by row, without the unused bytes; nil if that is not possible.
    func drawnDirectly(_ area: IntRect) -> [UInt32]? {
        guard beginDirect(area) else { return nil }
        var pixels = [UInt32](repeating: 0, count: area.area)
        pixels.withUnsafeMutableBytes { bytes in
            for row in 0..<area.height {
                guard let base = bytes.baseAddress else { return }
                let target = PictureTarget(base + row * area.width * 4, stride: area.width * 4, hasAlpha: false)
                let first = area.minY + Int32(row)
                drawDirectly(first..<first + 1, to: target)
            }
        }
        return pixels.map { $0 & 0xff_ffff }
    }
}

extension Bitmap {
    var rows: [[UInt32]] {
        (0..<height).map { y in pixels[y * width..<(y + 1) * width].map { $0 & 0xff_ffff } }
    }
}

func frame(_ width: Int, _ height: Int, _ layers: [Layer]) -> Frame {
    Frame(screen: Screen.ID(rawValue: 1), pixelWidth: width, pixelHeight: height, layers: layers)
}

func surfaceID(_ index: UInt32) -> Surface.ID { Surface.ID(index: index, generation: 1) }

/// A surface layer of window 1.
func surface(
    _ index: UInt32, _ width: Double, _ height: Double, _ toPixels: AffineTransform = .identity, window: UInt32 = 1,
    clip: Rect? = nil, alpha: Double = 1
) -> Layer {
    Layer(
        window: Window.ID(rawValue: window), content: .surface(surfaceID(index)),
        size: Size(width: width, height: height), toPixels: toPixels, clip: clip, alpha: alpha)
}

/// A colour layer of window 1.
func color(
    _ color: Color, _ width: Double, _ height: Double, _ toPixels: AffineTransform = .identity, window: UInt32 = 1,
    clip: Rect? = nil, alpha: Double = 1
) -> Layer {
    Layer(
        window: Window.ID(rawValue: window), content: .color(color), size: Size(width: width, height: height),
        toPixels: toPixels, clip: clip, alpha: alpha)
}

func moved(_ x: Double, _ y: Double) -> AffineTransform { .translation(x: x, y: y) }

let red = Color(red: 1, green: 0, blue: 0)
let green = Color(red: 0, green: 1, blue: 0)
let white = Color(red: 1, green: 1, blue: 1)

/// SplitMix64: the same numbers for the same seed on every machine.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }
    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func double(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
}
