// Draws the steps of a drawing into an image.

import CPixman
import WindowModel

/// Draws items into a canvas, a band of rows at a time, and counts the pixels.
struct Painter {
    /// Pixels written so far, each as often as it was written.
    private(set) var painted = 0

    /// Draws an item within some rows.
    mutating func draw(_ item: DrawItem, rows: Range<Int32>, on canvas: Canvas) {
        var count = 0
        item.forEachRectangle(in: rows) { rect, _ in count += rect.area }
        guard count > 0 else { return }
        painted += count
        switch item.paint {
        case .color(let color, let shape):
            draw(color, shape: shape, item: item, rows: rows, on: canvas)
        case .surface(let surface):
            draw(surface, item: item, rows: rows, on: canvas)
        case .group(let members, let opacity):
            drawGroup(members, opacity: opacity, item: item, rows: rows, on: canvas)
        }
    }

    /// Makes a region black.
    mutating func fill(_ region: Region, rows: Range<Int32>, on canvas: Canvas) {
        region.forEachRectangle { rect in
            let part = rect.rows(rows)
            guard !part.isEmpty else { return }
            canvas.fill(part, with: .black)
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

    private mutating func drawGroup(
        _ members: [DrawItem], opacity: UInt8, item: DrawItem, rows: Range<Int32>, on canvas: Canvas
    ) {
        let box = item.blended.extents.rows(rows)
        guard let image = PixmanImage(format: PIXMAN_a8r8g8b8, width: box.width, height: box.height),
            let mask = PixmanImage(solid: pixman_color_t(opacity: opacity))
        else { return }
        let aside = Canvas(image: image, x: box.minX, y: box.minY)
        for member in members { draw(member, rows: rows, on: aside) }
        item.forEachRectangle(in: rows) { rect, _ in
            canvas.composite(
                PIXMAN_OP_OVER, image, at: rect.minX - box.minX, rect.minY - box.minY, mask: mask, to: rect)
        }
    }

    private func draw(_ surface: SurfacePaint, item: DrawItem, rows: Range<Int32>, on canvas: Canvas) {
        let opacity = surface.opacity == 255 ? nil : PixmanImage(solid: pixman_color_t(opacity: surface.opacity))
        let isThere = surface.contents.withPixels { pixels in
            let direct = surface.image(over: pixels)
            item.forEachRectangle(in: rows) { rect, isOpaque in
                let mask = surface.shape.map { Self.mask($0, in: rect) } ?? opacity
                if surface.shape != nil, mask == nil { return }
                let operation = isOpaque ? PIXMAN_OP_SRC : PIXMAN_OP_OVER
                if let direct {
                    let (x, y) = surface.sourcePosition(of: rect)
                    canvas.composite(operation, direct, at: x, y, mask: mask, to: rect)
                } else if let gathered = surface.gather(rect, from: pixels) {
                    canvas.composite(operation, gathered, at: 0, 0, mask: mask, to: rect)
                } else if isOpaque {
                    canvas.fill(rect, with: .black)
                }
            }
        }
        guard !isThere else { return }
        // The client shrank its memory: nothing below was drawn where the layer is opaque, so something must be.
        item.opaque.forEachRectangle { rect in
            let part = rect.rows(rows)
            if !part.isEmpty { canvas.fill(part, with: .black) }
        }
    }

    /// The coverage of a shape in a rectangle of the screen.
    private static func mask(_ shape: [pixman_trapezoid_t], in rect: IntRect) -> PixmanImage? {
        guard let mask = PixmanImage(format: PIXMAN_a8, width: rect.width, height: rect.height) else { return nil }
        for trapezoid in shape {
            withUnsafePointer(to: trapezoid) {
                pixman_rasterize_trapezoid(mask.raw, $0, -rect.minX, -rect.minY)
            }
        }
        return mask
    }
}
