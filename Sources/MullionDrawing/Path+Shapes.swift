// Paths of common shapes.

import MullionClient

extension Path {
    /// A straight line.
    public static func line(_ from: Point, _ to: Point) -> Path {
        var path = Path()
        path.move(to: from)
        path.addLine(to: to)
        return path
    }

    /// A rectangle, with round corners when `radius` is more than 0. The radius is at most half of the shorter side.
    public static func rect(_ rect: Rect, radius: Double = 0) -> Path {
        let radius = min(radius, rect.width / 2, rect.height / 2)
        var path = Path()
        guard radius > 0 else {
            guard rect.isFinite else { return path }
            path.move(to: rect.origin)
            path.addLine(to: Point(x: rect.maxX, y: rect.minY))
            path.addLine(to: Point(x: rect.maxX, y: rect.maxY))
            path.addLine(to: Point(x: rect.minX, y: rect.maxY))
            path.close()
            return path
        }
        let inner = rect.insetBy(x: radius, y: radius)
        let quarter = Double.pi / 2
        for (corner, x, y) in [
            (-1.0, inner.maxX, inner.minY), (0, inner.maxX, inner.maxY), (1, inner.minX, inner.maxY),
            (2, inner.minX, inner.minY),
        ] {
            path.addArc(
                center: Point(x: x, y: y), radius: radius, startAngle: corner * quarter,
                endAngle: (corner + 1) * quarter)
        }
        path.close()
        return path
    }

    /// A circle.
    public static func circle(_ center: Point, radius: Double) -> Path {
        var path = Path()
        path.addArc(center: center, radius: radius, startAngle: 0, endAngle: 2 * .pi)
        path.close()
        return path
    }

    /// The ellipse that touches the four sides of a rectangle.
    public static func ellipse(in rect: Rect) -> Path {
        Path.circle(.zero, radius: 1).applying(
            AffineTransform(
                a: rect.width / 2, b: 0, c: 0, d: rect.height / 2, tx: rect.center.x, ty: rect.center.y))
    }
}
