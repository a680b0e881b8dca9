// Smaller pictures.

extension Bitmap {
    /// The picture in a smaller size: each pixel is the exact average of what it covers, so that equal pictures stay equal.
    /// - Parameters:
    ///   - width: in pixels; limited to the picture's own.
    ///   - height: the same.
    public func reduced(toWidth width: Int, height: Int) -> Bitmap {
        let (width, height) = (max(1, min(width, self.width)), max(1, min(height, self.height)))
        guard !pixels.isEmpty, (width, height) != (self.width, self.height) else { return self }
        var average = AreaAverage(self, width: width, height: height)
        return Bitmap(width: width, height: height, hasAlpha: hasAlpha) { index in
            let (y, x) = index.quotientAndRemainder(dividingBy: width)
            if x == 0 { average.begin(row: y) }
            return average.pixel(x)
        }
    }

    /// The picture reduced by a factor of at most 1 and so that no edge is longer than a number of pixels.
    /// - Parameter maximumEdge: nil: any length.
    public func reduced(by factor: Double, maximumEdge: Int?) -> Bitmap {
        let longest = max(width, height, 1)
        let factor = min(factor, maximumEdge.map { Double($0) / Double(longest) } ?? 1, 1)
        return reduced(
            toWidth: Int((Double(width) * factor).rounded()), height: Int((Double(height) * factor).rounded()))
    }
}

/// Averages a picture row by row. Lengths are counted in parts of which a pixel of the result has as many as the picture has
/// pixels, and the other way round: all weights are whole numbers.
private struct AreaAverage {
    private let picture: Bitmap
    private let width: Int
    private let height: Int
    /// For each channel of each column of the picture, the sum over what the current row of the result covers.
    private var columns: [UInt32]

    init(_ picture: Bitmap, width: Int, height: Int) {
        (self.picture, self.width, self.height) = (picture, width, height)
        columns = [UInt32](repeating: 0, count: picture.width * 4)
    }

    /// What a pixel of the result covers along one axis: pixels of the picture, and how much of each.
    private static func covered(
        _ place: Int, of count: Int, from length: Int, _ body: (_ pixel: Int, _ weight: Int) -> Void
    ) {
        let (start, end) = (place * length, (place + 1) * length)
        for pixel in start / count...(end - 1) / count {
            body(pixel, min((pixel + 1) * count, end) - max(pixel * count, start))
        }
    }

    mutating func begin(row: Int) {
        let width = picture.width
        unsafe columns.withUnsafeMutableBufferPointer { columns in
            unsafe columns.update(repeating: 0)
            unsafe picture.pixels.withUnsafeBufferPointer { pixels in
                Self.covered(row, of: height, from: picture.height) { y, weight in
                    let weight = UInt32(truncatingIfNeeded: weight)
                    for x in 0..<width {
                        let pixel = unsafe pixels[y * width + x]
                        unsafe columns[4 * x] += (pixel & 0xff) * weight
                        unsafe columns[4 * x + 1] += (pixel >> 8 & 0xff) * weight
                        unsafe columns[4 * x + 2] += (pixel >> 16 & 0xff) * weight
                        unsafe columns[4 * x + 3] += (pixel >> 24) * weight
                    }
                }
            }
        }
    }

    /// A pixel of the current row.
    func pixel(_ x: Int) -> UInt32 {
        var sums: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe columns.withUnsafeBufferPointer { columns in
            Self.covered(x, of: width, from: picture.width) { column, weight in
                let weight = UInt64(truncatingIfNeeded: weight)
                unsafe sums.0 += UInt64(columns[4 * column]) * weight
                unsafe sums.1 += UInt64(columns[4 * column + 1]) * weight
                unsafe sums.2 += UInt64(columns[4 * column + 2]) * weight
                unsafe sums.3 += UInt64(columns[4 * column + 3]) * weight
            }
        }
        let total = UInt64(picture.width) * UInt64(picture.height)
        func channel(_ sum: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: (sum + total / 2) / total) }
        return channel(sums.0) | channel(sums.1) << 8 | channel(sums.2) << 16 | channel(sums.3) << 24
    }
}
