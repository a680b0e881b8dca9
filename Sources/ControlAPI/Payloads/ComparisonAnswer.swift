// The difference between a screen and a golden picture, in JSON.

import Compositor
import ControlProtocol
import DisplayServer
import MullionGeometry
import WindowModel

extension API.Comparison {
    /// - Parameter comparison: nil when the sizes differ.
    init(_ comparison: Comparison?, seen: Bitmap, expected: Bitmap, frame: UInt64) {
        self.init(
            equal: comparison?.isEqual ?? false, frame: frame, differing: comparison?.differing,
            allowed: comparison?.allowed, pixels: comparison?.pixels ?? seen.width * seen.height,
            greatest: comparison?.greatest, box: comparison?.box.map { API.Rect($0) },
            first: comparison?.first.map { pixel in
                API.DifferingPixel(x: pixel.x, y: pixel.y, expected: pixel.expected.hex, seen: pixel.seen.hex)
            }, size: API.Size(seen), expectedSize: API.Size(expected))
        if comparison == nil {
            reason =
                "the sizes differ: \(seen.width)×\(seen.height) pixels seen, "
                + "\(expected.width)×\(expected.height) expected"
        }
    }
}

extension API.Rect {
    fileprivate init(_ box: IntRect) {
        self.init(x: Double(box.minX), y: Double(box.minY), width: Double(box.width), height: Double(box.height))
    }
}

extension API.Size {
    fileprivate init(_ picture: Bitmap) {
        self.init(width: Double(picture.width), height: Double(picture.height))
    }
}
