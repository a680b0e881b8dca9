// Shapes, clips, transforms and gradients, pixel by pixel.

import MullionClient
import Testing

@testable import MullionDrawing

@Suite struct CanvasTests {
    @Test("rectangles on whole pixels are exact, at every scale")
    func rectangles() throws {
        let image = try draw(6, 4) { canvas in
            canvas.fill(Rect(x: 1, y: 1, width: 3, height: 2), red)
            canvas.fill(Rect(x: 3, y: 0, width: 2, height: 2), green)
            canvas.clear(Rect(x: 2, y: 2, width: 1, height: 2))
        }
        #expect(image.letters == "...gg.\n.rrgg.\n.r.r..\n......")
        let large = try draw(2, 2, scale: 2) { $0.fill(Rect(x: 0.5, y: 0, width: 1, height: 1.5), blue) }
        #expect(large.letters == ".bb.\n.bb.\n.bb.\n....")
        #expect(large.size == Size(width: 2, height: 2))
    }

    @Test("half covered pixels have half the opacity; transparent colours blend")
    func blending() throws {
        let image = try draw(2, 1) { $0.fill(Rect(x: 0.5, y: 0, width: 1, height: 1), .white) }
        for x in 0...1 { #expect((0x7f...0x80).contains(image[x, 0] >> 24)) }
        let blended = try draw(1, 1) { canvas in
            canvas.fill(.white)
            canvas.fill(Color(argb: 0x8000_0000))
        }
        #expect((0x7e...0x80).contains(blended[0, 0] & 0xff))
        #expect(blended[0, 0] >> 24 == 0xff)
    }

    @Test("borders lie inside of their rectangle")
    func borders() throws {
        let image = try draw(5, 4) { $0.strokeBorder(Rect(x: 0, y: 0, width: 5, height: 4), red) }
        #expect(image.letters == "rrrrr\nr...r\nr...r\nrrrrr")
        let filled = try draw(4, 4) { $0.strokeBorder(Rect(x: 1, y: 1, width: 2, height: 2), red, width: 50) }
        #expect(filled.letters == "....\n.rr.\n.rr.\n....")
        let round = try draw(20, 20) { $0.strokeBorder(Rect(x: 0, y: 0, width: 20, height: 20), radius: 10, red) }
        #expect(round[0, 0] == 0)
        #expect(round[10, 0] >> 24 > 200)
        #expect(round[10, 10] == 0)
    }

    @Test("strokes have the given width, ends and dashes")
    func strokes() throws {
        let line = Path.line(Point(x: 2, y: 2), Point(x: 6, y: 2))
        func stroke(_ style: StrokeStyle) throws -> String {
            try draw(8, 4) { $0.stroke(line, red, style: style) }.letters
        }
        #expect(try stroke(StrokeStyle(width: 2)) == "........\n..rrrr..\n..rrrr..\n........")
        #expect(try stroke(StrokeStyle(width: 2, cap: .square)) == "........\n.rrrrrr.\n.rrrrrr.\n........")
        #expect(try stroke(StrokeStyle(width: 2, dash: [1])) == "........\n..r.r...\n..r.r...\n........")
        let shifted = StrokeStyle(width: 2, dash: [1], dashPhase: 1)
        #expect(try stroke(shifted) == "........\n...r.r..\n...r.r..\n........")
        #expect(try stroke(StrokeStyle(width: 0)) == stroke(StrokeStyle(width: -.infinity)))
    }

    @Test("joins differ in how far corners reach")
    func joins() throws {
        var corner = Path()
        corner.move(to: Point(x: 0, y: 10))
        corner.addLine(to: Point(x: 10, y: 10))
        corner.addLine(to: Point(x: 10, y: 20))
        let areas = try [StrokeStyle.Join.miter, .round, .bevel].map { join in
            try draw(20, 20) { $0.stroke(corner, red, style: StrokeStyle(width: 8, join: join)) }.coverage
        }
        #expect(areas[0] > areas[1] + 2)
        #expect(areas[1] > areas[2] + 2)
    }

    @Test("clips intersect, and end with the saved state")
    func clips() throws {
        let image = try draw(5, 3) { canvas in
            let value = canvas.saved { () -> Int in
                canvas.clip(to: Rect(x: 0, y: 0, width: 3, height: 2))
                canvas.clip(to: Rect(x: 1, y: 1, width: 4, height: 2))
                #expect(canvas.clipBounds == Rect(x: 1, y: 1, width: 2, height: 1))
                canvas.fill(red)
                return 7
            }
            #expect(value == 7)
            canvas.fill(Rect(x: 4, y: 0, width: 1, height: 1), green)
        }
        #expect(image.letters == "....g\n.rr..\n.....")
    }

    @Test("clipping to a path with the even-odd rule leaves its hole")
    func holes() throws {
        var ring = Path.rect(Rect(x: 0, y: 0, width: 4, height: 4))
        ring.append(.rect(Rect(x: 1, y: 1, width: 2, height: 2)))
        let expected = "rrrr\nr..r\nr..r\nrrrr"
        #expect(try draw(4, 4) { $0.fill(ring, red, rule: .evenOdd) }.letters == expected)
        let clipped = try draw(4, 4) { canvas in
            canvas.clip(to: ring, rule: .evenOdd)
            canvas.fill(red)
        }
        #expect(clipped.letters == expected)
        #expect(try draw(4, 4) { $0.fill(ring, red) }.coverage == 16)
    }

    @Test("an error in a saved state or a group leaves the canvas usable")
    func errors() throws {
        struct Failure: Error {}
        let image = try draw(2, 1) { canvas in
            #expect(throws: Failure.self) {
                try canvas.saved {
                    canvas.clip(to: .zero)
                    throw Failure()
                }
            }
            #expect(throws: Failure.self) { try canvas.group(alpha: 1) { throw Failure() } }
            canvas.fill(red)
        }
        #expect(image.letters == "rr")
    }

