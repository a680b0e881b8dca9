// Compares two pictures of the same size, in numbers and as a picture.

/// The result of `Bitmap.compare`. Positions are pixels from the top left corner.
public struct Comparison: Equatable, Sendable {
    /// A pixel that differs; both colours are 0xffRRGGBB.
    public struct Pixel: Equatable, Sendable {
        public var x: Int
        public var y: Int
        public var expected: UInt32
        public var seen: UInt32

        /// A pixel at (x, y) with its expected and its actual colour.
        public init(x: Int, y: Int, expected: UInt32, seen: UInt32) {
            self.x = x
            self.y = y
            self.expected = expected
            self.seen = seen
        }
    }

    /// How many pixels have a channel that differs by more than the tolerance.
    public var differing = 0
    /// The greatest difference of any channel of any pixel, 0…255, even within the tolerance.
    public var greatest = 0
    /// The smallest rectangle around the differing pixels.
    public var box: IntRect?
    /// The first differing pixel, row by row.
    public var first: Pixel?

    /// The comparison of two identical pictures.
    public init() {}

    /// Whether no pixel differs by more than the tolerance.
    public var isEqual: Bool { differing == 0 }
}

extension Bitmap {
    /// Compares this picture with the expected one; nil when their sizes differ.
    ///
    /// A pixel differs when its red, green or blue does by more than `tolerance`.
    public func compare(to expected: Bitmap, tolerance: UInt8 = 0) -> Comparison? {
        guard width == expected.width, height == expected.height else { return nil }
        var result = Comparison()
        var (minX, minY, maxX, maxY) = (Int.max, Int.max, 0, 0)
        let (width, height, limit) = (self.width, self.height, Int(tolerance))
        unsafe pixels.withUnsafeBufferPointer { seen in
            unsafe expected.pixels.withUnsafeBufferPointer { wanted in
                for y in 0..<height {
                    for x in 0..<width {
                        let index = y * width + x
                        // Skip equal pixels, which are most of them.
                        guard unsafe seen[index] != wanted[index] else { continue }
                        let difference = unsafe Self.difference(seen[index], wanted[index])
                        result.greatest = max(result.greatest, difference)
                        guard difference > limit else { continue }
                        if result.first == nil {
                            result.first = unsafe Comparison.Pixel(
                                x: x, y: y, expected: wanted[index], seen: seen[index])
                        }
                        result.differing += 1
                        minX = min(minX, x)
                        minY = min(minY, y)
                        maxX = max(maxX, x + 1)
                        maxY = max(maxY, y + 1)
                    }
                }
            }
        }
        if !result.isEqual { result.box = IntRect(x: minX, y: minY, width: maxX - minX, height: maxY - minY) }
        return result
    }

    /// A picture of the differences: differing pixels in bright red, the others as in this picture, in dim grey. Nil
    /// when the sizes differ.
    public func differences(from expected: Bitmap, tolerance: UInt8 = 0) -> Bitmap? {
        guard width == expected.width, height == expected.height else { return nil }
        return Bitmap(width: width, height: height) { index in
            let seen = pixels[index]
            let differs = Self.difference(seen, expected.pixels[index]) > Int(tolerance)
            return differs ? 0xff_0000 : Self.dimmed(seen)
        }
    }

    /// The greatest difference of a channel.
    private static func difference(_ a: UInt32, _ b: UInt32) -> Int {
        func channel(_ shift: UInt32) -> Int { abs(Int(a >> shift & 0xff) - Int(b >> shift & 0xff)) }
        return max(channel(16), max(channel(8), channel(0)))
    }

    /// A third of the brightness (Rec. 601: 0.299, 0.587 and 0.114, here in 256ths), so that red stands out.
    private static func dimmed(_ pixel: UInt32) -> UInt32 {
        let brightness = (pixel >> 16 & 0xff) * 77 + (pixel >> 8 & 0xff) * 150 + (pixel & 0xff) * 29
        return (brightness >> 8) / 3 * 0x01_0101
    }
}
