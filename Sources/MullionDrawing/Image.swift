// Pictures in memory.

import MullionClient

/// A picture in memory, like UIImage. It is a value and never changes.
public struct Image: Hashable, Sendable {
    /// The longest side that is possible, in pixels.
    public static let maximumSide = 32_767
    /// The most pixels that are possible: 64 Mi, which take 256 MiB of memory.
    public static let maximumPixels = 1 << 26

    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Pixels per point.
    public let scale: Double
    /// 0xAARRGGBB each, premultiplied, row by row from the top.
    public let pixels: [UInt32]

    /// The size in points.
    public var size: Size { Size(width: Double(width) / scale, height: Double(height) / scale) }

    /// A picture from pixels, 0xAARRGGBB each with the colours multiplied by the opacity, row by row from the top.
    /// - Throws: `ImageError` when the number of pixels is not `width` × `height`, when there are none or too many, or
    ///   when the scale is not above 0.
    public init(pixels: [UInt32], width: Int, height: Int, scale: Double = 1) throws(ImageError) {
        try Self.check(width: width, height: height, scale: scale)
        guard pixels.count == width * height else {
            throw ImageError(.wrongCount(pixels: pixels.count, width: width, height: height))
        }
        self.init(width, height, scale, pixels)
    }

    /// Draws a picture, which is transparent at first. The size is in points, extended to whole pixels.
    /// - Throws: `ImageError` when the size is empty or too large, or when the scale is not above 0.
    public init(size: Size, scale: Double = 1, _ draw: (Canvas) -> Void) throws(ImageError) {
        func sides(_ points: Double) -> Int { Int(exactly: min((points * scale).rounded(.up), 1e9)) ?? 0 }
        let (width, height) = (sides(size.width), sides(size.height))
        try Self.check(width: width, height: height, scale: scale)
        let bounds = Rect(origin: .zero, size: size)
        var pixels = [UInt32](repeating: 0, count: width * height)
        unsafe pixels.withUnsafeMutableBytes { bytes in
            let canvas = unsafe Canvas(
                bytes.baseAddress, width: width, height: height, stride: width * 4, scale: scale, bounds: bounds,
                dirtyRect: bounds)
            draw(canvas)
            canvas.finish()
        }
        self.init(width, height, scale, pixels)
    }

    init(_ width: Int, _ height: Int, _ scale: Double, _ pixels: [UInt32]) {
        self.width = width
        self.height = height
        self.scale = scale
        self.pixels = pixels
    }

    /// One pixel, 0xAARRGGBB premultiplied. Outside the picture it is 0.
    public subscript(x: Int, y: Int) -> UInt32 {
        guard x >= 0, y >= 0, x < width, y < height else { return 0 }
        return pixels[y * width + x]
    }

    static func check(width: Int, height: Int, scale: Double) throws(ImageError) {
        guard scale > 0, scale.isFinite else { throw ImageError(.invalidScale(scale)) }
        let sides = 1...maximumSide
        guard sides.contains(width), sides.contains(height), width * height <= maximumPixels else {
            throw ImageError(.invalidSize(width: width, height: height))
        }
    }
}
