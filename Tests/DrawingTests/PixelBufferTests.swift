// Drawing into the pixels of a view.

import MullionDrawing
import Testing

@testable import MullionClient

@Suite struct PixelBufferTests {
    @Test("a canvas draws into a view's pixels, in points")
    func pixels() {
        var pixels = [UInt32](repeating: 0, count: 8)
        pixels.withUnsafeMutableBytes { bytes in
            let canvas = Canvas(PixelBuffer(bytes: bytes, width: 4, height: 2, scale: 2))
            #expect(canvas.bounds == Rect(x: 0, y: 0, width: 2, height: 1))
            #expect(canvas.dirtyRect == canvas.bounds)
            #expect(canvas.scale == 2)
            canvas.fill(Rect(x: 1, y: 0, width: 1, height: 0.5), red)
        }
        #expect(pixels == [0, 0, 0xffff_0000, 0xffff_0000, 0, 0, 0, 0])
    }

    @Test("numbers that are no coordinates fill nothing or everything, never what is outside")
    func numbers() {
        let bad: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, -5]
        var pixels = [UInt32](repeating: 0, count: 8)
        pixels.withUnsafeMutableBytes { bytes in
            let buffer = PixelBuffer(bytes: bytes, width: 4, height: 2, scale: 2)
            for x in bad {
                for width in bad {
                    buffer.fill(Rect(x: x, y: 0, width: width, height: 1), .white)
                    buffer.fill(Rect(x: 0, y: x, width: 1, height: width), .white)
                }
            }
            buffer.fill(Rect(x: -1e300, y: -1e300, width: 2e300, height: 2e300), .white)
        }
        #expect(pixels.allSatisfy { $0 == .max })
    }
}
