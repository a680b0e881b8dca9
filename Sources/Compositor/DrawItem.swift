// One step of a drawing: what to put where.

import CPixman
import WindowModel

/// A layer, or a window that fades as a group, in the part of the screen that is drawn now.
struct DrawItem {
    enum Paint {
        /// A premultiplied colour; the trapezoids are the shape of a turned layer.
        case color(pixman_color_t, shape: [pixman_trapezoid_t]?)
        case surface(SurfacePaint)
        /// The items that follow, up to the group's end, are drawn aside …
        case beginGroup
        /// … then blended as one with this opacity.
        case endGroup(opacity: UInt8)
    }

    var paint: Paint
    /// Where the paint covers all that is below, in screen pixels.
    var opaque: Region
    /// Where it blends with what is below; disjoint from `opaque`.
    var blended: Region

    /// How many pixels are painted in these rows.
    func area(in rows: Range<Int32>) -> Int {
        var sum = 0
        forEachRectangle(in: rows) { rect, _ in sum += rect.area }
        return sum
    }

    /// The painted pixels in these rows.
    func forEachRectangle(in rows: Range<Int32>, _ body: (IntRect, _ isOpaque: Bool) -> Void) {
        opaque.forEachRectangle { rect in
            let part = rect.rows(rows)
            if !part.isEmpty { body(part, true) }
        }
        blended.forEachRectangle { rect in
            let part = rect.rows(rows)
            if !part.isEmpty { body(part, false) }
        }
    }
}

/// A surface's pixels, how they reach the screen, and what keeps them alive until then.
struct SurfacePaint {
    let contents: any PixelContents
    let source: SourceInfo
    let map: PixelMap
    let sampling: LayerGeometry.Sampling
    /// Where the layer's visible part begins on the screen: what source positions are computed from, always the
    /// same whatever part is drawn, so that parts fit together to the pixel.
    let anchor: IntRect
    let opacity: UInt8
    /// The shape of a turned layer.
    let shape: [pixman_trapezoid_t]?
}
