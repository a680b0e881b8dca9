// The pixels of title bars.

import Compositor
import MullionGeometry

/// The colour of a whole bar.
final class BarColor: PixelContents {
    /// The bar of a key window.
    static var key: BarColor { BarColor(0xff2f_3b4c) }
    /// The bar of any other window.
    static var other: BarColor { BarColor(0xff6d_7480) }
    /// Of the title and the close button, on both.
    static let ink: UInt32 = 0xffff_ffff

    private let pixel: UInt32
    let format = PixelFormat.xrgb8888
    let width = 1
    let height = 1
    let stride = 4

    private init(_ pixel: UInt32) { self.pixel = pixel }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        unsafe withUnsafePointer(to: pixel) { unsafe body(UnsafeRawPointer($0) + offset(of: part), stride) }
        return true
    }
}

/// A cross in the middle of a square.
final class CloseImage: PixelContents {
    /// The width of the button in points; its height is the bar's.
    static let width = TitleBar.height
    /// From the middle to an end of the cross along x or y, and half the width of its lines along x; in points.
    private static let (reach, halfLine) = (5.0, 1.0)

    let scale: Double
    private let pixels: [UInt32]
    let format = PixelFormat.argb8888
    let width: Int
    var height: Int { width }
    var stride: Int { width * 4 }

    init(scale: Double) {
        let length = max(1, Int((Self.width * scale).rounded()))
        // In half pixels, in which the middles of pixels and of the image are whole numbers.
        let (reach, halfLine) = (Int((Self.reach * scale * 2).rounded()), Int((Self.halfLine * scale * 2).rounded()))
        func distance(_ pixel: Int) -> Int { abs(2 * pixel + 1 - length) }
        self.scale = scale
        width = length
        pixels = (0..<length * length).map { index in
            let (x, y) = (distance(index % length), distance(index / length))
            return max(x, y) <= reach && abs(x - y) <= halfLine ? BarColor.ink : 0
        }
    }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        unsafe pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            unsafe body(base + offset(of: part), stride)
            return true
        }
    }
}

/// A title, drawn when a picture needs it; without libcairo it is invisible.
final class TitleImage: PixelContents {
    let text: String
    let scale: Double
    private let drawing: TitleDrawing
    let format = PixelFormat.argb8888
    let width: Int
    let height: Int
    var stride: Int { width * 4 }

    /// - Parameters:
    ///   - size: in points.
    ///   - scale: pixels per point.
    init(_ text: String, size: Size, scale: Double, _ drawing: TitleDrawing) {
        self.text = text
        self.scale = scale
        self.drawing = drawing
        width = max(1, Int((size.width * scale).rounded()))
        height = max(1, Int((size.height * scale).rounded()))
    }

    deinit { drawing.forget(self) }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        guard let pixels = drawing.pixels(of: self) else { return false }
        return unsafe pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            unsafe body(base + offset(of: part), stride)
            return true
        }
    }
}
