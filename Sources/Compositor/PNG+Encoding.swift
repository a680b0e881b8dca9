// Encodes PNG files in memory, with ISA-L or zlib.

import CPNGRuntime

extension PNG {
    /// The most bytes of compressed pixels in a chunk.
    private static let chunk = 1 << 16

    /// What is lost without ISA-L; nil if nothing is.
    public static var shortage: String? {
        let library = CompressionLibraries.installed.isal
        guard let library, let failure = unsafe png_isal_load(library) else { return nil }
        return unsafe "pictures are compressed by zlib, which takes four to ten times as long as with ISA-L: "
            + "\(String(cString: failure)); \(advice)"
    }

    /// The picture as an RGB file, or RGBA if it has alpha, compressed for speed rather than size.
    ///
    /// Throws `PNGError` for an empty or too large picture, and `PNGLibraryError` if neither ISA-L nor zlib can be loaded.
    public static func encode(_ bitmap: Bitmap) throws -> [UInt8] { try encode(bitmap, with: .installed) }

    /// - Parameter libraries: the compression libraries to try.
    static func encode(_ bitmap: Bitmap, with libraries: CompressionLibraries) throws -> [UInt8] {
        let count = bitmap.width * bitmap.height
        guard count > 0, count <= maximumPixels else {
            throw PNGError(description: "cannot encode \(bitmap.width)×\(bitmap.height) pixels")
        }
        guard let compressor = unsafe png_compressor_create(try libraries.loadISAL()) else {
            throw PNGError(description: "no memory to encode \(bitmap.width)×\(bitmap.height) pixels")
        }
        defer { unsafe png_compressor_free(compressor) }
        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        func appendChunk(_ type: StaticString, _ data: some Collection<UInt8>) {
            file += bigEndian(data.count)
            let start = file.count
            unsafe file.append(contentsOf: UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount))
            file += data
            let check = unsafe file.withUnsafeBytes {
                unsafe png_compressor_crc(compressor, $0.baseAddress.map { unsafe $0 + start }, $0.count - start)
            }
            file += bigEndian(Int(check))
        }
        // 8 bits per channel, true colour without or with alpha, and the only methods that there are.
        let kind: [UInt8] = [8, bitmap.hasAlpha ? 6 : 2, 0, 0, 0]
        appendChunk("IHDR", bigEndian(bitmap.width) + bigEndian(bitmap.height) + kind)
        // Perceptual, as libpng writes it.
        appendChunk("sRGB", [0])
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: chunk) { data in
            var filled = 0
            unsafe FilteredRows(bitmap).forEachBand { rows, isLast in
                unsafe png_compressor_put(compressor, rows.baseAddress, UInt32(rows.count), isLast)
                while true {
                    filled += unsafe Int(
                        png_compressor_take(
                            compressor, data.baseAddress.map { unsafe $0 + filled }, UInt32(chunk - filled)))
                    guard filled == chunk || isLast && filled > 0 else { break }
                    unsafe appendChunk("IDAT", UnsafeBufferPointer(rebasing: data[..<filled]))
                    filled = 0
                }
            }
        }
        appendChunk("IEND", [])
        return file
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The files of the libraries that compress pictures; ISA-L is four to ten times as fast as zlib.
struct CompressionLibraries {
    static let installed = CompressionLibraries(isal: "libisal.so.2", zlib: "libz.so.1")

    /// Nil to use zlib only.
    var isal: String?
    var zlib: String

    /// Loads ISA-L, or else zlib, unless it is loaded. A failure may be temporary, such as a lack of descriptors.
    /// - Returns: whether it is ISA-L.
    func loadISAL() throws(PNGLibraryError) -> Bool {
        if let isal, unsafe png_isal_load(isal) == nil { return true }
        guard let failure = unsafe png_zlib_load(zlib) else { return false }
        throw unsafe PNGLibraryError(
            description: "neither ISA-L nor zlib can be loaded: \(String(cString: failure)); \(PNG.advice)")
    }
}

/// The rows of a picture as PNG compresses them: each begins with its filter, and has three or four bytes per pixel, red
/// first.
///
/// Rows of photographs and gradients differ little from the row above, and are stored as that difference (filter Up);
/// where there is text, the pixels themselves (None) repeat more often.
private struct FilteredRows {
    /// How many rows are filtered alike, after the first of them was examined.
    private static let alike = 8
    /// Channels that differ by less than this on average are smooth.
    private static let smooth: UInt32 = 16
    /// About how many bytes are filtered at once, few enough to stay in the processor's cache until they are compressed.
    private static let band = 1 << 16

    private let bitmap: Bitmap
    private let bytesPerRow: Int

    init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
        bytesPerRow = 1 + bitmap.width * (bitmap.hasAlpha ? 4 : 3)
    }

    func forEachBand(_ body: (_ rows: UnsafeRawBufferPointer, _ isLast: Bool) -> Void) {
        let (width, height) = (bitmap.width, bitmap.height)
        let rows = max(1, Self.band / bytesPerRow)
        let pixels = bitmap.straight.pixels
        // Each pixel is stored as four bytes; with three channels, the next pixel overwrites the fourth.
        unsafe withUnsafeTemporaryAllocation(byteCount: rows * bytesPerRow + 1, alignment: 16) { buffer in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard let first = pixels.baseAddress, let start = buffer.baseAddress else { return }
                var isUp = false
                for top in stride(from: 0, to: height, by: rows) {
                    let bottom = min(top + rows, height)
                    var out = unsafe start
                    for y in top..<bottom {
                        let row = unsafe first + y * width
                        if y % Self.alike == 1 { isUp = unsafe Self.isSmooth(row, above: row - width, width) }
                        unsafe filter(row, isUp: isUp, to: out)
                        unsafe out += bytesPerRow
                    }
                    unsafe body(UnsafeRawBufferPointer(start: start, count: out - start), bottom == height)
                }
            }
        }
    }

    private func filter(_ row: UnsafePointer<UInt32>, isUp: Bool, to out: UnsafeMutableRawPointer) {
        let (width, channels) = (bitmap.width, bitmap.hasAlpha ? 4 : 3)
        unsafe out.storeBytes(of: isUp ? 2 : 0, as: UInt8.self)
        let out = unsafe out + 1
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
