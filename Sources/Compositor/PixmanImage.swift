// Owns pixman images.

import CMullionPixman

/// A pixman image that is released with this object.
@safe final class PixmanImage {
    let raw: OpaquePointer

    init?(_ raw: OpaquePointer?) {
        guard let raw = unsafe raw else { return nil }
        unsafe self.raw = raw
    }

    /// Allocates zeroed memory; nil when there is none.
    convenience init?(format: pixman_format_code_t, width: Int, height: Int) {
        guard width > 0, height > 0, let w = Int32(exactly: width), let h = Int32(exactly: height) else { return nil }
        unsafe self.init(pixman_image_create_bits(format, w, h, nil, 0))
    }

    /// An image of one colour.
    convenience init?(solid color: pixman_color_t) {
        var color = color
        unsafe self.init(pixman_image_create_solid_fill(&color))
    }

    deinit {
        unsafe pixman_image_unref(raw)
    }

    var width: Int { unsafe Int(pixman_image_get_width(raw)) }
    var height: Int { unsafe Int(pixman_image_get_height(raw)) }
    var stride: Int { unsafe Int(pixman_image_get_stride(raw)) }
    var data: UnsafeMutableRawPointer? { unsafe pixman_image_get_data(raw).map { UnsafeMutableRawPointer($0) } }
}

/// An image to draw into, and the screen position of its top left corner.
struct Canvas {
    let image: PixmanImage
    let x: Int32
    let y: Int32

    /// Replaces a rectangle of the screen by a colour.
    func fill(_ rect: IntRect, with color: pixman_color_t, operation: pixman_op_t = PIXMAN_OP_SRC) {
        var color = color
        var box = pixman_box32_t(x1: rect.minX - x, y1: rect.minY - y, x2: rect.maxX - x, y2: rect.maxY - y)
        unsafe pixman_image_fill_boxes(operation, image.raw, &color, 1, &box)
    }

    /// Draws a rectangle of the screen from a source position.
    func composite(
        _ operation: pixman_op_t, _ source: PixmanImage, at sourceX: Int32, _ sourceY: Int32,
        mask: PixmanImage? = nil, to rect: IntRect
    ) {
        unsafe pixman_image_composite32(
            operation, source.raw, mask?.raw, image.raw, sourceX, sourceY, 0, 0, rect.minX - x, rect.minY - y,
            Int32(clamping: rect.width), Int32(clamping: rect.height))
    }
}
