// Contents that are translucent as a whole.

import Compositor
import MullionGeometry
import Testing
import WindowModel

@Suite struct OpacityTests {
    private func contents(_ pixel: UInt32, _ format: PixelFormat, _ opacity: Double) -> TestContents {
        let contents = TestContents(format, width: 1, [pixel])
        contents.opacity = opacity
        return contents
    }

    @Test("opacity multiplies the pixels' alpha, and formats without alpha have one too")
    func factor() {
        for (opacity, over) in [(1, 0xff), (0.8, 0x33_00cc), (0.5, 0x7f_0080), (0, 0xff_0000)] as [(Double, UInt32)] {
            for format: PixelFormat in [.xrgb8888, .argb8888] {
                let surfaces = TestSurfaces(contents(0xff00_00ff, format, opacity))
                #expect(surfaces.rows(1, 1, color(red, 1, 1), surface(0, 1, 1)) == [[over]], "\(opacity) \(format)")
            }
        }
        // 50 % of half-transparent blue.
        let surfaces = TestSurfaces(contents(0x8000_0080, .argb8888, 0.5))
        #expect(surfaces.rows(1, 1, color(red, 1, 1), surface(0, 1, 1)) == [[0xbf_0040]])
    }

    @Test("what is declared opaque hides nothing while the contents are translucent")
    func opaqueRegion() {
        let half = contents(0xff00_00ff, .argb8888, 0.5)
        half.opaqueRegion = Region(IntRect(x: 0, y: 0, width: 1, height: 1))
        let surfaces = TestSurfaces(half)
        let renderer = Renderer()
        let layers = [color(red, 1, 1), surface(0, 1, 1)]
        surfaces.draw(frame(1, 1, layers), with: renderer)
        #expect(renderer.bitmap().rows == [[0x7f_0080]])
        // The same contents with another opacity are drawn again.
        half.opacity = 1
        #expect(surfaces.draw(frame(1, 1, layers), with: renderer))
        #expect(renderer.bitmap().rows == [[0xff]])
        half.opacity = 0
        #expect(surfaces.draw(frame(1, 1, layers), with: renderer))
        #expect(renderer.bitmap().rows == [[0xff_0000]])
    }

    @Test("a window that fades as a group blends the result, and a turned layer is translucent as an upright one")
    func groupsAndTurns() {
        let surfaces = TestSurfaces(contents(0xff00_00ff, .xrgb8888, 0.5), contents(0xff00_ff00, .xrgb8888, 1))
        // Blue at 50 % over green, and both at 50 % over red.
        let group = [color(red, 1, 1, window: 9), surface(1, 1, 1, alpha: 0.5), surface(0, 1, 1, alpha: 0.5)]
        #expect(surfaces.rows(1, 1, group[0], group[1], group[2]) == [[0x7f_4040]])
        // A single layer: 25 %.
        #expect(surfaces.rows(1, 1, group[0], group[2]) == [[0xbf_0040]])
        let turn = AffineTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 0, ty: -4)
        let rows = surfaces.rows(8, 8, color(red, 8, 8), surface(0, 12, 12, turn))
        #expect(rows[4][3] == 0x7f_0080)
        let grouped = surfaces.rows(8, 8, color(red, 8, 8, window: 9), surface(0, 12, 12, turn, alpha: 0.5))
        #expect(grouped[4][3] == 0xbf_0040)
    }
}