    @Test("transforms apply to what is drawn, the last one first")
    func transforms() throws {
        let unit = Rect(x: 0, y: 0, width: 1, height: 1)
        let moved = try draw(4, 4) { canvas in
            canvas.translateBy(x: 1, y: 2)
            canvas.scaleBy(x: 3, y: 1)
            canvas.fill(unit, red)
        }
        #expect(moved.letters == "....\n....\n.rrr\n....")
        // Clockwise: what lies right of the origin comes to lie below it.
        let turned = try draw(4, 4) { canvas in
            canvas.translateBy(x: 2, y: 2)
            canvas.rotate(by: .pi / 2)
            canvas.fill(Rect(x: 0, y: 0, width: 2, height: 1), red)
        }
        #expect(turned.letters == "....\n....\n.r..\n.r..")
        let sheared = try draw(3, 2) { canvas in
            canvas.concatenate(AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 3, ty: 1))
            canvas.fill(unit, red)
        }
        #expect(sheared.letters == "...\n..r")
    }

    @Test("transforms without an inverse draw nothing until the state is restored")
    func degenerate() throws {
        for factor in [0, .nan, .infinity] as [Double] {
            let image = try draw(2, 1) { canvas in
                canvas.saved {
                    canvas.scaleBy(x: factor, y: 1)
                    canvas.fill(green)
                    canvas.text("x", in: canvas.bounds, size: 10, .black)
                }
                canvas.saved {
                    canvas.rotate(by: factor == 0 ? .infinity : factor)
                    canvas.fill(green)
                }
                canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), red)
            }
            #expect(image.letters == "r.", "\(factor)")
        }
    }

    @Test("shapes of a group do not show through each other")
    func groups() throws {
        let whole = Rect(x: 0, y: 0, width: 1, height: 1)
        let grouped = try draw(1, 1) { canvas in
            canvas.group(alpha: 0.5) {
                canvas.translateBy(x: 100, y: 0)
                canvas.fill(red)
                canvas.fill(blue)
            }
            canvas.fill(Rect(x: 5, y: 5, width: 1, height: 1), green)
        }
        #expect(grouped[0, 0] & 0xff_0000 == 0)
        #expect((0x7f...0x80).contains(grouped[0, 0] >> 24))
        #expect(try draw(1, 1) { canvas in canvas.group(alpha: .nan) { canvas.fill(whole, red) } }.coverage == 0)
        #expect(try draw(1, 1) { canvas in canvas.group(alpha: 9) { canvas.fill(whole, red) } }.letters == "r")
    }

    @Test("gradients run from the first to the last colour and continue with them")
    func gradients() throws {
        let image = try draw(30, 1) {
            $0.fill(.linear([.black, .white], from: Point(x: 10, y: 0), to: Point(x: 20, y: 0)))
        }
        let levels = image.pixels.map { $0 & 0xff }
        #expect(levels == levels.sorted())
        #expect(levels.prefix(10).allSatisfy { $0 == 0 })
        #expect(levels.suffix(10).allSatisfy { $0 == 255 })
        #expect(Set(levels).count > 8)

        let disc = try draw(21, 21) {
            $0.fill(
                Rect(x: 0, y: 0, width: 21, height: 21),
                .radial([.init(red, at: 0), .init(blue, at: 0.5)], center: Point(x: 10.5, y: 10.5), radius: 10))
        }
        #expect(disc[10, 10] >> 16 & 0xff > 220)
        #expect(disc[0, 0] == 0xff00_00ff)
        #expect(disc[10, 3] == 0xff00_00ff)
        let nothing = try draw(1, 1) { canvas in
            canvas.fill(.linear([red], from: Point(x: .nan, y: 0), to: .zero))
            canvas.fill(.radial([red, blue], center: .zero, radius: -1))
            canvas.fill(.linear([Color](), from: .zero, to: Point(x: 1, y: 0)))
        }
        #expect(nothing.coverage == 0)
    }

    @Test("numbers that are no coordinates do not stop the canvas from drawing")
    func numbers() throws {
        let bad: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, -5]
        let image = try draw(2, 1) { canvas in
            for number in bad {
                let rect = Rect(x: number, y: 0, width: number, height: number)
                canvas.fill(rect, radius: number, .clear)
                canvas.strokeBorder(rect, radius: number, .clear, width: number)
                canvas.fill(.circle(Point(x: number, y: number), radius: number), .clear)
                let style = StrokeStyle(width: number, miterLimit: number, dash: [number, 1], dashPhase: number)
                canvas.stroke(.line(.zero, Point(x: 2, y: number)), .clear, style: style)
                canvas.stroke(.line(.zero, Point(x: 2, y: 2)), .clear, style: style)
                canvas.text("x", in: rect, size: number, .clear)
                canvas.draw(Text("x y", font: .system(number), color: .clear, lineBreak: .truncatingTail), in: rect)
                canvas.saved { canvas.clip(to: rect) }
                canvas.saved { canvas.scaleBy(x: number, y: number) }
                canvas.saved { canvas.translateBy(x: number, y: number) }
            }
            canvas.fill(Rect(x: 1, y: 0, width: 1, height: 1), red)
        }
        #expect(image.letters == ".r")
    }

    @Test("a canvas that is kept longer than its pixels draws nothing")
    func kept() throws {
        var kept: Canvas?
        let image = try draw(2, 1) { kept = $0 }
        let canvas = try #require(kept)
        canvas.fill(red)
        canvas.group(alpha: 1) { canvas.fill(Rect(x: 0, y: 0, width: 1, height: 1), red) }
        canvas.text("x", in: canvas.bounds, size: 10, .black)
        #expect(image.coverage == 0)
    }

    @MainActor @Test("the canvas of a view draws nothing after the view was drawn")
    func keptByView() throws {
        var kept: Canvas?
        let view = View(frame: Rect(x: 0, y: 0, width: 2, height: 1))
        view.paint { kept = $0 }
        var pixels = [UInt32](repeating: 0, count: 2)
        try pixels.withUnsafeMutableBytes { bytes in
            view.draw(PixelBuffer(bytes: bytes, width: 2, height: 1))
            try #require(kept).fill(red)
        }
        #expect(pixels == [0, 0])
    }

    @Test("shapes that reach far beyond the picture fill it, at every scale")
    func vast() throws {
        for scale in [1.0, 10, 100, 1e4] {
            let image = try draw(2, 1) { canvas in
                canvas.scaleBy(x: scale, y: scale)
                canvas.fill(Rect(x: -1e7, y: -1e7, width: 2e7, height: 2e7), red)
            }
            #expect(image.letters == "rr", "\(scale)")
            let disc = try draw(2, 1) { canvas in
                canvas.scaleBy(x: scale, y: scale)
                canvas.fill(.circle(Point(x: 123_456, y: 7), radius: 777_777), red)
            }
            #expect(disc.letters == "rr", "\(scale)")
            let corner = try draw(2, 1) { canvas in
                canvas.scaleBy(x: scale, y: scale)
                canvas.fill(Rect(x: -333, y: -99_999, width: 1e6, height: 345_678), red)
            }
            #expect(corner.letters == "rr", "\(scale)")
        }
    }

    @Test("only the dirty part is drawn, extended to whole pixels, in the view's own coordinates")
    func dirty() throws {
        var pixels = [UInt32](repeating: 0xffff_ffff, count: 16)
        pixels.withUnsafeMutableBytes { bytes in
            let canvas = Canvas(
                bytes.baseAddress, width: 4, height: 4, stride: 16, scale: 2,
                bounds: Rect(x: 10, y: 20, width: 2, height: 2),
                dirtyRect: Rect(x: 10.6, y: 20.5, width: 0.7, height: 9))
            #expect(canvas.dirtyRect == Rect(x: 10.5, y: 20.5, width: 1, height: 1.5))
            #expect(canvas.clipBounds == canvas.dirtyRect)
            canvas.fill(red)
            canvas.fill(Rect(x: 11, y: 21, width: 1, height: 1), blue)
        }
        let image = try Image(pixels: pixels, width: 4, height: 4)
        #expect(image.letters == "wwww\nwrrw\nwrbw\nwrbw")
    }
}
