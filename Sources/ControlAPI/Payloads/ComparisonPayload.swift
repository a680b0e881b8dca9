// The difference between a screen and a golden picture, in JSON.

import Compositor
import DisplayServer
import JSON5
import MullionGeometry
import WindowModel

/// The answer to `POST /v1/compare`. Coordinates are in pixels of the compared pictures, after cropping.
struct ComparisonPayload: Encodable {
    var equal: Bool
    /// Why the pictures could not be compared: their sizes differ.
    var reason: String?
    /// `DisplayServer.frameNumber` of the actual picture.
    var frame: UInt64
    /// The number of pixels that differ by more than the tolerance; null when the sizes differ.
    var differing: Int?
    /// How many of them may differ in equal pictures; null when the sizes differ.
    var allowed: Int?
    /// The number of compared pixels, those outside of all masks; of all when the sizes differ.
    var pixels: Int
    /// The greatest difference of a channel, 0…255; null when the sizes differ.
    var greatest: Int?
    /// The bounding box of the differing pixels; null if there are none.
    var box: RectPayload?
    /// The first differing pixel, row by row; null if there is none.
    var first: Pixel?
    var size: SizePayload
    var expectedSize: SizePayload
    /// A PNG of the differences.
    var diff: Base64?
    /// A PNG of the expected picture, the actual one and their differences.
    var sideBySide: Base64?

    struct Pixel: Encodable {
        var x: Int
        var y: Int
        /// "#rrggbb".
        var expected: String
        var seen: String
    }

    /// - Parameter comparison: nil when the sizes differ.
    init(_ comparison: Comparison?, seen: Bitmap, expected: Bitmap, frame: UInt64) {
        equal = comparison?.isEqual ?? false
        self.frame = frame
        differing = comparison?.differing
        allowed = comparison?.allowed
        pixels = comparison?.pixels ?? seen.width * seen.height
        greatest = comparison?.greatest
        box = comparison?.box.map {
            RectPayload(
                Rect(x: Double($0.minX), y: Double($0.minY), width: Double($0.width), height: Double($0.height)))
        }
        first = comparison?.first.map {
            Pixel(x: $0.x, y: $0.y, expected: Self.color($0.expected), seen: Self.color($0.seen))
        }
        size = SizePayload(Size(width: Double(seen.width), height: Double(seen.height)))
        expectedSize = SizePayload(Size(width: Double(expected.width), height: Double(expected.height)))
        if comparison == nil {
            reason =
                "the sizes differ: \(seen.width)×\(seen.height) pixels seen, "
                + "\(expected.width)×\(expected.height) expected"
        }
    }

    private static func color(_ pixel: UInt32) -> String {
        let digits = String(pixel & 0xff_ffff, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    enum CodingKeys: CodingKey {
        case equal, reason, frame, differing, allowed, pixels, greatest, box, first, size, expectedSize, diff
        case sideBySide
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(equal, forKey: .equal)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encode(frame, forKey: .frame)
        try container.encode(differing, forKey: .differing)
        try container.encode(allowed, forKey: .allowed)
        try container.encode(pixels, forKey: .pixels)
        try container.encode(greatest, forKey: .greatest)
        try container.encode(box, forKey: .box)
        try container.encode(first, forKey: .first)
        try container.encode(size, forKey: .size)
        try container.encode(expectedSize, forKey: .expectedSize)
        try container.encodeIfPresent(diff, forKey: .diff)
        try container.encodeIfPresent(sideBySide, forKey: .sideBySide)
    }
}
