// Compares two pictures of the same size, in numbers and as pictures.

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

    /// What a comparison accepts.
    public struct Options: Sendable {
        /// The greatest difference of a channel that counts as equal.
        public var tolerance: UInt8
        /// Rectangles that are not compared, in pixels of the pictures.
        public var masks: [IntRect]
        /// How many pixels may differ.
        public var allowance: Allowance

        /// Without arguments, every pixel must be equal.
        public init(tolerance: UInt8 = 0, masks: [IntRect] = [], allowance: Allowance = .pixels(0)) {
            self.tolerance = tolerance
            self.masks = masks
            self.allowance = allowance
        }
    }

    /// How many pixels may differ in equal pictures.
    public enum Allowance: Equatable, Sendable {
        case pixels(Int)
        /// 0…1, of the compared pixels.
        case share(Double)
    }

    /// How many pixels were compared: those outside of all masks.
    public var pixels = 0
    /// How many of them may differ.
    public var allowed = 0
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

    /// Whether no more pixels differ by more than the tolerance than may.
    public var isEqual: Bool { differing <= allowed }
}

extension Bitmap {
    /// Compares this picture with the expected one; nil when their sizes differ.
    ///
    /// A pixel differs when its red, green, blue or alpha does by more than the tolerance.
    public func compare(to expected: Bitmap, _ options: Comparison.Options = Comparison.Options()) -> Comparison? {
        guard width == expected.width, height == expected.height else { return nil }
        let expected = expected.masked(options.masks, with: self)
        var result = Comparison()
        result.pixels = width * height - region(of: options.masks).area
        switch options.allowance {
        case .pixels(let count): result.allowed = count
        case .share(let share): result.allowed = Int(share * Double(result.pixels))
        }
        var (minX, minY, maxX, maxY) = (Int.max, Int.max, 0, 0)
        let (width, height, limit) = (self.width, self.height, Int(options.tolerance))
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
        if result.differing > 0 { result.box = IntRect(x: minX, y: minY, width: maxX - minX, height: maxY - minY) }
        return result
    }

    /// A picture of the differences: differing pixels in bright red, masks in dark blue, the others as in this picture,
    /// in dim grey. Nil when the sizes differ.
    public func differences(
        from expected: Bitmap, _ options: Comparison.Options = Comparison.Options()
    ) -> Bitmap? {
        guard width == expected.width, height == expected.height else { return nil }
        let expected = expected.masked(options.masks, with: self)
        var result = Bitmap(width: width, height: height) { index in
            let seen = pixels[index]
            let differs = Self.difference(seen, expected.pixels[index]) > Int(options.tolerance)
            return differs ? 0xff_0000 : Self.dimmed(seen)
        }
        region(of: options.masks).forEachRectangle { result.fill($0, with: 0x20_3050) }
        return result
    }

    /// Both pictures and their differences from left to right, with a gap of 8 pixels between them. Pictures of different
    /// sizes have no third part; nil when the result would exceed `PNG.maximumPixels`.
    public func sideBySide(
        with expected: Bitmap, _ options: Comparison.Options = Comparison.Options()
    ) -> Bitmap? {
        var parts: [(bitmap: Bitmap, x: Int, y: Int)] = []
        for bitmap in [expected, self, differences(from: expected, options)] {
            guard let bitmap else { continue }
            parts.append((bitmap, x: parts.last.map { $0.x + $0.bitmap.width + 8 } ?? 0, y: 0))
        }
        return Bitmap(joining: parts)
    }

    /// The part of this picture within a rectangle.
    public func cropped(to rect: IntRect) -> Bitmap {
        let rect = rect.intersection(IntRect(x: 0, y: 0, width: width, height: height))
        var result = Bitmap(unfinished: rect.width, rect.height, hasAlpha: hasAlpha)
        result.paste(self, x: -Int(rect.minX), y: -Int(rect.minY))
        return result
    }

    /// This picture with the pixels of another one of the same size in the masks.
    private func masked(_ masks: [IntRect], with other: Bitmap) -> Bitmap {
        guard !masks.isEmpty else { return self }
        var result = self
        // Each pixel once, however many masks it is in.
        region(of: masks).forEachRectangle { result.copy($0, from: other) }
        return result
    }

    /// The pixels in any of the rectangles.
    private func region(of rects: [IntRect]) -> Region {
        let region = Region()
        for rect in rects { region.add(rect) }
        region.intersect(IntRect(x: 0, y: 0, width: width, height: height))
        return region
    }

    /// The greatest difference of a channel.
    private static func difference(_ a: UInt32, _ b: UInt32) -> Int {
        func channel(_ shift: UInt32) -> Int { abs(Int(a >> shift & 0xff) - Int(b >> shift & 0xff)) }
        return max(max(channel(24), channel(16)), max(channel(8), channel(0)))
    }

    /// A third of the brightness (Rec. 601: 0.299, 0.587 and 0.114, here in 256ths), so that red stands out.
    private static func dimmed(_ pixel: UInt32) -> UInt32 {
        let brightness = (pixel >> 16 & 0xff) * 77 + (pixel >> 8 & 0xff) * 150 + (pixel & 0xff) * 29
        return (brightness >> 8) / 3 * 0x01_0101
    }
}
