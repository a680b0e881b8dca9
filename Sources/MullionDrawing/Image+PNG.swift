// Reads and writes PNG files, with libpng's simplified API.

import CMullionPNG
import Glibc
import MullionSystem

extension Image {
    /// The largest file that is read, in bytes.
    private static let maximumFile = 512 << 20

    /// A picture from a PNG file.
    /// - Parameter scale: pixels per point; nil: 2 for a name such as "logo@2x.png", 3 for "logo@3x.png", else 1.
    /// - Throws: `ImageError`, which names the file and what is wrong with it.
    public init(contentsOfFile path: String, scale: Double? = nil) throws(ImageError) {
        do throws(ImageError) {
            try self.init(data: Self.contents(ofFile: path), scale: scale ?? Self.scale(ofFile: path))
        } catch {
            throw ImageError(error.problem, file: path)
        }
    }

    /// A picture from the bytes of a PNG file.
    /// - Throws: `ImageError` when they are not a valid PNG file or the picture is too large.
    public init(data: some Sequence<UInt8>, scale: Double = 1) throws(ImageError) {
        let data = Array(data)
        guard data.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) else { throw ImageError(.notPNG) }
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        // libpng reads the bytes again in the second step.
        let result = unsafe data.withUnsafeBytes { file -> Result<Image, ImageError> in
            Result { () throws(ImageError) in unsafe try Self.decode(file, &image, scale) }
        }
        self = try result.get()
    }

    private static func decode(
        _ file: UnsafeRawBufferPointer, _ image: inout png_image, _ scale: Double
    ) throws(ImageError) -> Image {
        guard unsafe png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
            throw unsafe ImageError(.damaged(reason: message(of: image)))
        }
        // The size is checked before there is any memory for it.
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        try check(width: width, height: height, scale: scale)
        unsafe image.format = littleEndianARGB
        var pixels = [UInt32](repeating: 0, count: width * height)
        let done = unsafe pixels.withUnsafeMutableBytes { pixels in
            unsafe png_image_finish_read(&image, nil, pixels.baseAddress, Int32(width * 4), nil)
        }
        guard done != 0 else { throw unsafe ImageError(.damaged(reason: message(of: image))) }
        for index in pixels.indices where pixels[index] >> 24 != 255 {
            pixels[index] = premultiplied(pixels[index])
        }
        return Image(width, height, scale, pixels)
    }

    /// The picture as a PNG file.
    /// - Throws: `ImageError` when there is no memory.
    public func pngData() throws(ImageError) -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        unsafe image.width = UInt32(width)
        unsafe image.height = UInt32(height)
        unsafe image.format = Self.littleEndianARGB
        let plain = pixels.map(Self.withoutPremultiplication)
        let stride = Int32(width * 4)
        var size: png_alloc_size_t = 0
        guard unsafe png_image_write_to_memory(&image, nil, &size, 0, plain, stride, nil) != 0 else {
            throw unsafe ImageError(.unwritable(reason: Self.message(of: image)))
        }
        var written = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            if unsafe png_image_write_to_memory(&image, buffer.baseAddress, &size, 0, plain, stride, nil) != 0 {
                written = Int(size)
            }
            count = written
        }
        guard written > 0 else { throw unsafe ImageError(.unwritable(reason: Self.message(of: image))) }
        return bytes
    }

    /// B, G, R, A in memory: 0xAARRGGBB in a little-endian integer.
    private static var littleEndianARGB: UInt32 {
        UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_BGR)
    }

    private static func premultiplied(_ pixel: UInt32) -> UInt32 {
        let opacity = pixel >> 24
        func component(_ shift: UInt32) -> UInt32 { ((pixel >> shift & 0xff) * opacity + 127) / 255 }
        return opacity << 24 | component(16) << 16 | component(8) << 8 | component(0)
    }

    private static func withoutPremultiplication(_ pixel: UInt32) -> UInt32 {
        let opacity = pixel >> 24
        guard opacity > 0, opacity < 255 else { return opacity == 0 ? 0 : pixel }
        func component(_ shift: UInt32) -> UInt32 {
            min(255, ((pixel >> shift & 0xff) * 255 + opacity / 2) / opacity)
        }
        return opacity << 24 | component(16) << 16 | component(8) << 8 | component(0)
    }

    private static func message(of image: png_image) -> String {
        unsafe withUnsafeBytes(of: image.message) { raw in
            unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    // MARK: Files

    private static func contents(ofFile path: String) throws(ImageError) -> [UInt8] {
        // Non-blocking: opening a pipe would wait for a writer.
        let file = unsafe OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
        var status = stat()
        guard file.rawValue >= 0, unsafe fstat(file.rawValue, &status) == 0 else {
            throw ImageError(.unreadable(reason: "\(SystemError.last)"))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ImageError(.unreadable(reason: "this is not a file, but a folder or a device; give a PNG file"))
        }
        let size = Int(status.st_size)
        guard size <= maximumFile else {
            throw ImageError(
                .unreadable(reason: "a file of \(size) bytes is too large; at most \(maximumFile) are read"))
        }
        return DescriptorIO.read(file.rawValue, count: size)
    }

    private static func scale(ofFile path: String) -> Double {
        let name = path.lowercased()
        return name.hasSuffix("@2x.png") ? 2 : name.hasSuffix("@3x.png") ? 3 : 1
    }
}
