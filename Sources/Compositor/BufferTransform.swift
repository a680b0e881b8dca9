// How a client transformed its content before drawing it into a buffer.

import MullionGeometry
import WindowModel

/// wl_output.transform, 0…7: what the client did to the upright picture to get the buffer's pixels.
///
/// Rotations are counter-clockwise; the flipped ones mirror left and right first, then rotate.
public enum BufferTransform: UInt32, CaseIterable, Codable, Sendable {
    case normal = 0
    case rotated90 = 1
    case rotated180 = 2
    case rotated270 = 3
    case flipped = 4
    case flipped90 = 5
    case flipped180 = 6
    case flipped270 = 7

    /// Whether the buffer's width is the upright picture's height.
    public var swapsAxes: Bool { rawValue & 1 == 1 }

    /// From a position in the upright picture of this size (buffer pixels) to the position in the buffer.
    func toBuffer(_ p: Point, upright size: Size) -> Point {
        switch self {
        case .normal: p
        case .rotated90: Point(x: p.y, y: size.width - p.x)
        case .rotated180: Point(x: size.width - p.x, y: size.height - p.y)
        case .rotated270: Point(x: size.height - p.y, y: p.x)
        case .flipped: Point(x: size.width - p.x, y: p.y)
        case .flipped90: Point(x: p.y, y: p.x)
        case .flipped180: Point(x: p.x, y: size.height - p.y)
        case .flipped270: Point(x: size.height - p.y, y: size.width - p.x)
        }
    }
}
