// Removes rounding errors from coordinates.

extension Point {
    /// The point with binary rounding errors removed: coordinates within 1e-9 of a multiple of 1/65536 are set to it.
    /// Makes round trips exact (S4) for all values that the wire can carry, even when an offset is not.
    package var withoutDust: Point { Point(x: x.withoutDust, y: y.withoutDust) }
}

extension Double {
    package var withoutDust: Double {
        let near = (self * 65_536).rounded() / 65_536
        return abs(near - self) < 1e-9 ? near : self
    }
}
