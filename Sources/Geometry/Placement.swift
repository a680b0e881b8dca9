// S4: exact conversions between coordinate spaces.

/// S4: where a coordinate space lies in an outer one: a window's on its screen, a view's in its superview, a screen's in
/// the global layout. Spaces with placements in the same outer space convert to each other.
///
/// A conversion there and back gives the same point, bit for bit, if its coordinates are multiples of 1/65536 – the
/// wire's are multiples of 1/256 –, however the spaces are moved, scaled, turned or sheared: results have the full
/// precision of a double, and the way back removes the rounding errors. Any other point returns within 1/100,000 of a
/// point. This holds at coordinates within ±1,000,000 while no transform stretches or shrinks more than tenfold; far
/// beyond, a double has too few digits for the way back.
@frozen public struct Placement: Hashable, Sendable {
    /// From the space's points to those of the outer one.
    public let toOuter: AffineTransform
    /// The way back; nil when the transform is degenerate, so that it has none.
    public let fromOuter: AffineTransform?

    /// A space whose points the transform takes to the outer one.
    @inlinable public init(_ toOuter: AffineTransform) {
        self.init(toOuter: toOuter, fromOuter: toOuter.inverse)
    }

    /// The space of a window on its screen, or of a view in its superview: its origin is the top left corner of the
    /// frame before the transform, which applies about the centre of the frame (W1).
    @inlinable public init(frame: Rect, transform: AffineTransform = .identity) {
        self.init(AffineTransform(placing: frame, transform: transform))
    }

    /// A space whose origin is at a point of the outer one, such as a screen's bounds in the global layout.
    @inlinable public init(at origin: Point) {
        self.init(.translation(x: origin.x, y: origin.y))
    }

    /// The fixed coordinate space of a screen in the space of its bounds.
    /// - Parameters:
    ///   - panel: the size of the fixed coordinate space, in points.
    ///   - upperEdge: the edge of the panel that is up.
    @inlinable public init(panel: Size, upperEdge: PanelEdge) {
        self.init(toOuter: upperEdge.fromPanel(of: panel), fromOuter: upperEdge.toPanel(of: panel))
    }

    @inlinable init(toOuter: AffineTransform, fromOuter: AffineTransform?) {
        self.toOuter = toOuter
        self.fromOuter = fromOuter
    }

    /// The outer space itself.
    @inlinable public static var identity: Placement { Placement(toOuter: .identity, fromOuter: .identity) }

    /// The same space in a space around the outer one, in which that has this placement.
    public func placed(in outer: Placement) -> Placement {
        var back: AffineTransform?
        if let first = outer.fromOuter, let second = fromOuter { back = first.then(second) }
        return Placement(toOuter: toOuter.then(outer.toOuter), fromOuter: back)
    }

    /// Converts a point of this space to another one's. Nil when that one's transform is degenerate, or the result
    /// would not be finite.
    public func convert(_ point: Point, to other: Placement) -> Point? {
        self == other ? point : Conversion(from: self, to: other)?.convert(point)
    }

    /// Converts a rectangle of this space to another one's: the bounding box, which is larger when it comes to lie at
    /// an angle, and then does not convert back to the same. Nil as for points.
    public func convert(_ rect: Rect, to other: Placement) -> Rect? {
        self == other ? rect : Conversion(from: self, to: other)?.convert(rect)
    }
}

/// A way from one space to another, and back.
private struct Conversion {
    let forward: Way
    /// Nil when there is none: the first space has no area in the other one.
    let backward: Way?

    init?(from: Placement, to: Placement) {
        guard let inward = to.fromOuter else { return nil }
        forward = Way(first: from.toOuter, second: inward)
        backward = from.fromOuter.map { Way(first: to.toOuter, second: $0) }
    }

    /// A result is snapped only if the way back leads from it to the given point again. The other direction makes the
    /// same test with the same pair of points; so it returns what this one was given.
    func convert(_ point: Point) -> Point? {
        let image = forward.apply(to: point)
        guard image.isFinite else { return nil }
        let snapped = image.snapped(within: forward.uncertainty(at: point))
        guard snapped != image, let backward else { return snapped }
        // Where the other space is smaller, a short distance there is a long one here.
        let returned = backward.apply(to: snapped)
        return returned.isNear(point, within: backward.uncertainty(at: snapped)) ? snapped : image
    }

    func convert(_ rect: Rect) -> Rect? {
        let far = Point(x: rect.maxX, y: rect.maxY)
        var corners = [rect.origin, far]
        if !forward.isAxisAligned { corners += [Point(x: far.x, y: rect.minY), Point(x: rect.minX, y: far.y)] }
        var (low, high) = (Point(x: .infinity, y: .infinity), Point(x: -.infinity, y: -.infinity))
        for corner in corners {
            guard let point = convert(corner) else { return nil }
            low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
            high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
        }
        let result = Rect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
        return result.isFinite ? result : nil
    }
}

/// Two transforms, one after the other. They are not multiplied, so that what cancels out in the product still counts as
/// uncertain.
private struct Way {
    let first: AffineTransform
    let second: AffineTransform

    var isAxisAligned: Bool { first.then(second).isAxisAligned }

    /// Zeros are positive.
    func apply(to point: Point) -> Point { second.apply(to: first.apply(to: point)) + .zero }

    /// By how much the image of a point may differ from the true one: 1e-9, or more where large numbers are added.
    /// Less than half the distance of the multiples that points are snapped to.
    func uncertainty(at point: Point) -> Double {
        let size = second.sizeOfTerms(at: first.sizeOfTerms(at: point))
        return min(max(1e-9, max(size.x, size.y) * 0x1p-44), 0x1p-18)
    }
}

extension AffineTransform {
    /// What is added to get the image of a point, without the signs.
    fileprivate func sizeOfTerms(at p: Point) -> Point {
        Point(x: abs(a * p.x) + abs(c * p.y) + abs(tx), y: abs(b * p.x) + abs(d * p.y) + abs(ty))
    }
}

extension Point {
    /// The point with coordinates that are near a multiple of 1/65536 set to it.
    fileprivate func snapped(within distance: Double) -> Point {
        Point(x: x.snapped(within: distance), y: y.snapped(within: distance))
    }

    fileprivate func isNear(_ other: Point, within distance: Double) -> Bool {
        abs(x - other.x) < distance && abs(y - other.y) < distance
    }
}

extension Double {
    fileprivate func snapped(within distance: Double) -> Double {
        let near = (self * 65_536).rounded() / 65_536
        return (abs(near - self) < distance ? near : self) + 0
    }
}
