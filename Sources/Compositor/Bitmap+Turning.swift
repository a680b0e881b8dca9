// Rotates pictures by quarter turns and mirrors them: a panel's pixels as a person sees them (S4).

extension Bitmap {
    /// The picture rotated clockwise by this many quarter turns; negative numbers rotate counter-clockwise.
    public func turned(by quarterTurns: Int) -> Bitmap {
        let (width, height) = (self.width, self.height)
        return unsafe pixels.withUnsafeBufferPointer { from in
            switch quarterTurns & 3 {
            case 1: Bitmap(columns: height, rows: width) { x, y in unsafe from[(height - 1 - x) * width + y] }
            case 2: Bitmap(width: width, height: height) { index in unsafe from[width * height - 1 - index] }
            case 3: Bitmap(columns: height, rows: width) { x, y in unsafe from[x * width + width - 1 - y] }
            default: self
            }
        }
    }

    /// The picture with left and right exchanged.
    public func mirrored() -> Bitmap {
        let width = self.width
        return unsafe pixels.withUnsafeBufferPointer { from in
            Bitmap(columns: width, rows: height) { x, y in unsafe from[y * width + width - 1 - x] }
        }
    }

    /// Makes a picture by computing each pixel from its column and row.
    private init(columns: Int, rows: Int, pixel: (_ x: Int, _ y: Int) -> UInt32) {
        var (x, y) = (0, 0)
        self.init(width: columns, height: rows) { _ in
            defer {
                x += 1
                if x == columns { (x, y) = (0, y + 1) }
            }
            return pixel(x, y)
        }
    }
}
