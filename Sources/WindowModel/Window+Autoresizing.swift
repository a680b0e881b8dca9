// R2: frames that follow the bounds of their screen.

import Geometry

extension Window {
    /// Which parts of the frame and its surroundings change when the screen's bounds change; the bits are UIKit's.
    public struct Autoresizing: OptionSet, Hashable, Sendable, Codable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let leftMargin = Autoresizing(rawValue: 1)
        public static let width = Autoresizing(rawValue: 2)
        public static let rightMargin = Autoresizing(rawValue: 4)
        public static let topMargin = Autoresizing(rawValue: 8)
        public static let height = Autoresizing(rawValue: 16)
        public static let bottomMargin = Autoresizing(rawValue: 32)

        /// All parts with their names, in the order of their bits.
        public static let names: [(name: String, part: Autoresizing)] = [
            ("leftMargin", .leftMargin), ("width", .width), ("rightMargin", .rightMargin), ("topMargin", .topMargin),
            ("height", .height), ("bottomMargin", .bottomMargin),
        ]
    }
}

extension Window.Autoresizing {
    /// R2: the frame after the bounds have changed from one size to another.
    func frame(_ frame: Rect, from old: Size, to new: Size) -> Rect {
        let (x, width) = Self.share(
            new.width - old.width, of: old.width, frame.minX, frame.size.width,
            isFlexible: (contains(.leftMargin), contains(.width), contains(.rightMargin)))
        let (y, height) = Self.share(
            new.height - old.height, of: old.height, frame.minY, frame.size.height,
            isFlexible: (contains(.topMargin), contains(.height), contains(.bottomMargin)))
        let result = Rect(x: x, y: y, width: width, height: height)
        return result.isFinite ? result : frame
    }

    /// UIKit's arithmetic on one axis: the flexible ones of margin, size and margin share what was gained or lost in
    /// proportion to what they have; equally, when they have nothing.
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
