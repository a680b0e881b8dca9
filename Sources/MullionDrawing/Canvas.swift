// Draws into the pixels of a window or view, with cairo.

import CMullionCairo
import Glibc
import MullionClient

/// Draws shapes, images and text into pixels, in points: x right, y down, from the top left corner of the view.
///
/// What is drawn covers what was there before, in the order of the calls. Valid only as long as the pixels are: create
/// it where the pixels are given to you, and keep it no longer.
///
///     override func draw(_ pixels: PixelBuffer) {
///         let canvas = Canvas(pixels)
///         canvas.fill(canvas.bounds, radius: 8, .white)
///         canvas.text("Hello", in: canvas.bounds, size: 17, .black)
///     }
@safe public final class Canvas {
    let context: OpaquePointer?
    private let surface: OpaquePointer?
    /// The whole picture, in points.
    public let bounds: Rect
    /// The part of `bounds` that has to be drawn, in points; the rest stays as it is, whatever is drawn there.
    public let dirtyRect: Rect
    /// Pixels per point.
    public let scale: Double

    /// Draws into the pixels of a window or view.
    public convenience init(_ pixels: PixelBuffer) {
        unsafe self.init(
            pixels.bytes.baseAddress, width: pixels.width, height: pixels.height, stride: pixels.stride,
            scale: pixels.scale, bounds: pixels.bounds, dirtyRect: pixels.dirtyRect)
    }

    /// Draws into memory of `stride` bytes per row, whose first pixel is the top left corner of `bounds`. The memory
    /// must exist as long as the canvas.
    @unsafe init(
        _ bytes: UnsafeMutableRawPointer?, width: Int, height: Int, stride: Int, scale: Double, bounds: Rect,
        dirtyRect: Rect
    ) {
        // Sizes that cairo does not support result in a surface on which nothing is drawn, never in nil.
        unsafe surface = cairo_image_surface_create_for_data(
            bytes?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(clamping: width),
            Int32(clamping: height), Int32(clamping: stride))
        unsafe context = cairo_create(surface)
        self.bounds = bounds
        self.dirtyRect = Self.wholePixels(dirtyRect, from: bounds.origin, scale: scale).intersection(bounds)
        self.scale = scale
        unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_BEST)
        unsafe cairo_scale(context, scale, scale)
        unsafe cairo_translate(context, -bounds.minX, -bounds.minY)
        if self.dirtyRect != bounds { clip(to: self.dirtyRect) }
    }

    /// Extended to whole pixels: at an edge between, a pixel would be drawn partly and let its old colour show through.
    private static func wholePixels(_ rect: Rect, from origin: Point, scale: Double) -> Rect {
        func edge(_ value: Double, _ origin: Double, _ rule: FloatingPointRoundingRule) -> Double {
            ((value - origin) * scale).rounded(rule) / scale + origin
        }
        let (left, top) = (edge(rect.minX, origin.x, .down), edge(rect.minY, origin.y, .down))
        let (right, bottom) = (edge(rect.maxX, origin.x, .up), edge(rect.maxY, origin.y, .up))
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Ends drawing: the memory can go, and later calls do nothing.
    func finish() {
        unsafe cairo_surface_finish(surface)
    }

    deinit {
        finish()
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
    }

    // MARK: State

    /// Calls `body`, then undoes what it changed of the clip and of the coordinates.
    public func saved<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe cairo_save(context)
        defer { unsafe cairo_restore(context) }
        return try body()
    }

    /// Draws everything that `body` draws as one picture with this opacity, 0…1: where its shapes overlap, those behind
    /// do not show through. Undoes what `body` changed of the clip and of the coordinates.
    public func group<Result, Failure>(
        alpha: Double, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe cairo_push_group(context)
        defer {
            unsafe cairo_pop_group_to_source(context)
            unsafe cairo_paint_with_alpha(context, alpha.isNaN ? 0 : min(max(alpha, 0), 1))
        }
        return try body()
    }

    /// From now on draws only inside this rectangle, and inside all previous clips. Undone by `saved`.
    public func clip(to rect: Rect) {
        clip(to: .rect(rect))
    }

    /// From now on draws only inside this path, and inside all previous clips. Undone by `saved`.
    public func clip(to path: Path, rule: FillRule = .winding) {
        unsafe path.add(to: context)
        unsafe cairo_set_fill_rule(context, rule.value)
        unsafe cairo_clip(context)
    }

    /// The smallest rectangle around everything that can be drawn, in the current coordinates. Empty when nothing can.
    public var clipBounds: Rect {
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        unsafe cairo_clip_extents(context, &left, &top, &right, &bottom)
        return Rect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }

    // MARK: Coordinates

    /// Moves the origin of the coordinates by this many points.
    public func translateBy(x: Double, y: Double) {
        concatenate(.translation(x: x, y: y))
    }

    /// Enlarges what is drawn from now on by these factors, about the origin.
    public func scaleBy(x: Double, y: Double) {
        concatenate(.scale(x: x, y: y))
    }

    /// Rotates what is drawn from now on clockwise about the origin, by an angle in radians.
    public func rotate(by angle: Double) {
        let (sine, cosine) = (sin(angle), cos(angle))
        concatenate(AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0))
    }

    /// Draws from now on through this transform, and then through the previous ones. After a transform without an
    /// inverse, such as a scale of 0, nothing is drawn.
    public func concatenate(_ transform: AffineTransform) {
        // Such a transform would make cairo ignore all later calls, even after `saved`.
        guard transform.inverse != nil else { return clip(to: .zero) }
        var matrix = cairo_matrix_t(
            xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.tx, y0: transform.ty)
        unsafe cairo_transform(context, &matrix)
    }
}
