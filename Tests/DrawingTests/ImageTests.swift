// Images: their pixels, and where they are drawn.

import MullionClient
import MullionDrawing
import Testing

@Suite struct ImageTests {
    /// Red and green above, blue and white below.
    private func square(scale: Double = 1) throws -> Image {
        try Image(
            pixels: [0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0xffff_ffff], width: 2, height: 2, scale: scale)
    }

    @Test("images are drawn pixel by pixel where pixels meet, at every scale")
    func exact() throws {
        let image = try square()
        #expect(try draw(4, 3) { $0.draw(image, at: Point(x: 1, y: 1)) }.letters == "....\n.rg.\n.bw.")
        let fine = try square(scale: 2)
        #expect(fine.size == Size(width: 1, height: 1))
        #expect(try draw(2, 1, scale: 2) { $0.draw(fine, at: Point(x: 0.5, y: 0)) }.letters == ".rg.\n.bw.")
        let half = try draw(2, 2) { $0.draw(image, at: .zero, alpha: 0.5) }
        #expect(half.pixels.allSatisfy { (0x7f...0x80).contains($0 >> 24) })
        let turned = try draw(2, 2) { canvas in
            canvas.translateBy(x: 2, y: 0)
            canvas.rotate(by: .pi / 2)
            canvas.draw(image, at: .zero)
        }
        #expect(turned.letters == "br\nwg")
    }

    @Test("enlarged images fill their rectangle up to its edges, and nothing outside")
    func enlarged() throws {
        let one = try Image(pixels: [0xffff_0000], width: 1, height: 1)
        let image = try draw(5, 4) { $0.draw(one, in: Rect(x: 1, y: 1, width: 3, height: 2)) }
        #expect(image.letters == ".....\n.rrr.\n.rrr.\n.....")
    }

    @Test("content modes")
    func contentModes() throws {
        let size = Size(width: 20, height: 10)
        let rect = Rect(x: 100, y: 100, width: 40, height: 40)
        #expect(ContentMode.scaleToFill.frame(of: size, in: rect) == rect)
        #expect(ContentMode.scaleAspectFit.frame(of: size, in: rect) == Rect(x: 100, y: 110, width: 40, height: 20))
        #expect(ContentMode.scaleAspectFill.frame(of: size, in: rect) == Rect(x: 80, y: 100, width: 80, height: 40))
        #expect(ContentMode.center.frame(of: size, in: rect) == Rect(x: 110, y: 115, width: 20, height: 10))
        #expect(ContentMode.scaleAspectFit.frame(of: .zero, in: rect).isEmpty)

        let wide = try draw(4, 2) { $0.fill(red) }
        func drawn(_ mode: ContentMode) throws -> String {
            try draw(6, 4) { $0.draw(wide, in: Rect(x: 1, y: 0, width: 4, height: 4), contentMode: mode) }.letters
        }
        #expect(try drawn(.scaleAspectFit) == "......\n.rrrr.\n.rrrr.\n......")
        for mode in [ContentMode.scaleToFill, .scaleAspectFill] {
            #expect(try drawn(mode) == ".rrrr.\n.rrrr.\n.rrrr.\n.rrrr.")
        }
        let large = try draw(6, 6) { $0.fill(red) }
        let clipped = try draw(4, 4) {
            $0.draw(large, in: Rect(x: 1, y: 1, width: 2, height: 2), contentMode: .center)
        }
        #expect(clipped.letters == "....\n.rr.\n.rr.\n....")
    }

    @Test("sizes and scales that are none are refused before there is memory for them")
    func sizes() throws {
        func problem(_ make: () throws -> Image) -> ImageError.Problem? {
            do {
                _ = try make()
                return nil
            } catch {
                return (error as? ImageError)?.problem
            }
        }
        #expect(problem { try draw(0, 5) { _ in } } == .invalidSize(width: 0, height: 5))
        #expect(problem { try draw(-1, .nan) { _ in } } != nil)
        #expect(problem { try draw(.infinity, 1) { _ in } } != nil)
        #expect(problem { try draw(40_000, 1) { _ in } } == .invalidSize(width: 40_000, height: 1))
        #expect(problem { try draw(1, 1, scale: 0) { _ in } } == .invalidScale(0))
        let count = problem { try Image(pixels: [0], width: 2, height: 3) }
        #expect(count == .wrongCount(pixels: 1, width: 2, height: 3))
        #expect(
            ImageError.Problem.invalidSize(width: 0, height: 1)
                == problem { try Image(pixels: [], width: 0, height: 1) })
    }
}
