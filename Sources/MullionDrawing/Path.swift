// Outlines made of lines and curves.

import CMullionCairo
import Glibc
import MullionClient

/// An outline made of straight lines and Bézier curves, in points, like UIBezierPath. It is a value: drawing it is up
/// to `Canvas.fill` and `Canvas.stroke`.
///
/// Coordinates that are infinite or NaN are ignored.
public struct Path: Hashable, Sendable {
    /// A part of the outline.
    public enum Element: Hashable, Sendable {
        /// Begins a new outline at this point.
        case move(to: Point)
        /// A straight line.
        case line(to: Point)
        /// A cubic Bézier curve with its two control points.
        case curve(to: Point, Point, Point)
        /// A straight line to where the outline began.
        case close
    }

    /// Everything that was added, in order.
    public private(set) var elements: [Element] = []
    /// Where the next line begins, nil when nothing was added yet.
    public private(set) var currentPoint: Point?
    private var start: Point?

    /// A path without any element.
    public init() {}

    /// Whether nothing was added.
    public var isEmpty: Bool { elements.isEmpty }

    // MARK: Adding

    /// Begins a new outline.
    public mutating func move(to point: Point) {
        guard point.isFinite else { return }
        elements.append(.move(to: point))
        start = point
        currentPoint = point
    }

    /// Adds a straight line; without a current point, only begins there.
    public mutating func addLine(to point: Point) {
        guard currentPoint != nil else { return move(to: point) }
        guard point.isFinite else { return }
        elements.append(.line(to: point))
        currentPoint = point
    }

    /// Adds a cubic Bézier curve.
    public mutating func addCurve(to point: Point, controlPoint1 first: Point, controlPoint2 second: Point) {
        guard point.isFinite, first.isFinite, second.isFinite else { return }
        if currentPoint == nil { move(to: first) }
        elements.append(.curve(to: point, first, second))
        currentPoint = point
    }

    /// Adds a quadratic Bézier curve.
    public mutating func addQuadCurve(to point: Point, controlPoint control: Point) {
        func third(_ end: Point) -> Point {
            Point(x: end.x + (control.x - end.x) * 2 / 3, y: end.y + (control.y - end.y) * 2 / 3)
        }
        addCurve(to: point, controlPoint1: third(currentPoint ?? control), controlPoint2: third(point))
    }

    /// Adds a part of a circle, and a straight line to its beginning when there is a current point.
    /// - Parameters:
    ///   - startAngle: where it begins, in radians: 0 is right of the centre, π/2 below it.
    ///   - endAngle: where it ends. From a start to an end a full turn or more away, it is the whole circle.
    ///   - clockwise: the direction from the start to the end.
    public mutating func addArc(
        center: Point, radius: Double, startAngle: Double, endAngle: Double, clockwise: Bool = true
    ) {
        guard center.isFinite, radius.isFinite, startAngle.isFinite, endAngle.isFinite else { return }
        let turn = 2 * Double.pi
        var sweep = clockwise ? endAngle - startAngle : startAngle - endAngle
        if sweep < 0 { sweep = turn + sweep.truncatingRemainder(dividingBy: turn) }
        sweep = min(sweep, turn) * (clockwise ? 1 : -1)
        // An eighth of a circle differs from its curve by less than a millionth of the radius.
        let count = max(1, (abs(sweep) / (.pi / 4)).rounded(.up))
        let step = sweep / count
        let handle = 4 / 3 * tan(step / 4)
        /// The point at an angle, and the direction there with the length of the curve's handle.
        func place(_ angle: Double) -> (point: Point, handle: Point) {
            let (x, y) = (radius * cos(angle), radius * sin(angle))
            return (Point(x: center.x + x, y: center.y + y), Point(x: -y * handle, y: x * handle))
        }
        var from = place(startAngle)
        addLine(to: from.point)
        for index in 1...Int(count) {
            let to = place(startAngle + step * Double(index))
            addCurve(
                to: to.point, controlPoint1: from.point + from.handle, controlPoint2: to.point - to.handle)
            from = to
        }
    }

    /// Connects the end of the outline with its beginning.
    public mutating func close() {
        guard currentPoint != nil else { return }
        elements.append(.close)
        currentPoint = start
    }

    /// Adds everything of another path.
    public mutating func append(_ other: Path) {
        elements += other.elements
        start = other.start ?? start
        currentPoint = other.currentPoint ?? currentPoint
    }

    /// The path with every point transformed.
    public func applying(_ transform: AffineTransform) -> Path {
        var path = Path()
        for element in elements {
            switch element {
            case .move(let to): path.move(to: transform.apply(to: to))
            case .line(let to): path.addLine(to: transform.apply(to: to))
            case .curve(let to, let first, let second):
                path.addCurve(
                    to: transform.apply(to: to), controlPoint1: transform.apply(to: first),
                    controlPoint2: transform.apply(to: second))
            case .close: path.close()
            }
        }
        return path
    }

    // MARK: Measuring

    /// The smallest rectangle around the outline, without the width of its stroke.
    public var bounds: Rect {
        unsafe Measuring.with { context in
            unsafe add(to: context)
            var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
            unsafe cairo_path_extents(context, &left, &top, &right, &bottom)
            return Rect(x: left, y: top, width: right - left, height: bottom - top)
        }
    }

    /// Whether the point is inside when the path is filled.
    public func contains(_ point: Point, rule: FillRule = .winding) -> Bool {
        unsafe Measuring.with { context in
            unsafe add(to: context)
            unsafe cairo_set_fill_rule(context, rule.value)
            return unsafe cairo_in_fill(context, point.x, point.y) != 0
        }
    }

    /// Makes it the current path of a cairo context.
    @unsafe func add(to context: OpaquePointer?) {
        // cairo's coordinates are 24.8 numbers of pixels; others would wrap around.
        var matrix = cairo_matrix_t()
        unsafe cairo_get_matrix(context, &matrix)
        let scale = max(abs(matrix.xx), abs(matrix.xy), abs(matrix.yx), abs(matrix.yy))
        let limit = min(1_000_000, 4_000_000 / scale)
        func fit(_ value: Double) -> Double { min(max(value, -limit), limit) }
        unsafe cairo_new_path(context)
        for element in elements {
            switch element {
            case .move(let to): unsafe cairo_move_to(context, fit(to.x), fit(to.y))
            case .line(let to): unsafe cairo_line_to(context, fit(to.x), fit(to.y))
            case .curve(let to, let first, let second):
                unsafe cairo_curve_to(
                    context, fit(first.x), fit(first.y), fit(second.x), fit(second.y), fit(to.x), fit(to.y))
            case .close: unsafe cairo_close_path(context)
            }
        }
    }
}

/// Which points are inside of a path that crosses itself or has several outlines.
public enum FillRule: Hashable, Sendable {
    /// Those around which the outline turns, counting clockwise turns against the others.
    case winding
    /// Those from which a ray to the outside crosses the outline an odd number of times.
    case evenOdd

    var value: cairo_fill_rule_t { self == .winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD }
}

/// cairo contexts without pixels, for questions about paths.
enum Measuring {
    static func with<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        let surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_A8, 0, 0)
        let context = unsafe cairo_create(surface)
        defer {
            unsafe cairo_destroy(context)
            unsafe cairo_surface_destroy(surface)
        }
        return unsafe body(context)
    }
}
