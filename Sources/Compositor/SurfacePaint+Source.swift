// A client's memory as a pixman source.

import CPixman
import Geometry
import WindowModel

extension SurfacePaint {
    /// The largest coordinate that pixman handles in a transformed source.
    private static let reach = 32_000.0

    /// An image using the client's memory in place; nil when pixman cannot read it (rows not aligned to 4 bytes, sizes
    /// or zooms beyond its 16-bit numbers).
    func image(over pixels: UnsafeRawPointer) -> PixmanImage? {
        guard contents.stride % 4 == 0, contents.stride <= Int(Int32.max), UInt(bitPattern: pixels) % 4 == 0,
            Double(source.width) <= Self.reach, Double(source.height) <= Self.reach, isWithinReach
        else { return nil }
        // pixman takes a mutable pointer, but only reads sources.
        let words = unsafe UnsafeMutableRawPointer(mutating: pixels).assumingMemoryBound(to: UInt32.self)
        guard
            let image = unsafe PixmanImage(
                pixman_image_create_bits_no_clear(
                    source.format.pixmanCode, source.width, source.height, words,
                    Int32(contents.stride)))
        else { return nil }
        if case .exact = sampling { return image }
        let map = sampling.map
        let start = map.apply(to: Point(x: Double(anchor.minX), y: Double(anchor.minY)))
        var transform = pixman_transform_t()
        transform.matrix.0 = (fixed(map.a), fixed(map.c), fixed(start.x))
        transform.matrix.1 = (fixed(map.b), fixed(map.d), fixed(start.y))
        transform.matrix.2 = (0, 0, 65536)
        unsafe pixman_image_set_transform(image.raw, &transform)
        let filter = sampling.isFiltered ? PIXMAN_FILTER_BILINEAR : PIXMAN_FILTER_NEAREST
        unsafe pixman_image_set_filter(image.raw, filter, nil, 0)
        // Extend the buffer's edge pixels outwards, so that edges do not fade.
        unsafe pixman_image_set_repeat(image.raw, PIXMAN_REPEAT_PAD)
        return image
    }

    /// Whether every position that pixman may compute for the visible part, with a margin, is within range.
    private var isWithinReach: Bool {
        if case .exact = sampling { return true }
        let map = sampling.map
        for x in [Double(anchor.minX) - 2, Double(anchor.maxX) + 2] {
            for y in [Double(anchor.minY) - 2, Double(anchor.maxY) + 2] {
                let p = map.apply(to: Point(x: x, y: y))
                guard abs(p.x) < Self.reach, abs(p.y) < Self.reach else { return false }
            }
        }
        guard max(max(abs(map.a), abs(map.b)), max(abs(map.c), abs(map.d))) < Self.reach else { return false }
        return sampling.isFiltered || isPreciseEnough(map)
    }

    /// Whether steps rounded to 1/65536 still hit the right buffer pixel at the far end of the visible part.
    private func isPreciseEnough(_ map: PixelMap) -> Bool {
        // A single pixel is always the right one.
        if source.width == 1, source.height == 1 { return true }
        func error(_ step: Double) -> Double { abs(step - Double(fixed(step)) / 65536) }
        let drift =
            max(error(map.a), error(map.b)) * Double(anchor.width)
            + max(error(map.c), error(map.d)) * Double(anchor.height)
        let step = min(max(abs(map.a), abs(map.b)), max(abs(map.c), abs(map.d)))
        return drift + 1.0 / 65536 < step / 4
    }

    /// The source position for the top left corner of a rectangle of the screen.
    func sourcePosition(of rect: IntRect) -> (x: Int32, y: Int32) {
        if case .exact(let dx, let dy) = sampling {
            return (Int32(clamping: Int(rect.minX) + Int(dx)), Int32(clamping: Int(rect.minY) + Int(dy)))
        }
        return (rect.minX - anchor.minX, rect.minY - anchor.minY)
    }

    /// A copy of the pixels for a rectangle of the screen, each the nearest in the buffer, for memory that pixman
    /// cannot read in place and zooms beyond its range. Works for numbers of any size.
    func gather(_ rect: IntRect, from pixels: UnsafeRawPointer) -> PixmanImage? {
        guard
            let image = PixmanImage(format: source.format.pixmanCode, width: rect.width, height: rect.height),
            let target = unsafe image.data
        else { return nil }
        let size = source.format.bytesPerPixel
        let map = sampling.map
        let lastX = Double(source.width - 1)
        let lastY = Double(source.height - 1)
        for row in 0..<rect.height {
            let line = unsafe target + row * image.stride
            let y = Double(rect.minY) + Double(row) + 0.5
            for column in 0..<rect.width {
                let p = map.apply(to: Point(x: Double(rect.minX) + Double(column) + 0.5, y: y))
                let fromX = Int(max(0, min(lastX, p.x.rounded(.down))))
                let fromY = Int(max(0, min(lastY, p.y.rounded(.down))))
                unsafe (line + column * size).copyMemory(
                    from: pixels + fromY * contents.stride + fromX * size, byteCount: size)
            }
        }
        return image
    }
}
