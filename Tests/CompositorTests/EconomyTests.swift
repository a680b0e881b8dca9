// Drawing does no unnecessary work.

import Compositor
import Testing
import WindowModel

@Suite struct EconomyTests {
    private func solid(_ width: Int, _ height: Int, _ format: PixelFormat = .xrgb8888) -> TestContents {
        TestContents(format, width: width, [UInt32](repeating: 0xff33_3333, count: width * height))
    }

    @Test("an unchanged frame is not drawn, and its contents are not touched")
    func unchanged() {
        let surfaces = TestSurfaces(solid(100, 50))
        let renderer = Renderer()
        let picture = frame(100, 50, [surface(0, 100, 50)])
        #expect(surfaces.draw(picture, with: renderer))
        #expect(renderer.damagedPixels == 5000)
        #expect(renderer.paintedPixels == 5000, "nothing is cleared below an opaque surface")
        #expect(surfaces.entries[0]?.pixels.reads == 1)
        #expect(!surfaces.draw(picture, with: renderer))
        #expect(renderer.damagedPixels == 0)
        #expect(surfaces.entries[0]?.pixels.reads == 1)
        #expect(renderer.draw(maximumPixels: 1))
    }

    @Test("only the damaged part of a surface is drawn, plus one pixel around it where it is filtered")
    func surfaceDamage() {
        let surfaces = TestSurfaces(solid(100, 50))
        let renderer = Renderer()
        let plain = frame(100, 50, [surface(0, 100, 50)])
        surfaces.draw(plain, with: renderer)
        surfaces.entries[0]?.damage.record(IntRect(x: 20, y: 10, width: 10, height: 10))
        surfaces.draw(plain, with: renderer)
        #expect(renderer.damagedRegion.rectangles == [IntRect(x: 20, y: 10, width: 10, height: 10)])
        #expect(renderer.paintedPixels == 100)
        let scaled = frame(150, 75, [surface(0, 100, 50, .scale(x: 1.5, y: 1.5))])
        surfaces.draw(scaled, with: renderer)
        surfaces.entries[0]?.damage.record(IntRect(x: 20, y: 10, width: 10, height: 10))
        surfaces.draw(scaled, with: renderer)
        #expect(renderer.damagedPixels >= 17 * 17)
        #expect(renderer.damagedPixels <= 21 * 21)
    }

    @Test("each renderer sees all changes of a surface")
    func severalRenderers() {
        let surfaces = TestSurfaces(solid(10, 10))
        let early = Renderer()
        let late = Renderer()
        let picture = frame(10, 10, [surface(0, 10, 10)])
        surfaces.draw(picture, with: early)
        surfaces.draw(picture, with: late)
        for x in 0..<3 {
            surfaces.entries[0]?.damage.record(IntRect(x: x, y: 0, width: 1, height: 1))
            surfaces.draw(picture, with: early)
            #expect(early.damagedPixels == 1)
        }
        surfaces.draw(picture, with: late)
        #expect(late.damagedPixels == 3)
    }

    @Test("parts hidden by an opaque layer are not drawn, whether it is opaque by format or by region")
    func occlusion() {
        let top = solid(100, 50, .argb8888)
        top.opaqueRegion = Region(IntRect(x: 0, y: 0, width: 100, height: 40))
        let surfaces = TestSurfaces(solid(100, 50), top)
        let renderer = Renderer()
        surfaces.draw(frame(100, 50, [surface(0, 100, 50), color(red, 100, 50, window: 2)]), with: renderer)
        #expect(surfaces.entries[0]?.pixels.reads == 0)
        #expect(renderer.paintedPixels == 5000)
        surfaces.draw(frame(100, 50, [surface(0, 100, 50), surface(1, 100, 50, window: 2)]), with: renderer)
        #expect(renderer.paintedPixels == 5000 + 1000)
        surfaces.draw(
            frame(100, 50, [surface(0, 100, 50), color(red, 100, 50, window: 3, alpha: 0.5)]), with: renderer)
        #expect(renderer.paintedPixels == 10_000)
    }

