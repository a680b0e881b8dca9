// Affine transforms.

/// An affine transform: x' = a·x + c·y + tx, y' = b·x + d·y + ty (the field order of CGAffineTransform). A window's
/// transform applies about the centre of its frame (W1).
///
/// The wire carries a, b, c, d as multiples of 1/65536 and tx, ty as multiples of 1/256; other values are rounded.
@frozen public struct AffineTransform: Hashable, Sendable, Codable {
    /// How much x adds to x'.
    public var a: Double
    /// How much x adds to y'.
    public var b: Double
    /// How much y adds to x'.
    public var c: Double
    /// How much y adds to y'.
    public var d: Double
    /// The shift to the right, in points.
    public var tx: Double
    /// The shift downwards, in points.
    public var ty: Double

    /// A transform from its six numbers.
    @inlinable public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The transform that changes nothing.
    @inlinable public static var identity: AffineTransform { AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

    /// Moves by this many points.
    @inlinable public static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// Scales by these factors.
    @inlinable public static func scale(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }

    /// Whether no number is infinite or NaN.
    @inlinable public var isFinite: Bool {
        a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
    }
    /// Whether it changes nothing.
    @inlinable public var isIdentity: Bool { self == .identity }
    /// By how much areas grow; negative when it mirrors.
    @inlinable public var determinant: Double { a * d - b * c }

    /// Whether rectangles stay rectangles: only scaling, mirroring, quarter turns and translation.
    @inlinable public var isAxisAligned: Bool { (b == 0 && c == 0) || (a == 0 && d == 0) }

    /// Where the point comes to lie.
    @inlinable public func apply(to p: Point) -> Point {
        Point(x: a * p.x + c * p.y + tx, y: b * p.x + d * p.y + ty)
    }

    /// The bounding box of the transformed rectangle.
    @inlinable public func apply(to r: Rect) -> Rect {
        let p = apply(to: r.origin)
        let q = apply(to: Point(x: r.maxX, y: r.maxY))
        if isAxisAligned {
            return Rect(x: min(p.x, q.x), y: min(p.y, q.y), width: abs(q.x - p.x), height: abs(q.y - p.y))
        }
        let s = apply(to: Point(x: r.maxX, y: r.minY))
        let t = apply(to: Point(x: r.minX, y: r.maxY))
        let x0 = min(min(p.x, q.x), min(s.x, t.x))
        let y0 = min(min(p.y, q.y), min(s.y, t.y))
        return Rect(
            x: x0, y: y0, width: max(max(p.x, q.x), max(s.x, t.x)) - x0,
            height: max(max(p.y, q.y), max(s.y, t.y)) - y0)
    }

    /// Applies `self` first, then `next`.
    @inlinable public func then(_ next: AffineTransform) -> AffineTransform {
        AffineTransform(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b,
            c: next.a * c + next.c * d, d: next.b * c + next.d * d,
            tx: next.a * tx + next.c * ty + next.tx, ty: next.b * tx + next.d * ty + next.ty)
    }

    /// The inverse, nil when the transform is degenerate (H1: such a window is never hit).
    @inlinable public var inverse: AffineTransform? {
        let det = determinant
        guard det != 0, det.isFinite, isFinite else { return nil }
        let result = AffineTransform(
            a: d / det, b: -b / det, c: -c / det, d: a / det,
            tx: (c * ty - d * tx) / det, ty: (b * tx - a * ty) / det)
        return result.isFinite ? result : nil
    }
}
