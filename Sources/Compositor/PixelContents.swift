// What the renderer needs to know about the pixels of a surface.

import MullionGeometry
import WindowModel

/// A surface's committed pixels: a client's wl_buffer in shared memory, or a solid colour.
///
/// The memory and its stride must not change while a drawing or a picture holds the object, nor the other values during
/// its lifetime, unless the surface's `DamageHistory` records "everything".
public protocol PixelContents: AnyObject {
    /// The layout of the pixels in memory.
    var format: PixelFormat { get }
    /// Buffer pixels per row. Nothing is drawn if sizes or stride are not positive.
    var width: Int { get }
    /// Rows of buffer pixels.
    var height: Int { get }
    /// Bytes from one row to the next; rows may overlap.
    var stride: Int { get }
    /// Buffer pixels per surface point (wl_surface.set_buffer_scale), at least 1.
    var bufferScale: Int { get }
    /// How the client turned the content (wl_surface.set_buffer_transform).
    var bufferTransform: BufferTransform { get }
    /// The visible part, in surface points after buffer transform and scale (wp_viewport.set_source); nil: all of it.
    /// It is stretched over the layer's whole rectangle.
    var viewport: Rect? { get }
    /// The factor of the pixels' alpha, 0…1 (wp_alpha_modifier_v1); below 1, nothing is opaque.
    var opacity: Double { get }
    /// Where a format with alpha is opaque, in surface points (wl_surface.set_opaque_region). Formats without alpha are
    /// opaque everywhere. The region must not change while the object is drawn.
    var opaqueRegion: Region? { get }

    /// Calls `body` with the first pixel of a part of the buffer, and the bytes from one of its rows to the next. Only the
    /// part is readable there, and only during the call.
    ///
    /// Returns false when the memory is gone because the client shrank it; the surface is then drawn black.
    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool
}

extension PixelContents {
    public var bufferScale: Int { 1 }
    public var bufferTransform: BufferTransform { .normal }
    public var viewport: Rect? { nil }
    public var opaqueRegion: Region? { nil }
    public var opacity: Double { 1 }

    /// The bytes from the first pixel of the buffer to that of a part.
    public func offset(of part: IntRect) -> Int {
        Int(part.minY) * stride + Int(part.minX) * format.bytesPerPixel
    }

    /// Converts a rectangle in surface points (wl_surface.damage) to the buffer pixels it touches, for `DamageHistory`.
    ///
    /// `surfaceSize` is the surface's size in points; an unusable buffer gives `.everything`.
    public func bufferRect(forSurfaceRect rect: IntRect, surfaceSize: Size) -> IntRect {
        guard let source = SourceInfo(self), !surfaceSize.isEmpty, surfaceSize.isFinite else { return .everything }
        func corner(_ x: Int32, _ y: Int32) -> Point {
            source.toBuffer(unit: Point(x: Double(x) / surfaceSize.width, y: Double(y) / surfaceSize.height))
        }
        let p = corner(rect.minX, rect.minY)
        let q = corner(rect.maxX, rect.maxY)
        return IntRect(
            minX: Int32(clampingDouble: min(p.x, q.x).rounded(.down)),
            minY: Int32(clampingDouble: min(p.y, q.y).rounded(.down)),
            maxX: Int32(clampingDouble: max(p.x, q.x).rounded(.up)),
            maxY: Int32(clampingDouble: max(p.y, q.y).rounded(.up)))
    }
}

/// The properties of contents that affect drawing, checked once; nil for a buffer that cannot be drawn.
struct SourceInfo: Equatable {
    @Boxed var viewport: Rect?
    let width: Int32
    let height: Int32
    let scale: Int32
    let format: PixelFormat
    let transform: BufferTransform
    /// The factor of the pixels' alpha; 255 means 1.
    let opacity: UInt8

    /// - Parameter earlier: the properties of an earlier picture; an equal viewport is shared with them.
    init?(_ contents: some PixelContents, earlier: SourceInfo? = nil) {
        let (width, height, scale) = (contents.width, contents.height, contents.bufferScale)
        let format = contents.format
        let largest = 1 << 24
        guard width > 0, height > 0, width <= largest, height <= largest, scale > 0, scale <= largest,
            contents.stride > 0, !contents.stride.multipliedReportingOverflow(by: height).overflow
        else { return nil }
        let viewport = contents.viewport
        if let viewport {
            guard viewport.isFinite, !viewport.isEmpty else { return nil }
        }
        (self.width, self.height, self.scale) = (Int32(width), Int32(height), Int32(scale))
        self.format = format
        transform = contents.bufferTransform
        opacity = byte(contents.opacity)
        if let earlier, earlier.viewport == viewport { _viewport = earlier._viewport } else { self.viewport = viewport }
    }

    /// Maps a position in the layer's rectangle, (0, 0) to (1, 1), to one in the buffer, in its pixels.
    func toBuffer(unit: Point) -> Point {
        let upright = Size(
            width: Double(transform.swapsAxes ? height : width), height: Double(transform.swapsAxes ? width : height))
        var p = Point(x: unit.x * upright.width, y: unit.y * upright.height)
        if let viewport {
            p.x = (viewport.minX + unit.x * viewport.size.width) * Double(scale)
            p.y = (viewport.minY + unit.y * viewport.size.height) * Double(scale)
        }
        return transform.toBuffer(p, upright: upright)
    }

    var bounds: IntRect { IntRect(x: 0, y: 0, width: Int(width), height: Int(height)) }
}
