// Fills and strokes.

import CMullionCairo
import MullionClient

extension Canvas {
    // MARK: Everything

    /// Covers everything inside the clip.
    public func fill(_ color: Color) {
        use(color)
        unsafe cairo_paint(context)
    }

    /// Covers everything inside the clip with a gradient.
    public func fill(_ gradient: Gradient) {
        guard unsafe gradient.use(in: context) else { return }
        unsafe cairo_paint(context)
    }

    /// Makes the rectangle transparent, whatever was drawn there.
    public func clear(_ rect: Rect) {
        unsafe Path.rect(rect).add(to: context)
        unsafe cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        unsafe cairo_fill(context)
        unsafe cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }

    // MARK: Rectangles

    /// Fills a rectangle, with round corners when `radius` is more than 0.
    public func fill(_ rect: Rect, radius: Double = 0, _ color: Color) {
        fill(.rect(rect, radius: radius), color)
    }

    /// Fills a rectangle, with round corners when `radius` is more than 0.
    public func fill(_ rect: Rect, radius: Double = 0, _ gradient: Gradient) {
        fill(.rect(rect, radius: radius), gradient)
    }

    /// The border of a rectangle with round corners: a line inside its edges.
    public func strokeBorder(_ rect: Rect, radius: Double = 0, _ color: Color, width: Double = 1) {
        guard width > 0, width.isFinite else { return }
        // A line wider than the rectangle fills it.
        let width = min(width, rect.width / 2, rect.height / 2)
        let middle = rect.insetBy(x: width / 2, y: width / 2)
        stroke(.rect(middle, radius: max(0, radius - width / 2)), color, width: width)
    }

    // MARK: Paths

    /// Fills the inside of a path. Outlines that are open are filled as if they were closed.
    public func fill(_ path: Path, _ color: Color, rule: FillRule = .winding) {
        use(color)
        fill(path, rule)
    }

    /// Fills the inside of a path with a gradient.
    public func fill(_ path: Path, _ gradient: Gradient, rule: FillRule = .winding) {
        guard unsafe gradient.use(in: context) else { return }
        fill(path, rule)
    }

    /// Draws the outline of a path, half of the line's width on each side.
    public func stroke(_ path: Path, _ color: Color, width: Double = 1) {
        stroke(path, color, style: StrokeStyle(width: width))
    }

    /// Draws the outline of a path, half of the line's width on each side.
    public func stroke(_ path: Path, _ color: Color, style: StrokeStyle) {
        guard unsafe style.apply(to: context) else { return }
        unsafe path.add(to: context)
        use(color)
        unsafe cairo_stroke(context)
    }

    private func fill(_ path: Path, _ rule: FillRule) {
        unsafe path.add(to: context)
        unsafe cairo_set_fill_rule(context, rule.value)
        unsafe cairo_fill(context)
    }

    private func use(_ color: Color) {
        unsafe cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
    }
}
