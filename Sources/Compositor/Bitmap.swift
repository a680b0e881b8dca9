// A finished picture, as a value.

/// A picture: one `UInt32` per pixel, 0xAARRGGBB, rows top to bottom without padding.
///
/// Colours are premultiplied. Without alpha the unused byte is always 0xff, so equal pictures are equal values, and the
/// rows are valid argb8888 too.
public struct Bitmap: Equatable, Sendable {
    public let width: Int
    public let height: Int
    /// Whether pixels can be translucent. Only a window's picture has alpha; pictures that are joined, turned or compared
    /// have none.
    public let hasAlpha: Bool
    /// `width × height` pixels, row by row.
    public private(set) var pixels: [UInt32]

    /// A picture in one colour; negative sizes count as 0.
    public init(width: Int, height: Int, filledWith pixel: UInt32 = 0xff00_0000) {
        self.width = max(0, width)
        self.height = max(0, height)
        hasAlpha = false
        pixels = [UInt32](repeating: pixel | 0xff00_0000, count: self.width * self.height)
    }

    /// A picture with undefined pixels. Every row must be set before it is read.
    public init(unfinished width: Int, _ height: Int, hasAlpha: Bool = false) {
        self.width = max(0, width)
        self.height = max(0, height)
        self.hasAlpha = hasAlpha
        pixels = unsafe [UInt32](unsafeUninitializedCapacity: self.width * self.height) { $1 = $0.count }
    }

    /// Sets rows from a picture of the same width; `rows` points to its first row.
    mutating func setRows(_ range: Range<Int>, from rows: UnsafeRawPointer, stride: Int) {
        let (width, unused) = (width, hasAlpha ? 0 : 0xff00_0000 as UInt32)
        unsafe pixels.withUnsafeMutableBufferPointer { buffer in
            for y in range {
                let row = unsafe (rows + y * stride).assumingMemoryBound(to: UInt32.self)
                for x in 0..<width { unsafe buffer[y * width + x] = row[x] | unused }
            }
        }
    }

    /// Makes a picture by computing each pixel from its index in `pixels`, in order.
    init(width: Int, height: Int, hasAlpha: Bool = false, pixel: (_ index: Int) -> UInt32) {
        self.width = width
        self.height = height
        self.hasAlpha = hasAlpha
        let unused: UInt32 = hasAlpha ? 0 : 0xff00_0000
        pixels = unsafe [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
            for index in 0..<width * height { unsafe buffer[index] = pixel(index) | unused }
            count = width * height
        }
    }

    /// Joins several pictures, each with its top left corner at the given pixel of a common plane (all screens in the
    /// global layout). The result is their bounding box, black where no picture is, later ones over earlier ones.
    ///
    /// Positions are clamped to ±`maximumPosition`; nil when the bounding box exceeds `PNG.maximumPixels`.
    public init?(joining parts: [(bitmap: Bitmap, x: Int, y: Int)]) {
        let placed = parts.map { part in
            (part.bitmap, x: Self.clampPosition(part.x), y: Self.clampPosition(part.y))
        }
        let left = placed.map(\.x).min() ?? 0
        let top = placed.map(\.y).min() ?? 0
        let right = placed.map { $0.x + $0.0.width }.max() ?? 0
        let bottom = placed.map { $0.y + $0.0.height }.max() ?? 0
        let (count, over) = (right - left).multipliedReportingOverflow(by: bottom - top)
        guard !over, count <= PNG.maximumPixels else { return nil }
        self.init(width: right - left, height: bottom - top)
        for part in placed { paste(part.0, x: part.x - left, y: part.y - top) }
    }

    /// The largest distance from the origin that `init(joining:)` accepts, in pixels.
    public static let maximumPosition = 1 << 24

    private static func clampPosition(_ value: Int) -> Int {
        max(-maximumPosition, min(maximumPosition, value))
    }

    /// The pixel at (x, y), nil outside.
    public subscript(x: Int, y: Int) -> UInt32? {
        guard x >= 0, y >= 0, x < width, y < height else { return nil }
        return pixels[y * width + x]
    }

    /// Copies another picture over this one with its top left corner at (x, y), clipped to this one.
    public mutating func paste(_ other: Bitmap, x: Int, y: Int) {
        let target = IntRect(x: x, y: y, width: other.width, height: other.height)
            .intersection(IntRect(x: 0, y: 0, width: width, height: height))
        guard !target.isEmpty else { return }
        let count = target.width
        for row in Int(target.minY)..<Int(target.maxY) {
            let from = (row - y) * other.width + Int(target.minX) - x
            let to = row * width + Int(target.minX)
            pixels.replaceSubrange(to..<to + count, with: other.pixels[from..<from + count])
        }
    }

    /// Copies the pixels within a rectangle, which is within both pictures; they have the same size.
    mutating func copy(_ rect: IntRect, from other: Bitmap) {
        for row in Int(rect.minY)..<Int(rect.maxY) {
            let range = row * width + Int(rect.minX)..<row * width + Int(rect.maxX)
            pixels.replaceSubrange(range, with: other.pixels[range])
        }
    }

    /// Fills a rectangle within the picture; opaque.
    mutating func fill(_ rect: IntRect, with pixel: UInt32) {
        for row in Int(rect.minY)..<Int(rect.maxY) {
            let range = row * width + Int(rect.minX)..<row * width + Int(rect.maxX)
            pixels.replaceSubrange(range, with: repeatElement(pixel | 0xff00_0000, count: range.count))
        }
    }
}
