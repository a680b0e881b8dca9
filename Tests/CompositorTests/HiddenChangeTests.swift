// Changes that opaque layers hide are no changes.

import Compositor
import MullionGeometry
import Testing
import WindowModel

@Suite struct HiddenChangeTests {
    private func solid(_ width: Int, _ height: Int, _ format: PixelFormat = .xrgb8888) -> TestContents {
        TestContents(format, width: width, [UInt32](repeating: 0xff33_3333, count: width * height))
    }

    @Test("what a covered surface changes is no damage; of a partly covered one only the visible part is")
    func covered() {
        let surfaces = TestSurfaces(solid(60, 50), solid(60, 50))
        let renderer = Renderer()
        func scene(_ x: Double) -> Frame {
            frame(100, 50, [surface(0, 60, 50), surface(1, 60, 50, moved(x, 0), window: 2)])
        }
        surfaces.draw(scene(0), with: renderer)
        surfaces.entries[0]?.damage.recordEverything()
        #expect(renderer.hides(surfaceID(0), surfaces.entries[0]!.damage))
        #expect(!surfaces.draw(scene(0), with: renderer) && renderer.damagedPixels == 0)

        surfaces.draw(scene(20), with: renderer)
        #expect(renderer.damagedRegion == Region(IntRect(x: 0, y: 0, width: 80, height: 50)))
        surfaces.entries[0]?.damage.recordEverything()
        #expect(!renderer.hides(surfaceID(0), surfaces.entries[0]!.damage))
        #expect(surfaces.draw(scene(20), with: renderer))
        #expect(renderer.damagedRegion == Region(IntRect(x: 0, y: 0, width: 20, height: 50)))
        surfaces.entries[0]?.damage.record(IntRect(x: 20, y: 3, width: 5, height: 5))
        #expect(renderer.hides(surfaceID(0), surfaces.entries[0]!.damage))
        surfaces.entries[0]?.damage.record(IntRect(x: 18, y: 30, width: 5, height: 5))
        #expect(!renderer.hides(surfaceID(0), surfaces.entries[0]!.damage))
        #expect(surfaces.draw(scene(20), with: renderer))
        #expect(renderer.damagedRegion == Region(IntRect(x: 18, y: 30, width: 2, height: 5)), "what was hidden is done")
    }

    @Test("several layers hide a change together; translucent, turned and fading ones hide nothing")
    func together() {
        let veil = solid(50, 50, .argb8888)
        let surfaces = TestSurfaces(solid(100, 50), solid(50, 50), solid(50, 50), veil)
        let turned = AffineTransform(a: 0.6, b: 0.8, c: -0.8, d: 0.6, tx: 50, ty: -30)
        let rest: [(Layer, Bool)] = [
            (surface(2, 50, 50, moved(50, 0), window: 3), true),
            (surface(2, 50, 50, moved(51, 0), window: 3), false),
            (surface(2, 50, 50, moved(50, 0), window: 3, alpha: 0.9), false),
            (surface(2, 50, 50, turned, window: 3), false),
            (surface(3, 50, 50, moved(50, 0), window: 3), false),
            (color(red, 50, 50, moved(50, 0), window: 3), true),
        ]
        for (layer, hides) in rest {
            let renderer = Renderer()
            let scene = frame(100, 50, [surface(0, 100, 50), surface(1, 50, 50, window: 2), layer])
            surfaces.draw(scene, with: renderer)
            surfaces.entries[0]?.damage.recordEverything()
            #expect(renderer.hides(surfaceID(0), surfaces.entries[0]!.damage) == hides)
            #expect(surfaces.draw(scene, with: renderer) == !hides, "\(layer)")
        }
        veil.opaqueRegion = Region(IntRect(x: 0, y: 0, width: 50, height: 50))
        surfaces.entries[3]?.damage.recordEverything()
        let renderer = Renderer()
        let scene = frame(50, 50, [surface(0, 100, 50), surface(3, 50, 50, window: 2)])
        surfaces.draw(scene, with: renderer)
        surfaces.entries[0]?.damage.recordEverything()
        #expect(!surfaces.draw(scene, with: renderer))
    }

