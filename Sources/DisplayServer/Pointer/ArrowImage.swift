// The default cursor: an arrow that needs no file.

import Compositor
import MullionGeometry
import WindowModel

/// Black with a white edge, one pixel per point.
final class ArrowImage: PixelContents {
    private static let rows = [
        "o           ",
        "oo          ",
        "o#o         ",
        "o##o        ",
        "o###o       ",
        "o####o      ",
        "o#####o     ",
        "o######o    ",
        "o#######o   ",
        "o########o  ",
        "o#########o ",
        "o######ooooo",
        "o###o##o    ",
        "o##oo##o    ",
        "o#o  o##o   ",
        "oo   o##o   ",
        "o     oo    ",
    ]

    /// In points.
    static let size = Size(width: 12, height: 17)
    /// The tip.
    static let hotspot = Point.zero

    private let pixels: [UInt32] = rows.flatMap { row in
        row.map { $0 == "o" ? 0xffff_ffff : $0 == "#" ? 0xff00_0000 : 0 }
    }

    let format = PixelFormat.argb8888
    let width = 12
    let height = 17
    let stride = 48

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        unsafe pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            unsafe body(base + offset(of: part), stride)
            return true
        }
    }
}