    @Test("a translucent layer in front of nothing is copied, and nothing is cleared below it")
    func background() {
        let low = TestContents(.argb8888, width: 2, [0x8000_0080, 0x4040_0000])
        // More colour than alpha, which is not premultiplied: blending with black changes nothing either.
        let high = TestContents(.argb8888, width: 2, [0x0080_ff00, 0x8000_8000])
        let surfaces = TestSurfaces(low, high)
        for hasAlpha in [false, true] {
            let renderer = Renderer(hasAlpha: hasAlpha)
            let mask: UInt32 = hasAlpha ? 0xffff_ffff : 0xff_ffff
            surfaces.draw(frame(3, 1, [surface(0, 2, 1)]), with: renderer)
            #expect(renderer.paintedPixels == 3)
            #expect(renderer.bitmap().pixels.map { $0 & mask } == [0x8000_0080 & mask, 0x4040_0000 & mask, 0])
            // The second pixel of the upper layer lies in front of nothing.
            let moved = surface(1, 2, 1, .translation(x: 1, y: 0), window: 2)
            surfaces.draw(frame(3, 1, [surface(0, 2, 1), moved]), with: renderer)
            #expect(renderer.paintedPixels == 3)
            let pixels: [UInt32] = [0x8000_0080, 0x40c0_ff00, 0x8000_8000]
            #expect(renderer.bitmap().pixels.map { $0 & mask } == pixels.map { $0 & mask })
        }
    }

    @Test("of thousands of translucent layers, a few replace the background: finding out which takes time in one turn")
    func manyTranslucent() {
        let dot = TestContents(.argb8888, width: 1, [0x8000_0080])
        let surfaces = TestSurfaces(dot)
        let renderer = Renderer()
        let dots = (0..<5000).map { index in
            let (x, y) = (Double(index % 100), Double(index / 100 * 2))
            return surface(0, 1, 1, .translation(x: x, y: y))
        }
        surfaces.draw(frame(100, 100, dots), with: renderer)
        #expect((14_900..<15_000).contains(renderer.paintedPixels), "\(renderer.paintedPixels)")
    }

    @Test("W3: bringing a window to the front draws that window only")
    func raising() {
        let none = TestSurfaces()
        let renderer = Renderer()
        let windows = (0..<4).map { color(red, 20, 20, moved(Double($0) * 10, 0), window: UInt32($0)) }
        none.draw(frame(100, 50, windows), with: renderer)
        none.draw(frame(100, 50, Array(windows[1...]) + [windows[0]]), with: renderer)
        #expect(renderer.damagedRegion.rectangles == [IntRect(x: 0, y: 0, width: 20, height: 20)])
        none.draw(frame(100, 50, windows), with: renderer)
        #expect(renderer.damagedPixels == 400)
        none.draw(frame(100, 50, Array(windows.dropLast())), with: renderer)
        #expect(renderer.damagedRegion.rectangles == [IntRect(x: 30, y: 0, width: 20, height: 20)])
        none.draw(frame(100, 50, Array(windows.dropLast())), with: renderer)
        #expect(renderer.damagedPixels == 0)
    }

    @Test("slices are bounded; contents are retained until the last slice and no longer")
    func slices() {
        let surfaces = TestSurfaces(solid(100, 100))
        weak let contents = surfaces.entries[0]?.pixels
        let renderer = Renderer()
        #expect(renderer.begin(frame(100, 100, [surface(0, 100, 100)]), contents: surfaces.find))
        surfaces.entries = [:]
        #expect(contents != nil)
        var slices = 1
        while !renderer.draw(maximumPixels: 1000) {
            #expect(renderer.paintedPixels == slices * 1000)
            #expect(renderer.isDrawing)
            slices += 1
        }
        #expect(slices == 10)
        #expect(contents == nil)
        #expect(!renderer.isDrawing)
        #expect(renderer.bitmap().rows.allSatisfy { $0.allSatisfy { $0 == 0x33_3333 } })
    }

