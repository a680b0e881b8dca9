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
}
