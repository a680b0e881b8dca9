// Draws shapes and text into a pixel buffer with cairo.

import CCairo
import MullionClient

/// Draws into the pixels of a window or view, in points. Valid only as long as the pixels are.
@safe public final class Canvas {
    private let surface: OpaquePointer
    private let context: OpaquePointer
    /// The whole picture, in points.
    public let bounds: Rect

    init?(_ pixels: PixelBuffer) {
        let bytes = unsafe pixels.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard
            let surface = unsafe cairo_image_surface_create_for_data(
                bytes, CAIRO_FORMAT_ARGB32, Int32(pixels.width), Int32(pixels.height), Int32(pixels.stride)),
            let context = unsafe cairo_create(surface)
        else { return nil }
        unsafe self.surface = unsafe surface
        unsafe self.context = unsafe context
        let scale = Double(pixels.scale)
        bounds = Rect(x: 0, y: 0, width: Double(pixels.width) / scale, height: Double(pixels.height) / scale)
        unsafe cairo_scale(context, scale, scale)
        unsafe cairo_set_antialias(context, CAIRO_ANTIALIAS_BEST)
        // Without hinting, the same text has the same pixels everywhere.
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
    }

    deinit {
        unsafe cairo_destroy(context)
        unsafe cairo_surface_finish(surface)
        unsafe cairo_surface_destroy(surface)
    }

    /// Fills everything.
    public func fill(_ color: Color) {
        use(color)
        unsafe cairo_paint(context)
    }

    /// Fills everything with a gradient from top to bottom.
    public func fill(from top: Color, to bottom: Color) {
        let pattern = unsafe cairo_pattern_create_linear(0, 0, 0, bounds.height)
        for (offset, color) in [(0.0, top), (1.0, bottom)] {
            unsafe cairo_pattern_add_color_stop_rgba(pattern, offset, color.red, color.green, color.blue, color.alpha)
        }
        unsafe cairo_set_source(context, pattern)
        unsafe cairo_paint(context)
        unsafe cairo_pattern_destroy(pattern)
    }

    /// A filled rectangle with round corners.
    public func box(_ rect: Rect, radius: Double = 0, _ color: Color) {
        path(rect, radius)
        use(color)
        unsafe cairo_fill(context)
    }

    /// The outline of a rectangle with round corners, inside its edges.
    public func outline(_ rect: Rect, radius: Double = 0, width: Double = 1, _ color: Color) {
        path(rect.insetBy(x: width / 2, y: width / 2), max(0, radius - width / 2))
        unsafe cairo_set_line_width(context, width)
        use(color)
        unsafe cairo_stroke(context)
    }

    /// A filled circle.
    public func circle(_ center: Point, radius: Double, _ color: Color) {
        unsafe cairo_new_path(context)
        unsafe cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
        use(color)
        unsafe cairo_fill(context)
    }

    /// A straight line with round ends.
    public func line(_ from: Point, _ to: Point, width: Double = 1, _ color: Color) {
        unsafe cairo_new_path(context)
        unsafe cairo_move_to(context, from.x, from.y)
        unsafe cairo_line_to(context, to.x, to.y)
        unsafe cairo_set_line_width(context, width)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        use(color)
        unsafe cairo_stroke(context)
    }

    /// The horizontal alignment of a line of text in its rectangle.
    public enum Alignment {
        /// At the left edge.
        case left
        /// In the middle.
        case center
        /// At the right edge.
        case right
    }

    /// One line of text, vertically centred in `rect`; shrunk if it is too wide.
    public func text(
        _ text: String, in rect: Rect, size: Double, bold: Bool = false, _ color: Color,
        align: Alignment = .center
    ) {
        // Fontconfig substitutes another sans when DejaVu is not installed.
        unsafe cairo_select_font_face(
            context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
        unsafe cairo_set_font_size(context, size)
        var extents = cairo_text_extents_t()
        unsafe cairo_text_extents(context, text, &extents)
        var size = size
        if extents.x_advance > rect.width, rect.width > 0 {
            size *= rect.width / extents.x_advance
            unsafe cairo_set_font_size(context, size)
            unsafe cairo_text_extents(context, text, &extents)
        }
        let spare = rect.width - extents.x_advance
        let x = rect.minX + (align == .left ? 0 : align == .center ? spare / 2 : spare)
        // By the height of capitals, so that all texts have the same baseline.
        unsafe cairo_move_to(context, x, rect.center.y + size * 0.36)
        use(color)
        unsafe cairo_show_text(context, text)
    }

    private func use(_ color: Color) {
        unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }

    private func path(_ rect: Rect, _ radius: Double) {
        unsafe cairo_new_path(context)
        let radius = min(radius, rect.width / 2, rect.height / 2)
        guard radius > 0 else { return unsafe cairo_rectangle(context, rect.minX, rect.minY, rect.width, rect.height) }
        let quarter = Double.pi / 2
        unsafe cairo_arc(context, rect.maxX - radius, rect.minY + radius, radius, -quarter, 0)
        unsafe cairo_arc(context, rect.maxX - radius, rect.maxY - radius, radius, 0, quarter)
        unsafe cairo_arc(context, rect.minX + radius, rect.maxY - radius, radius, quarter, 2 * quarter)
        unsafe cairo_arc(context, rect.minX + radius, rect.minY + radius, radius, 2 * quarter, 3 * quarter)
        unsafe cairo_close_path(context)
    }
}
