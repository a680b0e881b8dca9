// Pixels to draw into.

/// The pixels of a picture while it is drawn: premultiplied ARGB, 32 bits each, in native byte order (wl_shm's
/// argb8888). Valid only during the call of `Surface.draw` that provides it.
@safe public struct PixelBuffer {
    /// All bytes, `stride` per row, top row first.
    public let bytes: UnsafeMutableRawBufferPointer
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Pixels per point.
    public let scale: Int
    /// Bytes from one row to the next.
    public var stride: Int { width * 4 }

    /// One pixel, 0xAARRGGBB premultiplied. Outside the picture it reads 0, and writing does nothing.
    public subscript(x: Int, y: Int) -> UInt32 {
        get {
            guard x >= 0, y >= 0, x < width, y < height else { return 0 }
            return unsafe bytes.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
        }
        nonmutating set {
            guard x >= 0, y >= 0, x < width, y < height else { return }
            unsafe bytes.storeBytes(of: newValue, toByteOffset: y * stride + x * 4, as: UInt32.self)
        }
    }

    /// Fills the picture with this colour.
    public func fill(_ color: Color) {
        unsafe bytes.bindMemory(to: UInt32.self).update(repeating: color.premultiplied)
    }
}
