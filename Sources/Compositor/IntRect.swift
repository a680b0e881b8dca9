// Rectangles with integer edges, safe against any numbers a client sends.

import CMullionPixman
import MullionGeometry

/// A rectangle with 32-bit edges, in pixels of a buffer or a screen, or whole points of a surface.
///
/// `maxX` and `maxY` are outside. Nothing here overflows: edges beyond 32 bits are clamped.
public struct IntRect: Hashable, Codable, Sendable {
    public var minX: Int32
    public var minY: Int32
    public var maxX: Int32
    public var maxY: Int32

    /// A rectangle from its edges, the right and bottom ones outside.
    public init(minX: Int32, minY: Int32, maxX: Int32, maxY: Int32) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// A rectangle from its origin and size; a negative size gives an empty rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        minX = Int32(clamping: x)
        minY = Int32(clamping: y)
        let (right, overX) = x.addingReportingOverflow(max(0, width))
        let (bottom, overY) = y.addingReportingOverflow(max(0, height))
        maxX = overX ? .max : Int32(clamping: right)
        maxY = overY ? .max : Int32(clamping: bottom)
    }

    /// The smallest rectangle around another one; its edges may be any numbers.
    public init(covering rect: Rect) {
        self.init(
            minX: Int32(clampingDouble: rect.minX.rounded(.down)),
            minY: Int32(clampingDouble: rect.minY.rounded(.down)),
            maxX: Int32(clampingDouble: rect.maxX.rounded(.up)), maxY: Int32(clampingDouble: rect.maxY.rounded(.up)))
    }

    public static let empty = IntRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
    /// The largest rectangle, for "all of it".
    public static let everything = IntRect(minX: .min, minY: .min, maxX: .max, maxY: .max)

    public var isEmpty: Bool { maxX <= minX || maxY <= minY }
    public var width: Int { max(0, Int(maxX) - Int(minX)) }
    public var height: Int { max(0, Int(maxY) - Int(minY)) }
    /// The number of unit squares inside, clamped to `Int`.
    public var area: Int {
        let (product, over) = width.multipliedReportingOverflow(by: height)
        return over ? .max : product
    }

    /// The common part, `.empty` when there is none.
    public func intersection(_ other: IntRect) -> IntRect {
        let result = IntRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
        return result.isEmpty ? .empty : result
    }

    /// The smallest rectangle around both; empty ones do not count.
    public func union(_ other: IntRect) -> IntRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return IntRect(
            minX: min(minX, other.minX), minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
    }

    public func contains(_ other: IntRect) -> Bool {
        other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
    }

    public func intersects(_ other: IntRect) -> Bool {
        !isEmpty && !other.isEmpty && minX < other.maxX && other.minX < maxX && minY < other.maxY
            && other.minY < maxY
    }

    init(_ box: pixman_box32_t) {
        self.init(minX: box.x1, minY: box.y1, maxX: box.x2, maxY: box.y2)
    }

    var box: pixman_box32_t { pixman_box32_t(x1: minX, y1: minY, x2: maxX, y2: maxY) }

    /// The part within these rows.
    func rows(_ rows: Range<Int32>) -> IntRect {
        IntRect(minX: minX, minY: max(minY, rows.lowerBound), maxX: maxX, maxY: min(maxY, rows.upperBound))
    }
}

extension Int32 {
    /// A whole number near `value`; NaN is 0, and values beyond 32 bits are clamped.
    init(clampingDouble value: Double) {
        if value.isNaN {
            self = 0
        } else {
            self = Int32(Swift.max(-2_147_483_648, Swift.min(2_147_483_647, value)))
        }
    }
}
