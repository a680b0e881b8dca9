// Points, sizes, rectangles and transforms as the library's users see them. Logical points; origin top left, y down.

/// A position in points.
public struct Point: Hashable, Sendable {
    /// Points to the right.
    public var x: Double
    /// Points downwards.
    public var y: Double

    /// A position, in points.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(x: 0, y: 0)

    /// The sum of both coordinates.
    public static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    /// The difference of both coordinates.
    public static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
}

/// A width and a height in points.
public struct Size: Hashable, Sendable {
    /// Points across.
    public var width: Double
    /// Points down.
    public var height: Double

    /// A size, in points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Nothing.
    public static let zero = Size(width: 0, height: 0)
}

/// A rectangle; its right and bottom edges are outside.
public struct Rect: Hashable, Sendable {
    /// The top left corner.
    public var origin: Point
    /// Width and height.
    public var size: Size

    /// A rectangle from its top left corner and its size.
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// A rectangle from its top left corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The empty rectangle at the origin.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// The left edge.
    public var minX: Double { origin.x }
    /// The top edge.
    public var minY: Double { origin.y }
    /// The right edge.
    public var maxX: Double { origin.x + size.width }
    /// The bottom edge.
    public var maxY: Double { origin.y + size.height }
    /// The width.
    public var width: Double { size.width }
    /// The height.
    public var height: Double { size.height }
    /// The middle.
    public var center: Point { Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2) }

    /// Whether the point lies inside; the right and bottom edges do not belong to the rectangle.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// The rectangle made smaller (or, with negative numbers, larger) on every side.
    public func insetBy(x dx: Double, y dy: Double) -> Rect {
        Rect(x: minX + dx, y: minY + dy, width: max(0, width - 2 * dx), height: max(0, height - 2 * dy))
    }
}

/// An affine transform: x' = a·x + c·y + tx, y' = b·x + d·y + ty. A window's is about the centre of its frame (W1).
///
/// The wire carries a, b, c, d as multiples of 1/65536 and tx, ty as multiples of 1/256; finer parts are rounded.
public struct AffineTransform: Hashable, Sendable {
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
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// Changes nothing.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Moves by so many points.
    public static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// Scales by these factors.
    public static func scale(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }
}