    @Test("W3: a window that moves, appears or goes behind another one damages only what shows")
    func behind() {
        let none = TestSurfaces()
        let renderer = Renderer()
        let front = color(green, 50, 50, window: 9)
        none.draw(frame(100, 50, [front]), with: renderer)
        none.draw(frame(100, 50, [color(red, 20, 20, moved(10, 10)), front]), with: renderer)
        #expect(renderer.damagedPixels == 0)
        none.draw(frame(100, 50, [color(red, 20, 20, moved(40, 10)), front]), with: renderer)
        #expect(renderer.damagedRegion == Region(IntRect(x: 50, y: 10, width: 10, height: 20)))
        none.draw(frame(100, 50, [front]), with: renderer)
        #expect(renderer.damagedRegion == Region(IntRect(x: 50, y: 10, width: 10, height: 20)))
        none.draw(frame(100, 50, []), with: renderer)
        #expect(renderer.damagedRegion == Region(IntRect(x: 0, y: 0, width: 50, height: 50)))
        #expect(renderer.bitmap() == none.picture(frame(100, 50, [])))
    }

    @Test("a part drawn directly, or postponed, is drawn later; the changes are reported once")
    func direct() throws {
        let surfaces = TestSurfaces(solid(40, 30), solid(10, 10))
        let renderer = Renderer()
        let scene = frame(40, 30, [surface(0, 40, 30), surface(1, 10, 10, moved(5, 5), window: 2)])
        let all = IntRect(x: 0, y: 0, width: 40, height: 30)
        #expect(renderer.begin(scene, contents: surfaces.find))
        let expected = surfaces.picture(scene).pixels.map { $0 & 0xff_ffff }
        #expect(renderer.drawnDirectly(all) == expected)
        while !renderer.postpone(until: { true }) {}
        #expect(!renderer.isDrawing)
        surfaces.entries[1]?.pixels.set(0xff12_3456, 2, 2)
        surfaces.entries[1]?.damage.record(IntRect(x: 2, y: 2, width: 1, height: 1))
        #expect(renderer.begin(scene, contents: surfaces.find))
        #expect(renderer.damagedRegion == Region(IntRect(x: 7, y: 7, width: 1, height: 1)))
        let part = try #require(renderer.drawnDirectly(IntRect(x: 4, y: 7, width: 30, height: 3)))
        #expect(part[3] == 0x12_3456 && part.count { $0 == 0x33_3333 } == 89)
        while !renderer.draw() {}
        #expect(renderer.bitmap() == surfaces.picture(scene))
        surfaces.entries[1]?.damage.recordEverything()
        #expect(renderer.begin(scene, contents: surfaces.find))
        #expect(renderer.drawnDirectly(all) == nil, "most of it is in the framebuffer")
        while !renderer.draw() {}
    }

    @Test("a picture with alpha is transparent where nothing is, and its PNG keeps that")
    func alpha() throws {
        let surfaces = TestSurfaces(
            TestContents(.argb8888, width: 1, [0x8040_0000]), TestContents(.xrgb8888, width: 1, [0x0012_3456]))
        let renderer = Renderer(hasAlpha: true)
        let scene = frame(3, 1, [surface(0, 1, 1), surface(1, 1, 1, moved(1, 0))])
        #expect(surfaces.draw(scene, with: renderer))
        let picture = renderer.bitmap()
        #expect(picture.hasAlpha && picture.pixels == [0x8040_0000, 0xff12_3456, 0])
        let file = try PNG.encode(picture)
        #expect(file[25] == 6, "RGBA")
        let decoded = try PNG.decode(file).pixels
        // libpng blends with black in linear light: half of 0x80, which is not premultiplied any more, is 0x5d.
        #expect((0x5b...0x5f).contains(decoded[0] >> 16 & 0xff) && decoded[1] == 0xff12_3456)
        #expect(decoded[2] == 0xff00_0000)
    }
}
