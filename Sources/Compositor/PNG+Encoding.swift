// Encodes PNG files in memory, with libdeflate.

import CDeflate

extension PNG {
    /// libdeflate's level, of 1 to 12. Higher ones take longer, and gain little on what programs show.
    private static let level: Int32 = 2

    /// The picture as an RGB file, or RGBA if it has alpha, compressed for speed rather than size.
    ///
    /// Throws `PNGError` for an empty or too large picture.
    public static func encode(_ bitmap: Bitmap) throws -> [UInt8] {
        let count = bitmap.width * bitmap.height
        guard count > 0, count <= maximumPixels else {
            throw PNGError(description: "cannot encode \(bitmap.width)×\(bitmap.height) pixels")
        }
        guard let compressor = unsafe libdeflate_alloc_compressor(level) else {
            throw PNGError(description: "no memory to encode \(bitmap.width)×\(bitmap.height) pixels")
        }
        defer { unsafe libdeflate_free_compressor(compressor) }
        let rows = FilteredRows(bitmap).bytes
        let bound = unsafe libdeflate_zlib_compress_bound(compressor, rows.count)
        let data = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, size in
            unsafe size = libdeflate_zlib_compress(compressor, rows, rows.count, buffer.baseAddress, bound)
        }
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        file.reserveCapacity(data.count + 100)
        // 8 bits per channel, true colour without or with alpha, and the only methods that there are.
        let kind: [UInt8] = [8, bitmap.hasAlpha ? 6 : 2, 0, 0, 0]
        appendChunk("IHDR", bigEndian(bitmap.width) + bigEndian(bitmap.height) + kind, to: &file)
        // Perceptual, as libpng writes it.
        appendChunk("sRGB", [0], to: &file)
        appendChunk("IDAT", data, to: &file)
        appendChunk("IEND", [], to: &file)
        return file
    }

    private static func appendChunk(_ type: StaticString, _ data: [UInt8], to file: inout [UInt8]) {
        file += bigEndian(data.count)
        let start = file.count
        unsafe file.append(contentsOf: UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount))
        file += data
        let check = unsafe file.withUnsafeBytes {
            unsafe libdeflate_crc32(0, $0.baseAddress.map { unsafe $0 + start }, $0.count - start)
        }
        file += bigEndian(Int(check))
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The rows of a picture as PNG compresses them: each begins with its filter, and has three or four bytes per pixel, red
/// first.
///
/// Rows of photographs and gradients differ little from the row above, and are stored as that difference (filter Up);
/// where there is text, the pixels themselves (None) repeat more often.
private struct FilteredRows {
    /// How many rows are filtered alike, after the first of them was examined.
    private static let band = 8
    /// Channels that differ by less than this on average are smooth.
    private static let smooth: UInt32 = 16

    private(set) var bytes: [UInt8]

    init(_ bitmap: Bitmap) {
        let (width, height, channels) = (bitmap.width, bitmap.height, bitmap.hasAlpha ? 4 : 3)
        let pixels = bitmap.straight.pixels
        let size = height * (1 + width * channels)
        // Each pixel is stored as four bytes; with three channels, the next pixel overwrites the fourth.
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: size + 4) { buffer, count in
            count = size
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard let first = pixels.baseAddress, var out = UnsafeMutableRawPointer(buffer.baseAddress) else {
                    return
                }
                var isUp = false
                for y in 0..<height {
                    let row = unsafe first + y * width
                    if y % Self.band == 1 { isUp = unsafe Self.isSmooth(row, above: row - width, width) }
                    unsafe out.storeBytes(of: isUp ? 2 : 0, as: UInt8.self)
                    unsafe out += 1
                    if isUp {
                        for x in 0..<width {
                            let change = unsafe Self.difference(row[x], row[x - width])
                            unsafe (out + x * channels).storeBytes(of: Self.redFirst(change), as: UInt32.self)
                        }
                    } else {
                        for x in 0..<width {
                            unsafe (out + x * channels).storeBytes(of: Self.redFirst(row[x]), as: UInt32.self)
                        }
                    }
                    unsafe out += width * channels
                }
            }
        }
    }

    /// The bytes of a pixel as PNG has them, alpha last, as a word.
    private static func redFirst(_ pixel: UInt32) -> UInt32 {
        (pixel.byteSwapped >> 8 | pixel & 0xff00_0000).littleEndian
    }

    /// Whether the channels that differ from those of the row above do so by little.
    private static func isSmooth(_ row: UnsafePointer<UInt32>, above: UnsafePointer<UInt32>, _ width: Int) -> Bool {
        var (sum, count): (UInt32, UInt32) = (0, 0)
        for x in 0..<width {
            let change = unsafe difference(row[x], above[x])
            for shift: UInt32 in [16, 8, 0] {
                let channel = change >> shift & 0xff
                sum &+= min(channel, 256 - channel)
                count &+= channel == 0 ? 0 : 1
            }
        }
        return sum < smooth * count || count == 0
    }

    /// The differences of the four bytes, without borrows from one to the next.
    private static func difference(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let high: UInt32 = 0x8080_8080
        return ((a | high) &- (b & ~high)) ^ ((a ^ ~b) & high)
    }
}
