// Determines which part of each layer is drawn: the damaged part that no opaque layer hides.

import CMullionPixman
import MullionGeometry
import WindowModel

extension Renderer {
    /// The largest number of rectangles that the visible part is cut into; beyond it, more is drawn than is visible.
    static let maximumPieces = 256
    /// How many of the rearmost layers may replace the background. All are looked at at once.
    private static let replacingLayers = 64
    /// Layers planned between two checks of the time.
    private static let layersAtOnce = 4

    /// The planning of a drawing, front to back, because opaque layers hide those below them.
    struct Plan {
        /// The part not hidden yet.
        let remaining: Region
        /// The index in front of which all layers are planned.
        var end: Int
        /// Front to back.
        var items: [DrawItem] = []
    }

    /// Continues planning; when done, `items` and `background` are complete.
    /// - Returns: false if time ran out first.
    func goOnPlanning(until isOver: () -> Bool) -> Bool {
        while var next = plan {
            plan = nil
            for _ in 0..<Self.layersAtOnce where next.end > 0 && !next.remaining.isEmpty { add(to: &next) }
            guard next.end > 0, !next.remaining.isEmpty else {
                items = next.items
                Self.replaceBackground(items, next.remaining)
                background.add(next.remaining)
                return true
            }
            plan = next
            if isOver() { return false }
        }
        return true
    }

    /// Plans the next layer, or the next translucent window.
    private func add(to plan: inout Plan) {
        let last = previous[plan.end - 1]
        guard last.isGrouped else {
            plan.end -= 1
            if let item = item(last, found: found[plan.end], within: plan.remaining) {
                Self.hide(item, in: plan.remaining)
                plan.items.append(item)
            }
            return
        }
        var start = plan.end - 1
        while start > 0, previous[start - 1].isGrouped, previous[start - 1].layer.window == last.layer.window,
            previous[start - 1].opacity == last.opacity
        {
            start -= 1
        }
        plan.items += group(start..<plan.end, within: plan.remaining)
        plan.end = start
    }

    /// Lets the rearmost layers replace the background instead of blending with it, since premultiplied pixels in front
    /// of black or of nothing remain as they are.
    /// - Parameter background: the pixels without an opaque layer; replaced ones are removed from it.
    private static func replaceBackground(_ items: [DrawItem], _ background: Region) {
        // What no layer looked at so far covers.
        let bare = background.copy()
        var isInGroup = false
        for index in items.indices.suffix(replacingLayers).reversed() {
            guard !bare.isEmpty, max(bare.rectangleCount, background.rectangleCount) <= maximumPieces else { return }
            switch items[index].paint {
            case .beginGroup: isInGroup = true
            case .endGroup: isInGroup = false
            case .color, .surface: break
            }
            guard !isInGroup else { continue }
            let item = items[index]
            bare.subtract(item.opaque)
            guard !item.blended.isEmpty else { continue }
            let replaced = item.blended.copy()
            replaced.intersect(bare)
            bare.subtract(replaced)
            guard item.isCopy else { continue }
            item.opaque.add(replaced)
            item.blended.subtract(replaced)
            background.subtract(replaced)
        }
    }

    private static func hide(_ item: DrawItem, in remaining: Region) {
        if remaining.rectangleCount <= maximumPieces { remaining.subtract(item.opaque) }
    }

    /// Plans a translucent window, front to back: its layers hide each other as if it were opaque.
    private func group(_ layers: Range<Int>, within remaining: Region) -> [DrawItem] {
        let covered = Region()
        let extents = remaining.extents
        for index in layers where previous[index].geometry.bounds.intersects(extents) {
            covered.add(previous[index].geometry.bounds)
            if covered.rectangleCount > Self.maximumPieces { covered.add(covered.extents) }
        }
        covered.intersect(remaining)
        guard !covered.isEmpty else { return [] }
        let opacity = previous[layers.lowerBound].opacity
        let inside = covered.copy()
        var items = [DrawItem(paint: .endGroup(opacity: opacity), opaque: Region(), blended: covered)]
        for index in layers.reversed() where !inside.isEmpty {
            var drawn = previous[index]
            drawn.layer.alpha = 1
            guard let item = item(drawn, found: found[index], within: inside) else { continue }
            Self.hide(item, in: inside)
            items.append(item)
        }
        return items + [DrawItem(paint: .beginGroup, opaque: Region(), blended: covered)]
    }

    /// The step that draws one layer where it is visible; nil when it is hidden.
    func item(_ drawn: DrawnLayer, found: Contents?, within remaining: Region) -> DrawItem? {
        let geometry = drawn.geometry
        guard geometry.bounds.intersects(remaining.extents) else { return nil }
        let visible = remaining.intersection(geometry.bounds)
        guard !visible.isEmpty else { return nil }
        let shape = geometry.isRectangle ? nil : self.shape(of: drawn.layer)
        switch drawn.layer.content {
        case .color(let color):
            let pixel = color.pixmanColor(opacity: drawn.opacity == 255 ? 1 : drawn.layer.alpha)
            guard pixel.alpha > 0 else { return nil }
            let isOpaque = drawn.opacity == 255 && geometry.isRectangle && pixel.alpha == 0xffff
            return DrawItem(
                paint: .color(pixel, shape: shape), opaque: isOpaque ? visible : Region(),
                blended: isOpaque ? Region() : visible)
        case .surface:
            guard let found, let source = drawn.source, let sampling = geometry.sampling else { return nil }
            let opacity = product(drawn.opacity, source.opacity)
            guard opacity > 0 else { return nil }
            let paint = SurfacePaint(
                contents: found.pixels, source: source, sampling: sampling, anchor: geometry.bounds, opacity: opacity,
                shape: shape)
            // In a group the layers are drawn as if they were opaque.
            let part = drawn.opaque.isNothing ? Self.opaquePart(of: drawn, found.pixels) : drawn.opaque
            let opaque = part.intersection(visible, bounds: geometry.bounds)
            visible.subtract(opaque)
            return DrawItem(paint: .surface(paint), opaque: opaque, blended: visible)
        }
    }

    /// The rotated rectangle, clipped to slightly more than the screen.
    private func shape(of layer: Layer) -> [pixman_trapezoid_t] {
        var rect = Rect(origin: .zero, size: layer.size)
        if let clip = layer.clip { rect = rect.intersection(clip) }
        var polygon = Polygon(rect, through: layer.toPixels)
        polygon.clip(to: bounds.grown(by: 4))
        return polygon.trapezoids
    }
}
