// One step of a drawing.

import CMullionPixman
import WindowModel

/// A layer, or a window that fades as a group, in the part of the screen being drawn.
struct DrawItem {
    enum Paint {
        /// A premultiplied colour; the trapezoids are the shape of a turned layer.
        case color(pixman_color_t, shape: [pixman_trapezoid_t]?)
        case surface(SurfacePaint)
        /// The items that follow, up to the end of the group, are drawn off-screen …
        case beginGroup
        /// … then blended together with this opacity.
        case endGroup(opacity: UInt8)
    }

    var paint: Paint
    /// Where the paint replaces everything below, in screen pixels.
    var opaque: Region
    /// Where it blends with the pixels below; disjoint from `opaque`.
    var blended: Region

    /// Whether it writes each of its pixels once, without filtering.
    var isCopy: Bool {
        switch paint {
        case .color(_, let shape): shape == nil
        case .surface(let surface):
            if case .exact = surface.sampling { surface.shape == nil && surface.opacity == 255 } else { false }
        case .beginGroup, .endGroup: false
        }
    }

    /// The number of pixels painted in these rows.
    func area(in rows: Range<Int32>) -> Int {
        var sum = 0
        forEachRectangle(in: rows) { rect, _ in sum += rect.area }
        return sum
    }

    /// The bounding box of the painted pixels in these rows.
    func extents(in rows: Range<Int32>) -> IntRect {
        var box = IntRect.empty
        forEachRectangle(in: rows) { rect, _ in box = box.union(rect) }
        return box
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
    let sampling: LayerGeometry.Sampling
    /// The top left of the layer's visible part on the screen, from which source positions are computed. It does not
    /// depend on the part being drawn, so that parts fit together exactly.
    let anchor: IntRect
    let opacity: UInt8
    /// The shape of a turned layer.
    let shape: [pixman_trapezoid_t]?

    /// Whether rows of the screen show columns of the buffer: few rows need a little of many of the buffer's rows.
    var isTurned: Bool { abs(sampling.map.b) > abs(sampling.map.a) }

    /// What is drawn instead of pixels that cannot be read: transparent ones are black on screens.
    var emptyColor: pixman_color_t { source.format.hasAlpha ? pixman_color_t(opacity: 0) : .black }
}
