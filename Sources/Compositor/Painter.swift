// Draws items into an image.

import CMullionPixman
import WindowModel

/// Draws items into a canvas, one band of rows at a time, and counts the pixels.
struct Painter {
    /// Pixels written so far, counting repeated writes.
    private(set) var painted = 0

    /// The off-screen image of the group being drawn; nil outside of a group.
    private var aside: Aside?

    private enum Aside {
        case canvas(Canvas)
        /// The group has no pixels in these rows.
        case nowhere
    }

    /// Draws an item within some rows. Draw all items in these rows before starting other rows.
    mutating func draw(_ item: DrawItem, rows: Range<Int32>, on screen: Canvas) {
        var canvas = screen
        if case .canvas(let image)? = aside { canvas = image }
        switch item.paint {
        case .beginGroup: aside = Self.aside(for: item, rows: rows)
        case .endGroup(let opacity):
            defer { aside = nil }
            guard case .canvas(let image)? = aside else { return }
            painted += item.area(in: rows)
            blend(image, opacity: opacity, item: item, rows: rows, on: screen)
        case .color(let color, let shape):
            guard isSomewhere, count(item, rows) else { return }
            draw(color, shape: shape, item: item, rows: rows, on: canvas)
        case .surface(let surface):
            guard isSomewhere, count(item, rows) else { return }
            draw(surface, item: item, rows: rows, on: canvas)
        }
    }

    private var isSomewhere: Bool {
        if case .nowhere? = aside { false } else { true }
    }

    /// - Returns: whether there is anything to draw.
    private mutating func count(_ item: DrawItem, _ rows: Range<Int32>) -> Bool {
        let area = item.area(in: rows)
        painted += area
        return area > 0
    }

    /// Replaces a region by a colour.
    mutating func fill(_ region: Region, with color: pixman_color_t, rows: Range<Int32>, on canvas: Canvas) {
        region.forEachRectangle { rect in
            let part = rect.rows(rows)
            guard !part.isEmpty else { return }
            canvas.fill(part, with: color)
            painted += part.area
        }
    }

    private func draw(
        _ color: pixman_color_t, shape: [pixman_trapezoid_t]?, item: DrawItem, rows: Range<Int32>, on canvas: Canvas
    ) {
        guard let shape else {
            return item.forEachRectangle(in: rows) { rect, isOpaque in
                canvas.fill(rect, with: color, operation: isOpaque ? PIXMAN_OP_SRC : PIXMAN_OP_OVER)
            }
        }
        guard let solid = PixmanImage(solid: color) else { return }
        item.forEachRectangle(in: rows) { rect, _ in
            guard let mask = Self.mask(shape, in: rect) else { return }
            canvas.composite(PIXMAN_OP_OVER, solid, at: 0, 0, mask: mask, to: rect)
        }
    }

    private static func aside(for group: DrawItem, rows: Range<Int32>) -> Aside {
        let box = group.blended.extents.rows(rows)
        guard group.area(in: rows) > 0,
            let image = PixmanImage(format: PIXMAN_a8r8g8b8, width: box.width, height: box.height)
        else { return .nowhere }
        return .canvas(Canvas(image: image, x: box.minX, y: box.minY))
    }

    private func blend(_ group: Canvas, opacity: UInt8, item: DrawItem, rows: Range<Int32>, on canvas: Canvas) {
        guard let mask = PixmanImage(solid: pixman_color_t(opacity: opacity)) else { return }
        item.forEachRectangle(in: rows) { rect, _ in
            canvas.composite(
                PIXMAN_OP_OVER, group.image, at: rect.minX - group.x, rect.minY - group.y, mask: mask, to: rect)
        }
    }

    private func draw(_ surface: SurfacePaint, item: DrawItem, rows: Range<Int32>, on canvas: Canvas) {
        let opacity = surface.opacity == 255 ? nil : PixmanImage(solid: pixman_color_t(opacity: surface.opacity))
        let part = surface.part(under: item.extents(in: rows))
        if surface.isReadAtOnce(part) {
            return surface.read(part) { pixels in
                item.forEachRectangle(in: rows) { draw(pixels, of: surface, in: $0, isOpaque: $1, opacity, on: canvas) }
            }
        }
        item.forEachRectangle(in: rows) { rect, isOpaque in
            surface.forEachPiece(of: rect) { piece, part in
                surface.read(part) { draw($0, of: surface, in: piece, isOpaque: isOpaque, opacity, on: canvas) }
            }
        }
    }

    /// Draws a rectangle of the screen.
    /// - Parameter pixels: The pixels that the rectangle shows, or nil if they cannot be read.
    private func draw(
        _ pixels: ReadPixels?, of surface: SurfacePaint, in rect: IntRect, isOpaque: Bool, _ opacity: PixmanImage?,
        on canvas: Canvas
    ) {
        guard let pixels else {
            // The client shrank its memory: nothing below was drawn where the layer replaces it, so fill that part.
            if isOpaque { canvas.fill(rect, with: surface.emptyColor) }
            return
        }
        let mask = surface.shape.map { Self.mask($0, in: rect, opacity) } ?? opacity
        if surface.shape != nil, mask == nil { return }
        let operation = isOpaque ? PIXMAN_OP_SRC : PIXMAN_OP_OVER
        if let image = pixels.image {
            let (x, y) = surface.sourcePosition(of: rect, in: pixels.part)
            canvas.composite(operation, image, at: x, y, mask: mask, to: rect)
        } else if let gathered = surface.gather(rect, from: pixels) {
            canvas.composite(operation, gathered, at: 0, 0, mask: mask, to: rect)
        } else if isOpaque {
            canvas.fill(rect, with: surface.emptyColor)
        }
    }

    /// The coverage of a shape in a rectangle of the screen.
    /// - Parameter opacity: an image of the factor by which the coverage is reduced; nil for 1.
    private static func mask(
        _ shape: [pixman_trapezoid_t], in rect: IntRect, _ opacity: PixmanImage? = nil
    ) -> PixmanImage? {
        guard let mask = PixmanImage(format: PIXMAN_a8, width: rect.width, height: rect.height) else { return nil }
        for trapezoid in shape {
            unsafe withUnsafePointer(to: trapezoid) {
                unsafe pixman_rasterize_trapezoid(mask.raw, $0, -rect.minX, -rect.minY)
            }
        }
        if let opacity {
            Canvas(image: mask, x: rect.minX, y: rect.minY)
                .composite(PIXMAN_OP_IN_REVERSE, opacity, at: 0, 0, to: rect)
        }
        return mask
    }
}
