// Images on a canvas.

import CMullionCairo
import MullionClient

extension Canvas {
    /// Draws an image with its own size; `point` is its top left corner.
    public func draw(_ image: Image, at point: Point, alpha: Double = 1) {
        draw(image, in: Rect(origin: point, size: image.size), alpha: alpha)
    }

    /// Draws an image into a rectangle, and nothing outside.
    public func draw(
        _ image: Image, in rect: Rect, contentMode: ContentMode = .scaleToFill, alpha: Double = 1
    ) {
        let frame = contentMode.frame(of: image.size, in: rect)
        guard frame.isFinite, !frame.isEmpty, !alpha.isNaN else { return }
        saved {
            clip(to: frame.intersection(rect))
            translateBy(x: frame.minX, y: frame.minY)
            scaleBy(x: frame.width / Double(image.width), y: frame.height / Double(image.height))
            unsafe image.pixels.withUnsafeBytes { pixels in
                // cairo only reads the memory of a source.
                let memory = unsafe UnsafeMutableRawBufferPointer(mutating: pixels)
                let source = unsafe cairo_image_surface_create_for_data(
                    memory.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(image.width),
                    Int32(image.height), Int32(image.width * 4))
                unsafe cairo_set_source_surface(context, source, 0, 0)
                // Pixels beyond the edge are those at the edge, so that enlarged images do not fade out there.
                unsafe cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
                unsafe cairo_paint_with_alpha(context, min(max(alpha, 0), 1))
                unsafe cairo_set_source_rgba(context, 0, 0, 0, 0)
                unsafe cairo_surface_finish(source)
                unsafe cairo_surface_destroy(source)
            }
        }
    }
}
