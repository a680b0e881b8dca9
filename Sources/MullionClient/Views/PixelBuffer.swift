// Pixels to draw into.

import MullionGeometry

/// The pixels of a view while it is drawn: premultiplied ARGB, 32 bits each, in native byte order (wl_shm's argb8888).
/// Valid only during the call of `View.draw` that provides it.
@safe public struct PixelBuffer {
    /// All bytes, `stride` per row, top row first.
    public let bytes: UnsafeMutableRawBufferPointer
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Pixels per point; fractions are possible.
    public let scale: Double
    /// The area of the view that the pixels show, in its points. The top left pixel is at its origin.
    public let bounds: Rect
    /// The part that has to be drawn, in points of the view.
    public let dirtyRect: Rect

    /// Bytes from one row to the next.
    public var stride: Int { width * 4 }

    /// Memory to draw into, for pictures that are drawn outside of a view.
    /// - Parameters:
    ///   - bytes: at least `width` × `height` × 4.
    ///   - bounds: in points; nil: as many points as the pixels make with this scale, at the origin.
    ///   - dirtyRect: in points; nil: everything.
    public init(
        bytes: UnsafeMutableRawBufferPointer, width: Int, height: Int, scale: Double = 1, bounds: Rect? = nil,
        dirtyRect: Rect? = nil
    ) {
        precondition(bytes.count >= width * height * 4, "\(bytes.count) bytes hold no \(width) × \(height) pixels")
        unsafe self.bytes = unsafe bytes
        (self.width, self.height, self.scale) = (width, height, scale)
        let area = bounds ?? Rect(x: 0, y: 0, width: Double(width) / scale, height: Double(height) / scale)
        self.bounds = area
        self.dirtyRect = dirtyRect ?? area
    }

    /// One pixel, 0xAARRGGBB premultiplied. Outside the picture it reads 0, and writing does nothing.
    public subscript(x: Int, y: Int) -> UInt32 {
        get {
            guard x >= 0, y >= 0, x < width, y < height else { return 0 }
            return unsafe bytes.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
        }
        nonmutating set {
            guard x >= 0, y >= 0, x < width, y < height else { return }
            unsafe bytes.storeBytes(of: newValue, toByteOffset: y * stride + x * 4, as: UInt32.self)
        }
    }

    /// Fills the part that has to be drawn with this colour.
    public func fill(_ color: Color) { fill(dirtyRect, color) }

    /// Replaces a rectangle, in points of the view and extended to whole pixels, by this colour.
    public func fill(_ rect: Rect, _ color: Color) {
        let area = pixels(of: rect)
        guard !area.columns.isEmpty else { return }
        for row in area.rows {
            let start = row * stride + area.columns.lowerBound * 4
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + area.columns.count * 4])
            unsafe part.bindMemory(to: UInt32.self).update(repeating: color.premultiplied)
        }
    }

    /// The pixels that a rectangle, in points of the view, touches.
    func pixels(of rect: Rect) -> (columns: Range<Int>, rows: Range<Int>) {
        func range(_ start: Double, _ end: Double, _ limit: Int) -> Range<Int> {
            guard start < end else { return 0..<0 }
            let first = Int(min(max((start * scale).rounded(.down), 0), Double(limit)))
            let last = Int(min(max((end * scale).rounded(.up), 0), Double(limit)))
            return first..<max(first, last)
        }
        return (
            range(rect.minX - bounds.minX, rect.maxX - bounds.minX, width),
            range(rect.minY - bounds.minY, rect.maxY - bounds.minY, height)
        )
    }
}
