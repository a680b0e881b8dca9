// Encodes and decodes PNG files in memory, with libpng's simplified API.

import CPNG

/// PNG files as bytes. Both directions are pure functions: any thread may call them.
public enum PNG {
    /// The largest picture that can be read or written: 64 Mi pixels (more than four 4K screens side by side).
    public static let maximumPixels = 1 << 26
    /// The longest edge that can be read, in pixels: that of the largest framebuffer.
    public static let maximumEdge = Renderer.maximumEdge

    /// The picture as an RGB file, or RGBA if it has alpha, compressed for speed rather than size.
    ///
    /// Throws `PNGError` for an empty or too large picture, or when memory runs out.
    public static func encode(_ bitmap: Bitmap) throws -> [UInt8] {
        let count = bitmap.width * bitmap.height
        guard count > 0, count <= maximumPixels else {
            throw PNGError(description: "cannot encode \(bitmap.width)×\(bitmap.height) pixels")
        }
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        unsafe image.width = UInt32(bitmap.width)
        unsafe image.height = UInt32(bitmap.height)
        unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR) | (bitmap.hasAlpha ? UInt32(PNG_FORMAT_FLAG_ALPHA) : 0)
        unsafe image.flags = UInt32(PNG_IMAGE_FLAG_FAST)
        let packed = bitmap.hasAlpha ? rgba(bitmap) : rgb(bitmap)
        let channels = bitmap.hasAlpha ? 4 : 3
        // Deflate adds 5 bytes per block it cannot compress; each row has a filter byte; chunk headers are extra.
        let bound = packed.count + packed.count / 256 + bitmap.height + 65536
        var written = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, used in
            var size = png_alloc_size_t(bound)
            let done = unsafe png_image_write_to_memory(
                &image, buffer.baseAddress, &size, 0, packed, Int32(bitmap.width * channels), nil)
            if done != 0 { written = Int(size) }
            used = written
        }
        unsafe png_image_free(&image)
        guard written > 0 else { throw unsafe PNGError(description: message(of: image)) }
        return Array(bytes)
    }

    /// The picture in a file: composited over black, or with straight alpha, as `Bitmap.straight` has it.
    ///
    /// Throws `PNGError` unless the file is a valid PNG of at most `maximumPixels`, with no edge longer than
    /// `maximumEdge`. Checks the size in the header before allocating the picture.
    public static func decode(_ bytes: [UInt8], straightAlpha: Bool = false) throws -> Bitmap {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        return try unsafe bytes.withUnsafeBytes { file in
            guard unsafe png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
                throw unsafe PNGError(description: message(of: image))
            }
            let width = unsafe Int(image.width)
            let height = unsafe Int(image.height)
            guard width <= maximumEdge, height <= maximumEdge, width * height <= maximumPixels else {
                throw PNGError(
                    description: "\(width)×\(height) pixels exceed the limit of \(maximumPixels) pixels "
                        + "and \(maximumEdge) along an edge")
            }
            let count = width * height
            let channels = straightAlpha ? 4 : 3
            unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR) | (straightAlpha ? UInt32(PNG_FORMAT_FLAG_ALPHA) : 0)
            var packed = [UInt8](repeating: 0, count: count * channels)
            var background = png_color(red: 0, green: 0, blue: 0)
            guard unsafe png_image_finish_read(&image, &background, &packed, Int32(width * channels), nil) != 0 else {
                throw unsafe PNGError(description: message(of: image))
            }
            return Bitmap(width: width, height: height, packed: packed, hasAlpha: straightAlpha)
        }
    }

    /// Three bytes per pixel, red first: the simplified API has no format with an unused byte.
    private static func rgb(_ bitmap: Bitmap) -> [UInt8] {
        let count = bitmap.pixels.count
        return unsafe [UInt8](unsafeUninitializedCapacity: count * 3) { buffer, used in
            unsafe bitmap.pixels.withUnsafeBufferPointer { pixels in
                guard var out = buffer.baseAddress else { return }
                for index in 0..<count {
                    let pixel = unsafe pixels[index]
                    unsafe out[0] = UInt8(truncatingIfNeeded: pixel >> 16)
                    unsafe out[1] = UInt8(truncatingIfNeeded: pixel >> 8)
                    unsafe out[2] = UInt8(truncatingIfNeeded: pixel)
                    unsafe out += 3
                }
            }
            used = count * 3
        }
    }

    /// Four bytes per pixel, red first, not premultiplied.
    private static func rgba(_ bitmap: Bitmap) -> [UInt8] {
        let count = bitmap.pixels.count
        return unsafe [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, used in
            for index in 0..<count {
                let pixel = Bitmap.straight(bitmap.pixels[index])
                unsafe buffer[index * 4] = UInt8(truncatingIfNeeded: pixel >> 16)
                unsafe buffer[index * 4 + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                unsafe buffer[index * 4 + 2] = UInt8(truncatingIfNeeded: pixel)
                unsafe buffer[index * 4 + 3] = UInt8(pixel >> 24)
            }
            used = count * 4
        }
    }

    private static func message(of image: png_image) -> String {
        unsafe withUnsafeBytes(of: image.message) { raw in
            unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension Bitmap {
    /// - Parameter packed: three bytes per pixel, or four with alpha, red first.
    fileprivate init(width: Int, height: Int, packed: [UInt8], hasAlpha: Bool) {
        let channels = hasAlpha ? 4 : 3
        self.init(width: width, height: height, hasAlpha: hasAlpha) { index in
            let at = index * channels
            let color = UInt32(packed[at]) << 16 | UInt32(packed[at + 1]) << 8 | UInt32(packed[at + 2])
            return hasAlpha ? UInt32(packed[at + 3]) << 24 | color : color
        }
    }

    /// This picture with colours that are not premultiplied, as PNG files store them. Such pictures are only compared.
    public var straight: Bitmap {
        guard hasAlpha else { return self }
        return Bitmap(width: width, height: height, hasAlpha: true) { Self.straight(pixels[$0]) }
    }

    /// A premultiplied pixel divided by its alpha; fully transparent pixels have no colour.
    fileprivate static func straight(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        guard alpha > 0 else { return 0 }
        func channel(_ shift: UInt32) -> UInt32 {
            min(255, ((pixel >> shift & 0xff) * 255 + alpha / 2) / alpha) << shift
        }
        return alpha << 24 | channel(16) | channel(8) | channel(0)
    }
}

/// libpng's message about a file or a picture.
public struct PNGError: Error, CustomStringConvertible {
    public let description: String
}
