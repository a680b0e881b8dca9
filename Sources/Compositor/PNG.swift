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

    /// The picture in a file, composited over black.
    ///
    /// Throws `PNGError` unless the file is a valid PNG of at most `maximumPixels`, with no edge longer than
    /// `maximumEdge`. Checks the size in the header before allocating the picture.
    public static func decode(_ bytes: [UInt8]) throws -> Bitmap {
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
            unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
            var packed = [UInt8](repeating: 0, count: count * 3)
            var background = png_color(red: 0, green: 0, blue: 0)
            guard unsafe png_image_finish_read(&image, &background, &packed, Int32(width * 3), nil) != 0 else {
                throw unsafe PNGError(description: message(of: image))
            }
            return unsafe packed.withUnsafeBufferPointer { unsafe Bitmap(width: width, height: height, rgb: $0) }
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
                let pixel = bitmap.pixels[index]
                let alpha = pixel >> 24
                func straight(_ shift: UInt32) -> UInt8 {
                    let value = pixel >> shift & 0xff
                    return alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
                }
                unsafe buffer[index * 4] = straight(16)
                unsafe buffer[index * 4 + 1] = straight(8)
                unsafe buffer[index * 4 + 2] = straight(0)
                unsafe buffer[index * 4 + 3] = UInt8(alpha)
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
    fileprivate init(width: Int, height: Int, rgb: UnsafeBufferPointer<UInt8>) {
        self.init(width: width, height: height) { index in
            unsafe UInt32(rgb[index * 3]) << 16 | UInt32(rgb[index * 3 + 1]) << 8 | UInt32(rgb[index * 3 + 2])
        }
    }
}

/// libpng's message about a file or a picture.
public struct PNGError: Error, CustomStringConvertible {
    public let description: String
}
