// Which screen pixels of a layer hide everything behind it.

import CMullionPixman
import MullionGeometry
import WindowModel

/// The part of a layer that hides everything behind it.
enum OpaquePart {
    case nothing
    /// The layer's bounds.
    case everything
    case rectangles([IntRect])

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    var rectangleCount: Int {
        switch self {
        case .nothing: 0
        case .everything: 1
        case .rectangles(let all): all.count
        }
    }

    /// The common part with a region, as a new region.
    func intersection(_ region: Region, bounds: IntRect) -> Region {
        switch self {
        case .nothing: return Region()
        case .everything: return region.intersection(bounds)
        case .rectangles(let all):
            let result = Region()
            for rect in all { result.add(rect) }
            result.intersect(region)
            return result
        }
    }
}

extension DrawnLayer {
    /// Removes what the layer hides.
    func hide(from visible: Region) {
        switch opaque {
        case .nothing: break
        case .everything: visible.subtract(geometry.bounds)
        case .rectangles(let all): for rect in all { visible.subtract(rect) }
        }
    }

    func hides(partOf rect: IntRect) -> Bool {
        switch opaque {
        case .nothing: false
        case .everything: geometry.bounds.intersects(rect)
        case .rectangles(let all): all.contains { $0.intersects(rect) }
        }
    }
}

extension Renderer {
    /// Opaque rectangles of a surface beyond this number are ignored; more is drawn than necessary then.
    private static let maximumOpaqueRectangles = 64

    /// - Parameter contents: of a surface layer.
    static func opaquePart(of drawn: DrawnLayer, _ contents: (any PixelContents)?) -> OpaquePart {
        let bounds = drawn.geometry.bounds
        guard drawn.opacity == 255, drawn.geometry.isRectangle, !bounds.isEmpty else { return .nothing }
        if case .color(let color) = drawn.layer.content {
            return color.pixmanColor(opacity: 1).alpha == 0xffff ? .everything : .nothing
        }
        guard let source = drawn.source, source.opacity == 255, drawn.geometry.sampling != nil else { return .nothing }
        guard source.format.hasAlpha else { return .everything }
        guard let region = contents?.opaqueRegion else { return .nothing }
        return opaquePart(region, of: drawn)
    }

    /// The screen pixels that show only opaque points, rounded inwards.
    private static func opaquePart(_ region: Region, of drawn: DrawnLayer) -> OpaquePart {
        let bounds = drawn.geometry.bounds
        let size = drawn.layer.size
        let whole = Rect(origin: .zero, size: size)
        let margin: Int32 = drawn.geometry.sampling?.isFiltered == true ? 1 : 0
        var count = 0
        var isWhole = false
        var rectangles: [IntRect] = []
        region.forEachRectangle { rect in
            count += 1
            guard count <= maximumOpaqueRectangles, !isWhole else { return }
            let points = Rect(
                x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width), height: Double(rect.height))
            isWhole = points.contains(whole)
            guard !isWhole else { return }
            let place = drawn.layer.place(of: points.intersection(whole))
            let inner = IntRect(
                minX: Int32(clampingDouble: place.minX.rounded(.up)),
                minY: Int32(clampingDouble: place.minY.rounded(.up)),
                maxX: Int32(clampingDouble: place.maxX.rounded(.down)),
                maxY: Int32(clampingDouble: place.maxY.rounded(.down))
            ).grown(by: -margin).intersection(bounds)
            if !inner.isEmpty { rectangles.append(inner) }
        }
        return isWhole ? .everything : rectangles.isEmpty ? .nothing : .rectangles(rectangles)
    }
}

extension Layer {
    /// The screen position of a part of an upright layer, when the whole is stretched to whole pixels.
    fileprivate func place(of part: Rect) -> Rect {
        let exact = upright.apply(to: Rect(origin: .zero, size: size))
        let rough = upright.apply(to: part)
        let x0 = (exact.minX + 0.5).rounded(.down)
        let y0 = (exact.minY + 0.5).rounded(.down)
        let scaleX = ((exact.maxX + 0.5).rounded(.down) - x0) / exact.size.width
        let scaleY = ((exact.maxY + 0.5).rounded(.down) - y0) / exact.size.height
        return Rect(
            x: x0 + (rough.minX - exact.minX) * scaleX, y: y0 + (rough.minY - exact.minY) * scaleY,
            width: rough.size.width * scaleX, height: rough.size.height * scaleY)
    }
}
