// A position.

/// A position, in points unless stated otherwise: x right, y down, from a top left corner.
@frozen public struct Point: Hashable, Sendable, Codable {
    /// Points to the right.
    public var x: Double
    /// Points downwards.
    public var y: Double

    /// A position, in points.
    @inlinable public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    @inlinable public static var zero: Point { Point(x: 0, y: 0) }

    /// The sum of both coordinates.
    @inlinable public static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    /// The difference of both coordinates.
    @inlinable public static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }

    /// Whether both coordinates are neither infinite nor NaN.
    @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }
}
