// R2: frames that follow the bounds of what they are in, by UIKit's arithmetic.

/// Which parts of a frame and its surroundings change with the bounds that it lies in: those of a window's screen (R2),
/// or of a view's superview. Names and bits are UIKit's.
@frozen public struct AutoresizingMask: OptionSet, Hashable, Sendable, Codable {
    /// The bits, as the wire carries them.
    public let rawValue: UInt8

    /// A set from its bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The distance to the left edge.
    @inlinable public static var flexibleLeftMargin: Self { Self(rawValue: 1) }
    /// The width.
    @inlinable public static var flexibleWidth: Self { Self(rawValue: 2) }
    /// The distance to the right edge.
    @inlinable public static var flexibleRightMargin: Self { Self(rawValue: 4) }
    /// The distance to the top edge.
    @inlinable public static var flexibleTopMargin: Self { Self(rawValue: 8) }
    /// The height.
    @inlinable public static var flexibleHeight: Self { Self(rawValue: 16) }
    /// The distance to the bottom edge.
    @inlinable public static var flexibleBottomMargin: Self { Self(rawValue: 32) }

    /// R2: the frame after the bounds that it lies in have changed from one size to another. On each axis the flexible
    /// parts share what was gained or lost in proportion to what they have, or equally when they have nothing; no size
    /// becomes negative. An empty mask keeps the frame, and so does a result that would not be finite.
    public func frame(_ frame: Rect, from old: Size, to new: Size) -> Rect {
        let (x, width) = Self.share(
            new.width - old.width, of: old.width, frame.minX, frame.width,
            isFlexible: (contains(.flexibleLeftMargin), contains(.flexibleWidth), contains(.flexibleRightMargin)))
        let (y, height) = Self.share(
            new.height - old.height, of: old.height, frame.minY, frame.height,
            isFlexible: (contains(.flexibleTopMargin), contains(.flexibleHeight), contains(.flexibleBottomMargin)))
        let result = Rect(x: x, y: y, width: width, height: height)
        return result.isFinite ? result : frame
    }

    /// The arithmetic on one axis.
    private static func share(
        _ change: Double, of total: Double, _ start: Double, _ size: Double,
        isFlexible: (start: Bool, size: Bool, end: Bool)
    ) -> (start: Double, size: Double) {
        let parts = [(isFlexible.start, start), (isFlexible.size, size), (isFlexible.end, total - start - size)]
        let flexible = parts.filter(\.0).map(\.1)
        guard !flexible.isEmpty else { return (start, size) }
        let room = flexible.reduce(0, +)
        func gain(_ part: Double) -> Double {
            room > 0 ? change / room * part : change / Double(flexible.count)
        }
        return (
            isFlexible.start ? (start + gain(start)).withoutDust : start,
            isFlexible.size ? max(0, (size + gain(size)).withoutDust) : size
        )
    }
}
