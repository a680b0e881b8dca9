// Draws a part of a picture into other memory, instead of drawing the framebuffer and copying that.

import CMullionPixman
import WindowModel

/// A part of a picture in which each pixel is written once, as in a copy.
struct DirectDrawing {
    let area: IntRect
    /// Front to back; they retain the contents.
    let items: [DrawItem]
    /// The pixels that no layer covers.
    let background: Region
}

/// Memory for a picture.
@safe public struct PictureTarget {
    let rows: UnsafeMutableRawPointer
    let stride: Int
    let hasAlpha: Bool

    /// - Parameters:
    ///   - rows: the first pixel, aligned to 4 bytes, a8r8g8b8 or x8r8g8b8; valid as long as the target is used.
    ///   - stride: bytes from one row to the next, a multiple of 4.
    public init(_ rows: UnsafeMutableRawPointer, stride: Int, hasAlpha: Bool) {
        unsafe self.rows = rows
        self.stride = stride
        self.hasAlpha = hasAlpha
    }
}

extension Renderer {
    /// Parts with more layers than this are drawn by way of the framebuffer.
    private static let directLayers = 64

    /// Prepares to draw a part directly, if that costs no more than drawing the framebuffer: at least half of the part
    /// is not in the framebuffer yet, and each pixel shows one pixel of one opaque layer, in its own colours. The
    /// framebuffer remains as it is; `postpone` or `draw` finishes the picture.
    /// - Returns: whether `drawDirectly` can be used now.
    public func beginDirect(_ area: IntRect) -> Bool {
        direct = nil
        guard colors == nil, comparison == nil, plan != nil, !area.isEmpty, bounds.contains(area),
            found.count == previous.count, knownPart?.contains(area) != false,
            damage.intersection(area).area * 2 >= area.area
        else { return false }
        let remaining = Region(area)
        var items: [DrawItem] = []
        for index in previous.indices.reversed() where !remaining.isEmpty {
            guard previous.count - index <= Self.directLayers else { return false }
            let drawn = previous[index]
            if drawn.isGrouped, drawn.geometry.bounds.intersects(remaining.extents) { return false }
            guard let item = item(drawn, found: found[index], within: remaining) else { continue }
            guard item.blended.isEmpty, item.isCopy else { return false }
            remaining.subtract(item.opaque)
            items.append(item)
        }
        direct = DirectDrawing(area: area, items: items, background: remaining)
        return true
    }

    /// The part that is being drawn directly; nil: none.
    public var directPart: IntRect? { direct?.area }

    /// Draws some rows of the part into memory.
    /// - Parameters:
    ///   - rows: of the picture, within the part.
    ///   - target: whose first pixel is the first one of these rows in the part.
    public func drawDirectly(_ rows: Range<Int32>, to target: PictureTarget) {
        guard let direct else { return }
        let band = rows.clamped(to: direct.area.minY..<direct.area.maxY)
        guard !band.isEmpty,
            let image = unsafe PixmanImage(
                pixman_image_create_bits_no_clear(
                    target.hasAlpha ? PIXMAN_a8r8g8b8 : PIXMAN_x8r8g8b8, Int32(clamping: direct.area.width),
                    Int32(clamping: rows.count), target.rows.assumingMemoryBound(to: UInt32.self),
                    Int32(clamping: target.stride)))
        else { return }
        let canvas = Canvas(image: image, x: direct.area.minX, y: rows.lowerBound)
        var painter = Painter()
        painter.fill(direct.background, with: emptyColor, rows: band, on: canvas)
        for item in direct.items.reversed() { painter.draw(item, rows: band, on: canvas) }
        paintedPixels += painter.painted
    }
}
