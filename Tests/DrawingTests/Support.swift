// Helpers for the tests of drawing: small pictures, their pixels and how much of them is covered.

import MullionClient
import MullionDrawing

let red = Color(argb: 0xffff_0000)
let green = Color(argb: 0xff00_ff00)
let blue = Color(argb: 0xff00_00ff)

/// A picture of that many points, transparent where nothing is drawn.
func draw(_ width: Double, _ height: Double, scale: Double = 1, _ body: (Canvas) -> Void) throws -> Image {
    try Image(size: Size(width: width, height: height), scale: scale, body)
}

extension Image {
    /// The picture as text, one letter per pixel: "." transparent, "?" anything but red, green, blue, white and black.
    var letters: String {
        let names: [UInt32: Character] = [
            0: ".", 0xffff_0000: "r", 0xff00_ff00: "g", 0xff00_00ff: "b", 0xffff_ffff: "w", 0xff00_0000: "k",
        ]
        return (0..<height).map { y in String((0..<width).map { x in names[self[x, y]] ?? "?" }) }
            .joined(separator: "\n")
    }

    /// The sum of all opacities, in pixels.
    var coverage: Double { pixels.reduce(0) { $0 + Double($1 >> 24) } / 255 }

    /// The smallest rectangle around all pixels that are not transparent, in pixels; nil when there are none.
    var inked: Rect? {
        var found: Rect?
        for y in 0..<height {
            for x in 0..<width where self[x, y] != 0 {
                let pixel = Rect(x: Double(x), y: Double(y), width: 1, height: 1)
                found = found?.union(pixel) ?? pixel
            }
        }
        return found
    }
}
