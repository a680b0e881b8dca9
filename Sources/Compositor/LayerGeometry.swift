// Where a layer is on the screen, and how screen pixels map to buffer pixels.

import MullionGeometry
import WindowModel

/// Maps positions on the screen (pixels) to positions in a buffer (buffer pixels).
///
/// Stored as differences from an origin, so that distant layers lose no precision.
struct PixelMap: Equatable {
    var a: Double
    var b: Double
    var c: Double
    var d: Double
    /// A position on the screen, in pixels, and the corresponding one in the buffer.
    var origin: Point
    var base: Point

    func apply(to p: Point) -> Point {
        let x = p.x - origin.x
        let y = p.y - origin.y
        return Point(x: base.x + a * x + c * y, y: base.y + b * x + d * y)
    }

    /// The screen pixels around a rectangle of the buffer, rounded outwards.
    func screenRect(forBuffer rect: IntRect) -> IntRect {
        let determinant = a * d - b * c
        guard determinant != 0, determinant.isFinite else { return .everything }
        var box: (x0: Double, y0: Double, x1: Double, y1: Double)?
        for x in [Double(rect.minX), Double(rect.maxX)] {
            for y in [Double(rect.minY), Double(rect.maxY)] {
                let dx = x - base.x
                let dy = y - base.y
                let px = origin.x + (d * dx - c * dy) / determinant
                let py = origin.y + (a * dy - b * dx) / determinant
                guard px.isFinite, py.isFinite else { return .everything }
                let old = box ?? (px, py, px, py)
                box = (min(old.x0, px), min(old.y0, py), max(old.x1, px), max(old.y1, py))
            }
        }
        return box.map { IntRect(around: $0) } ?? .everything
    }
}

extension IntRect {
    /// Rounded outwards.
    init(around box: (x0: Double, y0: Double, x1: Double, y1: Double)) {
        self.init(
            minX: Int32(clampingDouble: box.x0.rounded(.down)), minY: Int32(clampingDouble: box.y0.rounded(.down)),
            maxX: Int32(clampingDouble: box.x1.rounded(.up)), maxY: Int32(clampingDouble: box.y1.rounded(.up)))
    }

    /// Rounds each edge to the nearest pixel, half up: neighbours that share an edge still share it afterwards.
    public init(nearest rect: Rect) {
        func round(_ value: Double) -> Int32 { Int32(clampingDouble: (value + 0.5).rounded(.down)) }
        self.init(
            minX: round(rect.minX), minY: round(rect.minY), maxX: round(rect.maxX), maxY: round(rect.maxY))
    }
}

/// A layer's position on the screen.
struct LayerGeometry {
    /// Which buffer pixels a layer shows, and how these become screen pixels.
    enum Sampling {
        /// One to one and upright: screen pixel (x, y) shows buffer pixel (x + dx, y + dy).
        case exact(dx: Int32, dy: Int32)
        /// Rotated by quarter turns, mirrored or enlarged by integer factors: each screen pixel shows one buffer pixel.
        indirect case nearest(PixelMap)
        /// Anything else.
        indirect case bilinear(PixelMap)

        /// From positions on the screen to those in the buffer.
        var map: PixelMap {
            switch self {
            case .exact(let dx, let dy):
                PixelMap(a: 1, b: 0, c: 0, d: 1, origin: .zero, base: Point(x: Double(dx), y: Double(dy)))
            case .nearest(let map), .bilinear(let map): map
            }
        }

        /// Whether a screen pixel shows a mix of buffer pixels.
        var isFiltered: Bool { if case .bilinear = self { true } else { false } }
    }

    /// Nil for colours, and for surfaces that are off the screen or have no usable contents.
    var sampling: Sampling?
    /// The screen pixels it touches, within the framebuffer.
    var bounds: IntRect
    /// Whether the layer covers exactly its `bounds`; otherwise it is rotated, and a mask gives its shape.
    var isRectangle: Bool

    static let nowhere = LayerGeometry(sampling: nil, bounds: .empty, isRectangle: true)

    /// `source` is nil for colours. Degenerate and infinite layers get empty bounds.
    init(_ layer: Layer, source: SourceInfo?, screen: IntRect) {
        self = .nowhere
        let whole = Rect(origin: .zero, size: layer.size)
        var visible = whole
        if let clip = layer.clip { visible = whole.intersection(clip) }
        guard layer.toPixels.isFinite, visible.isFinite, !visible.isEmpty, layer.size.isFinite else { return }
        if layer.isUpright {
            placeUpright(layer, whole: whole, visible: visible, source: source, screen: screen)
        } else {
            placeTurned(layer, visible: visible, source: source, screen: screen)
        }
    }

    private init(sampling: Sampling?, bounds: IntRect, isRectangle: Bool) {
        self.sampling = sampling
        self.bounds = bounds
        self.isRectangle = isRectangle
    }

