// Rotated rectangles as trapezoids, clipped to the screen to stay within pixman's 16-bit numbers.

import CMullionPixman
import MullionGeometry
import WindowModel

/// The corners of a convex shape, in screen pixels, in order.
struct Polygon {
    private(set) var points: [Point]

    /// The corners of a layer's visible rectangle on the screen.
    init(_ rect: Rect, through transform: AffineTransform) {
        points = [
            Point(x: rect.minX, y: rect.minY), Point(x: rect.maxX, y: rect.minY),
            Point(x: rect.maxX, y: rect.maxY), Point(x: rect.minX, y: rect.maxY),
        ].map { transform.apply(to: $0) }
    }

    /// Clips to a rectangle, one half plane after the other.
    mutating func clip(to rect: IntRect) {
        cut { $0.x - Double(rect.minX) }
        cut { Double(rect.maxX) - $0.x }
        cut { $0.y - Double(rect.minY) }
        cut { Double(rect.maxY) - $0.y }
    }

    /// Clips to the half plane where the distance is not negative.
    private mutating func cut(_ distance: (Point) -> Double) {
        guard var previous = points.last else { return }
        var result: [Point] = []
        for point in points {
            let before = distance(previous)
            let after = distance(point)
            if (before < 0) != (after < 0) {
                let t = before / (before - after)
                result.append(
                    Point(x: previous.x + (point.x - previous.x) * t, y: previous.y + (point.y - previous.y) * t))
            }
            if after >= 0 { result.append(point) }
            previous = point
        }
        points = result
    }

    /// Horizontal slices between the corners; the polygon must have been clipped.
    var trapezoids: [pixman_trapezoid_t] {
        let corners = points.map { pixman_point_fixed_t(x: fixed($0.x), y: fixed($0.y)) }
        let heights = Set(corners.map(\.y)).sorted()
        var result: [pixman_trapezoid_t] = []
        for (top, bottom) in zip(heights, heights.dropFirst()) {
            var lines: [(middle: Double, line: pixman_line_fixed_t)] = []
            for (index, p) in corners.enumerated() {
                let q = corners[(index + 1) % corners.count]
                let (upper, lower) = p.y <= q.y ? (p, q) : (q, p)
                guard upper.y <= top, lower.y >= bottom else { continue }
                let along = (Double(top) + Double(bottom)) / 2 - Double(upper.y)
                let slope = (Double(lower.x) - Double(upper.x)) / (Double(lower.y) - Double(upper.y))
                lines.append((Double(upper.x) + along * slope, pixman_line_fixed_t(p1: upper, p2: lower)))
            }
            lines.sort { $0.middle < $1.middle }
            guard let left = lines.first, let right = lines.last, lines.count >= 2 else { continue }
            result.append(pixman_trapezoid_t(top: top, bottom: bottom, left: left.line, right: right.line))
        }
        return result
    }
}

/// 16.16 fixed point, rounded to the nearest and clamped.
func fixed(_ value: Double) -> pixman_fixed_t {
    Int32(clampingDouble: (value * 65536).rounded())
}
