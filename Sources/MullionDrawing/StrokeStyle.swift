// How outlines are drawn.

import CMullionCairo

/// How the outline of a path is drawn.
public struct StrokeStyle: Hashable, Sendable {
    /// The ends of lines.
    public enum Cap: Hashable, Sendable {
        /// Straight, at the end.
        case butt
        /// A half circle around the end.
        case round
        /// Half a square around the end.
        case square
    }

    /// The corners between lines.
    public enum Join: Hashable, Sendable {
        /// Pointed; straight where `miterLimit` is exceeded.
        case miter
        /// Round.
        case round
        /// Straight.
        case bevel
    }

    /// The width of the line, in points; half of it lies on each side of the path. 0 or less draws nothing.
    public var width: Double
    /// The ends of lines and dashes.
    public var cap: Cap
    /// The corners.
    public var join: Join
    /// How many times longer than the line is wide a pointed corner may be.
    public var miterLimit: Double
    /// The lengths of dashes and of the gaps between them, alternately, in points. Empty, with a negative length or
    /// with a sum of 0: an unbroken line.
    public var dash: [Double]
    /// How far into the dashes the line begins, in points.
    public var dashPhase: Double

    /// A style; an unbroken line with straight ends and pointed corners where nothing else is given.
    public init(
        width: Double = 1, cap: Cap = .butt, join: Join = .miter, miterLimit: Double = 10, dash: [Double] = [],
        dashPhase: Double = 0
    ) {
        self.width = width
        self.cap = cap
        self.join = join
        self.miterLimit = miterLimit
        self.dash = dash
        self.dashPhase = dashPhase
    }

    /// Makes it the style of a cairo context; false when nothing can be drawn with it.
    @unsafe func apply(to context: OpaquePointer?) -> Bool {
        guard width > 0, width.isFinite else { return false }
        unsafe cairo_set_line_width(context, width)
        unsafe cairo_set_miter_limit(context, miterLimit.isNaN ? 10 : max(1, miterLimit))
        let caps: [Cap: cairo_line_cap_t] = [.round: CAIRO_LINE_CAP_ROUND, .square: CAIRO_LINE_CAP_SQUARE]
        unsafe cairo_set_line_cap(context, caps[cap] ?? CAIRO_LINE_CAP_BUTT)
        let joins: [Join: cairo_line_join_t] = [.round: CAIRO_LINE_JOIN_ROUND, .bevel: CAIRO_LINE_JOIN_BEVEL]
        unsafe cairo_set_line_join(context, joins[join] ?? CAIRO_LINE_JOIN_MITER)
        // cairo ignores all later calls after dashes that it refuses.
        let total = dash.reduce(0, +)
        let dashes = total > 0 && total.isFinite && dash.allSatisfy { $0 >= 0 } ? dash : []
        unsafe cairo_set_dash(context, dashes, Int32(clamping: dashes.count), dashPhase.isFinite ? dashPhase : 0)
        return true
    }
}
