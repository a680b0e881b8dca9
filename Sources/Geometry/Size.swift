// A width and a height.

/// A width and a height in points (or in pixels, where stated), never negative in a valid model (W6).
@frozen public struct Size: Hashable, Sendable, Codable {
    /// Points across.
    public var width: Double
    /// Points down.
    public var height: Double

    /// A size, in points.
    @inlinable public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The empty size.
    @inlinable public static var zero: Size { Size(width: 0, height: 0) }

    /// Whether both are neither infinite nor NaN.
    @inlinable public var isFinite: Bool { width.isFinite && height.isFinite }
    /// Whether there is no area.
    @inlinable public var isEmpty: Bool { !(width > 0 && height > 0) }
}
