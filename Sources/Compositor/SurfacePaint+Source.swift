// A client's memory as a pixman source.

import CMullionPixman
import MullionGeometry
import WindowModel

/// A part of a buffer that can be read.
@safe struct ReadPixels {
    let part: IntRect
    /// The first pixel of the part.
    let start: UnsafeRawPointer
    /// Bytes from one row to the next.
    let stride: Int
    /// The part as pixman reads it; nil when it cannot (rows not aligned to 4 bytes, sizes or zooms beyond its 16-bit
    /// numbers).
    let image: PixmanImage?
}

extension SurfacePaint {
    /// The largest coordinate that pixman handles in a transformed source.
    private static let reach = 32_000.0
    /// The maximum number of bytes read at once, unless a single pixel needs more: reading may mean copying.
    private static let bytesAtOnce = 1 << 20

    /// The part of the buffer from which a rectangle of the screen is drawn, a little larger because pixman rounds.
    func part(under rect: IntRect) -> IntRect {
        guard !rect.isEmpty else { return .empty }
        if case .exact(let dx, let dy) = sampling {
            return aligned(
                IntRect(
                    x: Int(rect.minX) + Int(dx), y: Int(rect.minY) + Int(dy), width: rect.width, height: rect.height))
        }
        let map = sampling.map
        var box: (x0: Double, y0: Double, x1: Double, y1: Double)?
        // Pixels are sampled at their centres.
        for x in [Double(rect.minX) + 0.5, Double(rect.maxX) - 0.5] {
            for y in [Double(rect.minY) + 0.5, Double(rect.maxY) - 0.5] {
                let p = map.apply(to: Point(x: x, y: y))
                let old = box ?? (p.x, p.y, p.x, p.y)
                box = (min(old.x0, p.x), min(old.y0, p.y), max(old.x1, p.x), max(old.y1, p.y))
            }
        }
        guard let box else { return .empty }
        // What is beyond the buffer shows its edge.
        func clamped(_ value: Double, _ limit: Int32) -> Int {
            Int(Int32(clampingDouble: max(0, min(Double(limit - 1), value.rounded(.down)))))
        }
        let margin = 2
        let (x0, y0) = (clamped(box.x0, source.width) - margin, clamped(box.y0, source.height) - margin)
        let (x1, y1) = (clamped(box.x1, source.width) + margin, clamped(box.y1, source.height) + margin)
        return aligned(IntRect(x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1))
    }

    /// The part within the buffer, extended to the left so that it starts at a multiple of 4 pixels.
    private func aligned(_ part: IntRect) -> IntRect {
        var part = part.intersection(source.bounds)
        part.minX &= ~3
        return part
    }

    /// Whether a part is small enough to be read at once.
    func isReadAtOnce(_ part: IntRect) -> Bool {
        part.area <= Self.bytesAtOnce / source.format.bytesPerPixel
    }

    /// Calls `body` for pieces of a rectangle of the screen, each with a part that is read at once.
    func forEachPiece(of rect: IntRect, _ body: (_ piece: IntRect, _ part: IntRect) -> Void) {
        let part = part(under: rect)
        if isReadAtOnce(part) || rect.area <= 1 { return body(rect, part) }
        var (first, second) = (rect, rect)
        if rect.width > rect.height {
            first.maxX = rect.minX + Int32(rect.width / 2)
            second.minX = first.maxX
        } else {
            first.maxY = rect.minY + Int32(rect.height / 2)
            second.minY = first.maxY
        }
        forEachPiece(of: first, body)
        forEachPiece(of: second, body)
    }

    /// Calls `body` once with a part of the buffer, and afterwards with nil if the memory turned out to be gone.
    func read(_ part: IntRect, _ body: (ReadPixels?) -> Void) {
        guard !part.isEmpty else { return body(nil) }
        let isReadable = unsafe contents.withPixels(in: part) { start, stride in
            unsafe body(
                ReadPixels(
                    part: part, start: start, stride: stride, image: image(of: part, at: start, stride: stride)))
        }
        if !isReadable { body(nil) }
    }

    /// An image using the memory in place.
    private func image(of part: IntRect, at start: UnsafeRawPointer, stride: Int) -> PixmanImage? {
        guard stride % 4 == 0, stride <= Int(Int32.max), UInt(bitPattern: start) % 4 == 0,
            Double(source.width) <= Self.reach, Double(source.height) <= Self.reach, isWithinReach
        else { return nil }
        // pixman takes a mutable pointer, but only reads sources.
        let words = unsafe UnsafeMutableRawPointer(mutating: start).assumingMemoryBound(to: UInt32.self)
        guard
            let image = unsafe PixmanImage(
                pixman_image_create_bits_no_clear(
                    source.format.pixmanCode, Int32(part.width), Int32(part.height), words, Int32(stride)))
        else { return nil }
        if case .exact = sampling { return image }
        let map = sampling.map
        let first = map.apply(to: Point(x: Double(anchor.minX), y: Double(anchor.minY)))
        // The part's position is subtracted from the rounded number, so that all parts are sampled at the same positions.
        guard let x = Int32(exactly: Int(fixed(first.x)) - Int(part.minX) << 16),
            let y = Int32(exactly: Int(fixed(first.y)) - Int(part.minY) << 16)
        else { return nil }
        var transform = pixman_transform_t()
        transform.matrix.0 = (fixed(map.a), fixed(map.c), x)
        transform.matrix.1 = (fixed(map.b), fixed(map.d), y)
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

    /// The source position for the top left corner of a rectangle of the screen, in an image of the part.
    func sourcePosition(of rect: IntRect, in part: IntRect) -> (x: Int32, y: Int32) {
        if case .exact(let dx, let dy) = sampling {
            return (
                Int32(clamping: Int(rect.minX) + Int(dx) - Int(part.minX)),
                Int32(clamping: Int(rect.minY) + Int(dy) - Int(part.minY))
            )
        }
        return (rect.minX - anchor.minX, rect.minY - anchor.minY)
    }

    /// A copy of the pixels for a rectangle of the screen, each the nearest in the buffer, for memory that pixman
    /// cannot read in place and zooms beyond its range. Works for numbers of any size.
    func gather(_ rect: IntRect, from pixels: ReadPixels) -> PixmanImage? {
        guard
            let image = PixmanImage(format: source.format.pixmanCode, width: rect.width, height: rect.height),
            let target = unsafe image.data
        else { return nil }
        let size = source.format.bytesPerPixel
        let map = sampling.map
        let part = pixels.part
        func place(_ value: Double, _ first: Int32, _ end: Int32) -> Int {
            Int(max(Double(first), min(Double(end - 1), value.rounded(.down)))) - Int(first)
        }
        for row in 0..<rect.height {
            let line = unsafe target + row * image.stride
            let y = Double(rect.minY) + Double(row) + 0.5
            for column in 0..<rect.width {
                let p = map.apply(to: Point(x: Double(rect.minX) + Double(column) + 0.5, y: y))
                let x = place(p.x, part.minX, part.maxX)
                let y = place(p.y, part.minY, part.maxY)
                unsafe (line + column * size).copyMemory(
                    from: pixels.start + y * pixels.stride + x * size, byteCount: size)
            }
        }
        return image
    }
}
