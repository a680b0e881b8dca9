// Images: where they are drawn, and reading and writing PNG files.

import FoundationEssentials
import Glibc
import MullionClient
import MullionDrawing
import TestSupport
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

    @Test("PNG files keep opaque pixels exactly and transparent ones within a rounding")
    func roundTrip() throws {
        let image = try square()
        #expect(try Image(data: image.pngData()) == image)
        let soft = try draw(16, 16) { $0.fill(.circle(Point(x: 8, y: 8), radius: 7), Color(argb: 0x80ff_8020)) }
        let read = try Image(data: soft.pngData(), scale: 2)
        #expect(read.scale == 2)
        for (before, after) in zip(soft.pixels, read.pixels) {
            for shift in [0, 8, 16, 24] as [UInt32] {
                #expect(abs(Int(before >> shift & 0xff) - Int(after >> shift & 0xff)) <= 1)
            }
        }
    }

    @Test("files give their scale by name, as UIKit does")
    func files() throws {
        let folder = try TemporaryFolder()
        let image = try square()
        for (name, scale) in [("a.png", 1.0), ("a@2x.png", 2), ("a@3x.png", 3)] {
            let path = "\(folder.path)/\(name)"
            try #require(FileManager.default.createFile(atPath: path, contents: Data(image.pngData())))
            let read = try Image(contentsOfFile: path)
            #expect(read.scale == scale && read.pixels == image.pixels)
            #expect(try Image(contentsOfFile: path, scale: 4).size == Size(width: 0.5, height: 0.5))
        }
    }

    @Test("errors name the file and what is wrong with it")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        func error(_ name: String, _ contents: [UInt8]? = nil) throws -> String {
            let path = "\(folder.path)/\(name)"
            if let contents {
                try #require(FileManager.default.createFile(atPath: path, contents: Data(contents)))
            }
            let error = try #require(throws: ImageError.self) { try Image(contentsOfFile: path) }
            #expect(error.file == path)
            try #require("\(error)".hasPrefix(path + ": "))
            return String("\(error)".dropFirst(path.count + 2))
        }
        #expect(try error("missing.png") == "No such file or directory")
        #expect(try error("text.png", Array("hello".utf8)) == "this is not a PNG file; convert it to PNG")
        #expect(try error("empty.png", []) == "this is not a PNG file; convert it to PNG")
        let bytes = try draw(30, 30) { $0.fill(.radial([red, blue], center: .zero, radius: 40)) }.pngData()
        #expect(try error("cut.png", Array(bytes.dropLast(40))).hasPrefix("the PNG file is damaged: "))
        #expect(try error(".") == "this is not a file, but a folder or a device; give a PNG file")
        // Nobody ever writes to it.
        try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        #expect(try error("pipe") == "this is not a file, but a folder or a device; give a PNG file")
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
        var file = try PNGFile(square().pngData())
        for (width, height) in [(60_000, 60_000), (32_767, 32_767), (1_000_000, 1)] as [(UInt32, UInt32)] {
            file.setSize(width, height)
            let expected = ImageError.Problem.invalidSize(width: Int(width), height: Int(height))
            #expect(problem { try Image(data: file.bytes) } == expected)
        }
        for (width, height) in [(0, 5), (2_147_483_647, 1), (.max, .max)] as [(UInt32, UInt32)] {
            file.setSize(width, height)
            #expect(problem { try Image(data: file.bytes) } != nil)
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

    @Test("damaged files throw and never crash, with wrong checksums and with right ones")
    func damaged() throws {
        var random = SeededRandom()
        let valid = try [1.0, 40].map { side in
            try draw(side, side) { $0.fill(.linear([red, .clear], from: .zero, to: Point(x: side, y: side))) }.pngData()
        }
        let mutator = ByteMutator(corpus: valid)
        let parts = ByteMutator(corpus: valid.flatMap { PNGFile($0).chunks.map(\.data) })
        var refused = 0
        for _ in 0..<1000 {
            var file = PNGFile(valid.randomElement(using: &random) ?? [])
            let chunk = Int.random(in: 0..<file.chunks.count, using: &random)
            file.chunks[chunk].data = parts.next(&random)
            for bytes in [mutator.next(&random), file.bytes] {
                do {
                    let image = try Image(data: bytes)
                    #expect(image.pixels.count == image.width * image.height, "seed \(random.seed)")
                } catch {
                    #expect(!error.description.isEmpty)
                    refused += 1
                }
            }
        }
        #expect(refused > 1000, "seed \(random.seed)")
    }
}