    /// Stretches the whole buffer over the rounded rectangle, whose edges are on pixels.
    private mutating func placeUpright(
        _ layer: Layer, whole: Rect, visible: Rect, source: SourceInfo?, screen: IntRect
    ) {
        let place = layer.upright.apply(to: whole)
        guard place.isFinite else { return }
        let x0 = (place.minX + 0.5).rounded(.down)
        let y0 = (place.minY + 0.5).rounded(.down)
        let width = (place.maxX + 0.5).rounded(.down) - x0
        let height = (place.maxY + 0.5).rounded(.down) - y0
        guard width >= 1, height >= 1 else { return }
        bounds = IntRect(nearest: place).intersection(screen)
        if visible != whole {
            bounds = bounds.intersection(IntRect(nearest: layer.upright.apply(to: visible)))
        }
        guard let source, !bounds.isEmpty else { return }
        func buffer(_ p: Double, _ q: Double) -> Point { source.toBuffer(unit: layer.unit(p, q)) }
        let base = buffer(0, 0)
        let right = buffer(1, 0) - base
        let down = buffer(0, 1) - base
        sampling = Self.sampling(
            right: right, down: down, width: width, height: height, base: base, origin: Point(x: x0, y: y0))
    }

    private static func sampling(
        right: Point, down: Point, width: Double, height: Double, base: Point, origin: Point
    ) -> Sampling {
        let isAligned = base.x == base.x.rounded() && base.y == base.y.rounded()
        let (dx, dy) = (base.x - origin.x, base.y - origin.y)
        let isExact = isAligned && right == Point(x: width, y: 0) && down == Point(x: 0, y: height)
        if isExact, abs(dx) < 1e9, abs(dy) < 1e9 { return .exact(dx: Int32(dx), dy: Int32(dy)) }
        let map = PixelMap(
            a: right.x / width, b: right.y / width, c: down.x / height, d: down.y / height, origin: origin, base: base)
        // Only for enlarging: shrinking with the nearest pixel would drop rows.
        let factorX = width / max(abs(right.x), abs(right.y))
        let factorY = height / max(abs(down.x), abs(down.y))
        let isWhole = factorX == factorX.rounded() && factorY == factorY.rounded()
        return isAligned && isWhole && factorX >= 1 && factorY >= 1 ? .nearest(map) : .bilinear(map)
    }

    private mutating func placeTurned(_ layer: Layer, visible: Rect, source: SourceInfo?, screen: IntRect) {
        guard let inverse = layer.toPixels.inverse else { return }
        let box = layer.toPixels.apply(to: visible)
        guard box.isFinite else { return }
        isRectangle = false
        bounds = IntRect(around: (box.minX, box.minY, box.maxX, box.maxY)).intersection(screen)
        guard let source else { return }
        let base = source.toBuffer(unit: .zero)
        let right = source.toBuffer(unit: Point(x: 1, y: 0)) - base
        let down = source.toBuffer(unit: Point(x: 0, y: 1)) - base
        let (w, h) = (layer.size.width, layer.size.height)
        let map = PixelMap(
            a: right.x * inverse.a / w + down.x * inverse.b / h, b: right.y * inverse.a / w + down.y * inverse.b / h,
            c: right.x * inverse.c / w + down.x * inverse.d / h, d: right.y * inverse.c / w + down.y * inverse.d / h,
            origin: Point(x: layer.toPixels.tx, y: layer.toPixels.ty), base: base)
        if map.a.isFinite, map.b.isFinite, map.c.isFinite, map.d.isFinite {
            sampling = .bilinear(map)
        } else {
            self = .nowhere
        }
    }
}

extension Layer {
    /// Whether the layer's edges run along pixel rows and columns, within 1/256 pixel (clients may compute cosines of
    /// quarter turns that are not exactly 0).
    var isUpright: Bool {
        let t = toPixels
        if t.isAxisAligned { return true }
        let tolerance = 1.0 / 256
        return max(abs(t.b) * size.width, abs(t.c) * size.height) < tolerance
            || max(abs(t.a) * size.width, abs(t.d) * size.height) < tolerance
    }

    private var isQuarterTurned: Bool { abs(toPixels.a) + abs(toPixels.d) < abs(toPixels.b) + abs(toPixels.c) }

    /// `toPixels` without the small terms that `isUpright` tolerates.
    var upright: AffineTransform {
        var t = toPixels
        if isQuarterTurned {
            t.a = 0
            t.d = 0
        } else {
            t.b = 0
            t.c = 0
        }
        return t
    }

    /// Maps a position in the layer's rectangle on the screen, (0, 0) top left to (1, 1), to one in the layer.
    fileprivate func unit(_ p: Double, _ q: Double) -> Point {
        let t = toPixels
        if isQuarterTurned {
            return Point(x: t.b > 0 ? q : 1 - q, y: t.c > 0 ? p : 1 - p)
        }
        return Point(x: t.a > 0 ? p : 1 - p, y: t.d > 0 ? q : 1 - q)
    }
}
