// Decodes PNG files in memory, with libpng's simplified API.

import CPNGRuntime
import WindowModel

/// PNG files as bytes. Both directions are pure functions: any thread may call them.
public enum PNG {
    /// The largest picture that can be read or written.
    public static let maximumPixels = Screen.Mode.maximumPixels
    /// The longest edge that can be read, in pixels: that of the largest framebuffer.
    public static let maximumEdge = Renderer.maximumEdge

    /// The picture in a file: composited over black, or with straight alpha, as `Bitmap.straight` has it.
    ///
    /// Throws `PNGError` unless the file is a valid PNG of at most `maximumPixels`, with no edge longer than
    /// `maximumEdge`, and `PNGLibraryError` if libpng cannot be loaded. Checks the size in the header before allocating
    /// the picture.
    public static func decode(_ bytes: [UInt8], straightAlpha: Bool = false) throws -> Bitmap {
        try load("libpng16.so.16")
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        defer { unsafe png_reader_free(&image) }
        return try unsafe bytes.withUnsafeBytes { file in
            guard unsafe png_reader_begin(&image, file.baseAddress, file.count) != 0 else {
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
            guard unsafe png_reader_finish(&image, &background, &packed, Int32(width * channels)) != 0 else {
                throw unsafe PNGError(description: message(of: image))
            }
            return Bitmap(width: width, height: height, packed: packed, hasAlpha: straightAlpha)
        }
    }

    /// Loads libpng unless it is loaded. A failure may be temporary, such as a lack of descriptors.
    static func load(_ library: String) throws(PNGLibraryError) {
        guard let failure = unsafe png_reader_load(library) else { return }
        throw unsafe PNGLibraryError(description: "libpng cannot be loaded: \(String(cString: failure)); \(advice)")
    }

    /// The end of a message about a missing library.
    static let advice = "mullionctl doctor pictures names its package"

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
    static func straight(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        guard alpha > 0 else { return 0 }
        func channel(_ shift: UInt32) -> UInt32 {
            min(255, ((pixel >> shift & 0xff) * 255 + alpha / 2) / alpha) << shift
        }
        return alpha << 24 | channel(16) | channel(8) | channel(0)
    }
}

/// Why a file or a picture is refused.
public struct PNGError: Error, CustomStringConvertible {
    public let description: String
}

/// Why no file can be read, or written, now.
public struct PNGLibraryError: Error, CustomStringConvertible {
    public let description: String
}
