// Exact pixels of single features.

import Compositor
import MullionGeometry
import Testing
import WindowModel

@Suite struct PixelTests {
    @Test("C2: a colour is rounded to the nearest byte, half up; no layer means black")
    func colors() {
        let none = TestSurfaces()
        let orange = Color(red: 1, green: 0.5, blue: 0)
        #expect(none.rows(3, 1, color(orange, 1, 1, moved(1, 0))) == [[0, 0xff_8000, 0]])
        let faint = Color(red: 1, green: 1, blue: 1, alpha: 0.5)
        #expect(none.rows(1, 1, color(faint, 1, 1)) == [[0x80_8080]])
        #expect(none.rows(1, 1, color(red, 1, 1, window: 1), color(faint, 1, 1, window: 2)) == [[0xff_8080]])
        let wild = Color(red: 7, green: -3, blue: .nan, alpha: 9)
        #expect(none.rows(1, 1, color(wild, 1, 1)) == [[0xff_0000]])
        #expect(none.rows(1, 1, color(white, 1, 1, alpha: 0)) == [[0]])
    }

    @Test("edges are rounded to the nearest pixel, half up, and neighbours meet without gap or overlap")
    func edges() {
        let none = TestSurfaces()
        #expect(none.rows(4, 1, color(red, 1.5, 1, moved(0.5, 0))) == [[0, 0xff_0000, 0, 0]])
        #expect(
            none.rows(4, 1, color(red, 1.4, 1), color(green, 2.6, 1, moved(1.4, 0)))
                == [[0xff_0000, 0xff00, 0xff00, 0xff00]])
        #expect(none.rows(2, 1, color(red, 0.4, 1)) == [[0, 0]])
    }

    @Test("C3: a window is clipped to its frame; W6: and to the screen")
    func clipping() {
        let surfaces = TestSurfaces(TestContents(width: 2, [1, 2, 3, 4]))
        let clip = Rect(x: 1, y: 0, width: 9, height: 1)
        #expect(surfaces.rows(3, 2, surface(0, 2, 2, moved(1, 0), clip: clip)) == [[0, 0, 2], [0, 0, 0]])
        #expect(surfaces.rows(2, 1, surface(0, 2, 2, moved(-1, -1))) == [[4, 0]])
        #expect(surfaces.rows(2, 1, surface(0, 2, 2, moved(9, 9))) == [[0, 0]])
    }

    @Test("every format is drawn in the right colours")
    func formats() {
        let packed: [(PixelFormat, UInt32)] = [
            (.argb8888, 0xff11_2233), (.xrgb8888, 0x0011_2233), (.abgr8888, 0xff33_2211), (.xbgr8888, 0x33_2211),
            (.bgra8888, 0x3322_11ff), (.bgrx8888, 0x3322_1100), (.rgba8888, 0x1122_33ff), (.rgbx8888, 0x1122_3300),
            (.rgb888, 0x11_2233), (.bgr888, 0x33_2211),
        ]
        for (format, pixel) in packed {
            #expect(
                TestSurfaces(TestContents(format, width: 1, [pixel])).rows(1, 1, surface(0, 1, 1))
                    == [[0x11_2233]], "\(format)")
        }
        let coarse: [(PixelFormat, UInt32)] = [
            (.rgb565, 0xf800), (.bgr565, 0x1f), (.argb1555, 0xfc00), (.xrgb1555, 0x7c00), (.argb4444, 0xff00),
            (.xrgb4444, 0xf00), (.argb2101010, 0xfff0_0000), (.xrgb2101010, 0x3ff0_0000),
            (.abgr2101010, 0xc000_03ff), (.xbgr2101010, 0x3ff),
        ]
        for (format, pixel) in coarse {
            #expect(
                TestSurfaces(TestContents(format, width: 1, [pixel])).rows(1, 1, surface(0, 1, 1))
                    == [[0xff_0000]], "\(format)")
        }
        #expect(packed.count + coarse.count == PixelFormat.allCases.count)
    }

    @Test("format numbers are the wire's: 0, 1, then four-character codes")
    func codes() {
        let names: [(PixelFormat, String)] = [
            (.abgr8888, "AB24"), (.xbgr8888, "XB24"), (.bgra8888, "BA24"), (.bgrx8888, "BX24"), (.rgba8888, "RA24"),
            (.rgbx8888, "RX24"), (.rgb888, "RG24"), (.bgr888, "BG24"), (.rgb565, "RG16"), (.bgr565, "BG16"),
            (.argb1555, "AR15"), (.xrgb1555, "XR15"), (.argb4444, "AR12"), (.xrgb4444, "XR12"),
            (.argb2101010, "AR30"), (.xrgb2101010, "XR30"), (.abgr2101010, "AB30"), (.xbgr2101010, "XB30"),
        ]
        for (format, name) in names {
            #expect(format.rawValue == name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }, "\(name)")
        }
        #expect(PixelFormat.argb8888.rawValue == 0)
        #expect(PixelFormat.xrgb8888.rawValue == 1)
    }

    @Test("translucent pixels blend with the layers below, which are drawn only where they are visible")
    func blending() {
        let surfaces = TestSurfaces(TestContents(.argb8888, width: 3, [0xff00_00ff, 0x8000_0080, 0]))
        #expect(surfaces.rows(3, 1, color(red, 3, 1), surface(0, 3, 1)) == [[0xff, 0x7f_0080, 0xff_0000]])
        #expect(surfaces.rows(3, 1, surface(0, 3, 1)) == [[0xff, 0x80, 0]])
    }

    @Test("rows that are not aligned to 4 bytes are drawn too")
    func oddStrides() {
        let rgb = TestContents(.rgb888, width: 3, height: 2, stride: 9)
        let coarse = TestContents(.rgb565, width: 1, height: 2, stride: 2)
        for x in 0..<3 { for y in 0..<2 { rgb.set(UInt32(0x10_2030 + x + y * 16), x, y) } }
        coarse.set(0xffff, 0, 1)
        let surfaces = TestSurfaces(rgb, coarse)
        #expect(
            surfaces.rows(3, 2, surface(0, 3, 2)) == [
                [0x10_2030, 0x10_2031, 0x10_2032], [0x10_2040, 0x10_2041, 0x10_2042],
            ])
        #expect(surfaces.rows(1, 2, surface(1, 1, 2)) == [[0], [0xff_ffff]])
    }

    @Test("truncated memory is drawn black; behind a translucent buffer the layers below remain")
    func goneMemory() {
        let opaque = TestContents(width: 1, [0xff_ffff])
        opaque.isGone = true
        let clear = TestContents(.argb8888, width: 1, [0xffff_ffff])
        clear.isGone = true
        let surfaces = TestSurfaces(opaque, clear)
        #expect(surfaces.rows(1, 1, color(red, 1, 1), surface(0, 1, 1)) == [[0]])
        #expect(surfaces.rows(1, 1, color(red, 1, 1), surface(1, 1, 1)) == [[0xff_0000]])
        // In front of nothing, in a picture with alpha.
        let renderer = Renderer(hasAlpha: true)
        surfaces.draw(frame(1, 1, [surface(1, 1, 1)]), with: renderer)
        #expect(renderer.bitmap().pixels == [0])
    }

    @Test("translucent pixels declared opaque are drawn as they are, never mixed with old pixels")
    func lyingOpaqueRegion() {
        let liar = TestContents(.argb8888, width: 2, [0x8000_0080, 0x8000_0080])
        liar.opaqueRegion = Region(IntRect(x: 0, y: 0, width: 1, height: 1))
        let surfaces = TestSurfaces(liar)
        let renderer = Renderer()
        surfaces.draw(frame(2, 1, [color(white, 2, 1)]), with: renderer)
        surfaces.draw(frame(2, 1, [color(red, 2, 1), surface(0, 2, 1)]), with: renderer)
        #expect(renderer.bitmap().rows == [[0x80, 0x7f_0080]])
    }
}
