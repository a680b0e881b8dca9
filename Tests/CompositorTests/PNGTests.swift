// Encoding and decoding pictures.

import Testing

@testable import Compositor

@Suite struct PNGTests {
    /// ISA-L, and zlib, which is used where ISA-L is missing.
    private static let libraries = [CompressionLibraries.installed, .init(isal: nil, zlib: "libz.so.1")]

    @Test("encoding and decoding preserve every pixel, on any thread")
    func roundTrip() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        for (width, height) in [(1, 1), (3, 2), (17, 31), (640, 3)] {
            let bitmap = await Task.detached {
                var random = SeededRandom(seed: seed)
                var bitmap = Bitmap(width: width, height: height)
                for y in 0..<height {
                    for x in 0..<width {
                        let pixel = UInt32(truncatingIfNeeded: random.next())
                        bitmap.paste(Bitmap(width: 1, height: 1, filledWith: pixel), x: x, y: y)
                    }
                }
                return bitmap
            }.value
            let bytes = try await Task.detached { try PNG.encode(bitmap) }.value
            #expect(Array(bytes.prefix(4)) == [0x89, 0x50, 0x4e, 0x47])
            #expect(try PNG.decode(bytes) == bitmap, "seed \(seed)")
        }
    }

    @Test("gradients, text, noise and solid colours are preserved, whichever filter a row uses", arguments: libraries)
    func filters(libraries: CompressionLibraries) throws {
        var random = SeededRandom(seed: 7)
        /// What a row of each kind has at x.
        let kinds: [(_ x: Int, _ y: Int) -> UInt32] = [
            { x, y in UInt32(x) << 16 | UInt32(y) << 8 | UInt32((x + y) / 2) },
            { x, y in x / 3 * 7 % 5 == y % 4 ? 0 : 0xff_ffff },
            { _, _ in UInt32(truncatingIfNeeded: random.next()) & 0xff_ffff },
            { _, _ in 0x12_3456 },
        ]
        for height in [1, 2, 7, 8, 9, 10, 17, 100] {
            var picture = Bitmap(width: 200, height: height)
            for y in 0..<height {
                for x in 0..<200 {
                    let pixel = kinds[y / 9 % kinds.count](x, y)
                    picture.paste(Bitmap(width: 1, height: 1, filledWith: pixel), x: x, y: y)
                }
            }
            #expect(try PNG.decode(PNG.encode(picture, with: libraries)) == picture, "\(height) rows")
        }
    }

    @Test("large pictures that hardly compress, and long rows, are written in several chunks", arguments: libraries)
    func chunks(libraries: CompressionLibraries) throws {
        var random = SeededRandom(seed: 3)
        for (width, height, hasAlpha) in [(700, 300, false), (16_384, 7, true), (16_384, 2, false), (1, 9000, true)] {
            let picture = Bitmap(width: width, height: height, hasAlpha: hasAlpha) { _ in
                let color = UInt32(truncatingIfNeeded: random.next())
                return hasAlpha ? color | 0xff00_0000 : color & 0xff_ffff
            }
            let file = try PNG.encode(picture, with: libraries)
            #expect(try PNG.decode(file, straightAlpha: hasAlpha) == picture, "\(width)×\(height)")
            let sizes = chunkSizes(file, "IDAT")
            #expect(sizes.allSatisfy { 1...65_536 ~= $0 }, "\(sizes)")
            #expect(sizes.reduce(0, +) > picture.pixels.count * 3, "noise does not compress")
        }
    }

    /// The sizes of all chunks of one type.
    private func chunkSizes(_ file: [UInt8], _ type: String) -> [Int] {
        var sizes: [Int] = []
        var start = 8
        while start + 12 <= file.count {
            let size = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            if Array(file[start + 4..<start + 8]) == Array(type.utf8) { sizes.append(size) }
            start += size + 12
        }
        return sizes
    }

    @Test("a library that cannot be loaded is named, and one that is loaded stays in use")
    func library() throws {
        let picture = Bitmap(width: 2, height: 1, filledWith: 0x12_3456)
        // Whether the libraries are loaded already depends on the order of the tests.
        let missing = CompressionLibraries(isal: "libmissing.so.1", zlib: "libmissing.so.2")
        let uses: [(() throws -> Void, String)] = [
            ({ try PNG.load("libmissing.so.1") }, "libpng cannot be loaded: libmissing.so.1: "),
            ({ _ = try missing.loadISAL() }, "neither ISA-L nor zlib can be loaded: libmissing.so.2: "),
        ]
        for (load, complaint) in uses {
            do {
                try load()
            } catch {
                #expect("\(error)".hasPrefix(complaint), "\(error)")
            }
            #expect(try PNG.decode(PNG.encode(picture)) == picture)
            try load()
            #expect(try PNG.decode(PNG.encode(picture)) == picture)
        }
    }

    @Test("bytes that are not a PNG, or are truncated, throw a clear error")
    func broken() throws {
        #expect(throws: PNGError.self) { try PNG.decode([]) }
        #expect(throws: PNGError.self) { try PNG.decode([1, 2, 3, 4, 5, 6, 7, 8, 9]) }
        #expect(throws: PNGError.self) { try PNG.encode(Bitmap(width: 0, height: 5)) }
        let bytes = try PNG.encode(Bitmap(width: 30, height: 30, filledWith: 0x12_3456))
        #expect(throws: PNGError.self) { try PNG.decode(Array(bytes.prefix(40))) }
        var huge = bytes
        // The width in IHDR, which also invalidates its checksum.
        huge[16] = 0x7f
        #expect(throws: PNGError.self) { try PNG.decode(huge) }
    }

    private func bytes(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// A chunk's checksum, over its type and contents.
    private func checksum(_ chunk: some Sequence<UInt8>) -> [UInt8] {
        let remainder = chunk.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { bits, _ in bits & 1 == 1 ? bits >> 1 ^ 0xedb8_8320 : bits >> 1 }
        }
        return bytes(~remainder)
    }

    /// A PNG with only a header, with the right checksum.
    private func header(width: UInt32, height: UInt32) -> [UInt8] {
        let chunk = Array("IHDR".utf8) + bytes(width) + bytes(height) + [8, 2, 0, 0, 0]
        let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
        return start + bytes(13) + chunk + checksum(chunk) + bytes(0) + Array("IDAT".utf8)
    }

    /// The file with all checksums corrected, so that damage is not caught by them.
    private func repaired(_ file: [UInt8]) -> [UInt8] {
        var result = file
        var place = 8
        while place + 12 <= result.count {
            let length = result[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = place + 8 + length
            guard end + 4 <= result.count else { break }
            result.replaceSubrange(end..<end + 4, with: checksum(result[place + 4..<end]))
            place = end + 4
        }
        return result
    }

    @Test("a size beyond the limits is refused by the header alone, with an error that names both")
    func sizes() throws {
        for (width, height) in [(16_385, 1), (1, 16_385), (16_384, 4097), (1_000_000, 1_000_000)] as [(UInt32, UInt32)]
        {
            let failure = #expect(throws: PNGError.self) {
                try PNG.decode(header(width: width, height: height))
            }
            let words = failure?.description ?? ""
            #expect(words.contains("\(width)×\(height)") || words.contains("IHDR"), "\(words)")
        }
        let failure = #expect(throws: PNGError.self) { try PNG.decode(header(width: 16_385, height: 1)) }
        #expect(failure?.description.contains("16384") == true)
    }

    @Test("5,000 damaged files each decode to a picture within the limits or throw an error with a message")
    func mutations() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        var bitmap = Bitmap(width: 13, height: 7)
        for index in 0..<91 {
            let pixel = Bitmap(width: 1, height: 1, filledWith: UInt32(truncatingIfNeeded: random.next()))
            bitmap.paste(pixel, x: index % 13, y: index / 13)
        }
        let sound = try PNG.encode(bitmap)
        var refused = 0
        for _ in 0..<5000 {
            var bytes = sound
            for _ in 0..<random.int(1...6) {
                let place = random.int(0...max(0, bytes.count - 1))
                switch random.int(0...4) {
                case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.int(0...7))
                case 1 where !bytes.isEmpty: bytes[place] = UInt8(random.int(0...255))
                case 2: bytes.removeSubrange(min(place, bytes.count)...)
                case 3: bytes.insert(UInt8(random.int(0...255)), at: min(place, bytes.count))
                default: if !bytes.isEmpty { bytes.append(contentsOf: bytes[place...]) }
                }
            }
            do {
                let read = try PNG.decode(random.chance(2) ? bytes : repaired(bytes))
                #expect(read.width <= PNG.maximumEdge && read.height <= PNG.maximumEdge, "seed \(seed)")
                #expect(read.pixels.count == read.width * read.height, "seed \(seed)")
            } catch let failure as PNGError {
                refused += 1
                #expect(!failure.description.isEmpty, "seed \(seed)")
            }
        }
        #expect(refused > 1000 && refused < 5000, "seed \(seed)")
    }

    @Test("S1: pictures are joined at their positions in the global layout, with black between")
    func joining() throws {
        let a = Bitmap(width: 2, height: 1, filledWith: 0x11_1111)
        let b = Bitmap(width: 1, height: 2, filledWith: 0x22_2222)
        let joined = try #require(Bitmap(joining: [(a, -2, 0), (b, 1, -1)]))
        #expect(joined.rows == [[0, 0, 0, 0x22_2222], [0x11_1111, 0x11_1111, 0, 0x22_2222]])
        #expect(joined[0, 1] == 0xff11_1111)
        #expect(joined[4, 0] == nil)
        #expect(Bitmap(joining: [])?.pixels.isEmpty == true)
        #expect(Bitmap(joining: [(a, .min, 0), (b, .max, .max)]) == nil)
        var target = Bitmap(width: 2, height: 2)
        target.paste(b, x: 1, y: 1)
        target.paste(a, x: .max, y: .min)
        #expect(target.rows == [[0, 0], [0, 0x22_2222]])
    }
}