    @Test("beginAgain reads only layers in the changed part, and returns false if a buffer's properties changed")
    func again() {
        let surfaces = TestSurfaces(solid(100, 50), solid(10, 10), solid(10, 10))
        let renderer = Renderer()
        let layers = [surface(0, 100, 50), surface(1, 10, 10), surface(2, 10, 10, moved(50, 0))]
        #expect(!renderer.beginAgain([], contents: surfaces.find), "nothing was drawn yet")
        surfaces.draw(frame(100, 50, layers), with: renderer)
        #expect(renderer.beginAgain([], contents: surfaces.find) && !renderer.isDrawing)
        surfaces.entries[1]?.damage.record(IntRect(x: 2, y: 2, width: 3, height: 3))
        var looked: [UInt32] = []
        #expect(
            renderer.beginAgain([surfaceID(1)]) {
                looked.append($0.index)
                return surfaces.find($0)
            })
        #expect(looked == [1, 0, 1], "what changed, then what is drawn")
        #expect(renderer.isDrawing && renderer.damagedPixels == 9)
        #expect(!renderer.beginAgain([], contents: surfaces.find), "a drawing is unfinished")
        #expect(renderer.draw() && renderer.paintedPixels == 9)
        // A buffer of another size.
        surfaces.entries[2] = .init(pixels: solid(20, 20))
        surfaces.entries[2]?.damage.recordEverything()
        #expect(!renderer.beginAgain([surfaceID(2)], contents: surfaces.find) && !renderer.isDrawing)
        surfaces.draw(frame(100, 50, layers), with: renderer)
        // No buffer any more.
        surfaces.entries[2] = nil
        #expect(!renderer.beginAgain([surfaceID(2)], contents: surfaces.find))
        surfaces.draw(frame(100, 50, layers), with: renderer)
        let dark = [UInt8](repeating: 0, count: 256)
        renderer.colors = ColorTable(red: dark, green: dark, blue: dark)
        #expect(!renderer.beginAgain([], contents: surfaces.find), "other colours")
    }

    @Test("a hidden buffer whose properties changed is not drawn with the old ones")
    func hiddenProperties() {
        let front = solid(100, 50, .argb8888)
        front.opaqueRegion = Region(IntRect(x: 0, y: 0, width: 100, height: 50))
        let surfaces = TestSurfaces(solid(100, 50), front)
        let renderer = Renderer()
        let scene = frame(100, 50, [surface(0, 100, 50), surface(1, 100, 50)])
        surfaces.draw(scene, with: renderer)
        surfaces.entries[0]?.pixels = solid(1, 1)
        surfaces.entries[0]?.damage.recordEverything()
        #expect(surfaces.entries[0].map { renderer.hides(surfaceID(0), $0.damage) } == true)
        front.opaqueRegion = nil
        surfaces.entries[1]?.damage.recordEverything()
        #expect(!renderer.beginAgain([surfaceID(1)], contents: surfaces.find) && !renderer.isDrawing)
        surfaces.draw(scene, with: renderer)
        #expect(renderer.bitmap() == surfaces.picture(scene))
    }

    @Test("after a long list of layers, a short one releases its memory")
    func shortened() {
        let surfaces = TestSurfaces(solid(10, 10))
        let renderer = Renderer()
        let layers = (0..<2000).map { surface(0, 10, 10, moved(Double($0 % 50), Double($0 / 50))) }
        surfaces.draw(frame(100, 50, layers), with: renderer)
        surfaces.draw(frame(100, 50, [layers[0]]), with: renderer)
        var refused = 0
        for _ in 0..<6 where !renderer.beginAgain([], contents: surfaces.find) {
            refused += 1
            surfaces.draw(frame(100, 50, [layers[0]]), with: renderer)
        }
        #expect((1...3).contains(refused) && renderer.longestList == 1, "\(refused), \(renderer.longestList)")
    }

    @Test("only a limited number of opaque rectangles in front is subtracted: the rest counts as visible")
    func manyRectangles() {
        let surfaces = TestSurfaces(solid(300, 1))
        let renderer = Renderer()
        let pieces = (0..<300).map { color(red, 1, 1, moved(Double($0), 0), window: 2) }
        let scene = frame(300, 1, [surface(0, 300, 1)] + pieces)
        surfaces.draw(scene, with: renderer)
        surfaces.entries[0]?.damage.recordEverything()
        #expect(surfaces.entries[0].map { renderer.hides(surfaceID(0), $0.damage) } == false)
        #expect(renderer.beginAgain([surfaceID(0)], contents: surfaces.find))
        #expect((1..<300).contains(renderer.damagedPixels), "\(renderer.damagedPixels)")
        while !renderer.draw() {}
        #expect(renderer.bitmap() == surfaces.picture(scene))
    }

    /// 40 translucent squares.
    private func veils(_ side: Int) -> TestSurfaces {
        let surfaces = TestSurfaces()
        let pixels = [UInt32](repeating: 0x0101_0101, count: side * side)
        for index in 0..<40 {
            surfaces.entries[UInt32(index)] = .init(pixels: TestContents(.argb8888, width: side, pixels))
        }
        return surfaces
    }

    @Test("a slice counts the pixels of all layers together, and ends between two layers")
    func slicesOfManyLayers() {
        let surfaces = veils(100)
        let picture = frame(100, 100, (0..<40).map { surface(UInt32($0), 100, 100) })
        let renderer = Renderer()
        #expect(renderer.begin(picture, contents: surfaces.find))
        var (before, slices) = (0, 1)
        while !renderer.draw(maximumPixels: 15_000) {
            #expect(renderer.paintedPixels - before <= 20_000)
            before = renderer.paintedPixels
            slices += 1
        }
        #expect(slices >= 20)
        #expect(renderer.bitmap() == surfaces.picture(picture))
    }

    @Test("turned contents are read in fewer parts, because each part has a little of every row")
    func turned() {
        func reads(_ transform: BufferTransform) -> Int {
            let contents = solid(1000, 1000)
            contents.bufferTransform = transform
            TestSurfaces(contents).draw(
                frame(1000, 1000, [surface(0, 1000, 1000)]), with: Renderer(), maximumPixels: 1 << 18)
            return contents.reads
        }
        #expect(reads(.normal) == 16 && reads(.rotated180) == 16)
        #expect(reads(.rotated90) <= 8 && reads(.flipped270) <= 8)
    }

    @Test("a slice ends when its time is up, during planning and drawing, and always makes progress")
    func slicesOfTime() {
        let surfaces = veils(10)
        let picture = frame(10, 10, (0..<40).map { surface(UInt32($0), 10, 10) })
        let renderer = Renderer()
        #expect(renderer.begin(picture, contents: surfaces.find))
        var slices = 1
        while !renderer.draw(until: { true }) { slices += 1 }
        #expect((40...50).contains(slices))
        #expect(renderer.bitmap() == surfaces.picture(picture))
    }

    @Test("S3: a new mode creates a new framebuffer, which is drawn completely")
    func resize() {
        let none = TestSurfaces()
        let renderer = Renderer()
        #expect(renderer.bitmap().pixels.isEmpty)
        none.draw(frame(10, 10, [color(red, 10, 10)]), with: renderer)
        none.draw(frame(4, 2, [color(red, 3, 10)]), with: renderer)
        #expect(
            renderer.bitmap().rows == [[0xff_0000, 0xff_0000, 0xff_0000, 0], [0xff_0000, 0xff_0000, 0xff_0000, 0]])
        #expect(!none.draw(frame(0, 5, []), with: renderer))
        #expect(renderer.bitmap().pixels.isEmpty)
    }

    @Test("the lists of a long picture are released in steps; until then the drawing goes on", arguments: [0, 1, 500])
    func stepwiseRelease(left: Int) {
        let surfaces = TestSurfaces(solid(10, 10))
        let renderer = Renderer()
        let layers = (0..<500).map { surface(0, 10, 10, moved(Double($0 % 50), Double($0 / 50))) }
        surfaces.draw(frame(100, 50, layers), with: renderer)
        surfaces.compare(frame(100, 50, Array(layers.prefix(left))), with: renderer, slices: 10_000)
        #expect(renderer.longestList == 500)
        #expect(renderer.isDrawing == (left < 500))
        var steps = 0
        while !renderer.draw(until: { true }) {
            steps += 1
            #expect(renderer.isDrawing)
        }
        #expect(left == 500 || steps >= 500 / 64, "\(steps) steps")
        #expect(!renderer.isDrawing)
    }
}
