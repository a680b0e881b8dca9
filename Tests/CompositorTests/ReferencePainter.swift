// A slow but obviously correct painter: for each pixel, all layers back to front, with integers only.

import Compositor
import WindowModel

/// A random upright layer, in the integers it was made from.
struct ReferenceLayer {
    /// The directions of x and y: `signX`, `signY` are ±1 along the screen's x and y.
    struct Turn {
        var isQuarter: Bool
        var signX: Int
        var signY: Int
    }

    var layer: Layer
    /// The rectangle on the screen with rounded edges.
    var place: IntRect
    /// The visible part of `place`.
    var visible: IntRect
    var turn: Turn
    /// Screen pixels per pixel of the upright picture.
    var factor: Int

    /// The layer's premultiplied argb at a pixel of the screen, nil outside.
    func pixel(_ x: Int, _ y: Int, surfaces: TestSurfaces, isSingle: Bool) -> UInt32? {
        guard visible.minX <= x, x < visible.maxX, visible.minY <= y, y < visible.maxY else { return nil }
        switch layer.content {
        case .color(let color):
            let alpha = isSingle && byte(layer.alpha) < 255 ? color.alpha * layer.alpha : color.alpha
            return byte(alpha) << 24 | byte(color.red * alpha) << 16 | byte(color.green * alpha) << 8
                | byte(color.blue * alpha)
        case .surface(let id):
            guard let contents = surfaces.entries[id.index]?.pixels else { return nil }
            let right = x - Int(place.minX)
            let down = y - Int(place.minY)
            let i = turn.signX > 0 ? right : place.width - 1 - right
            let j = turn.signY > 0 ? down : place.height - 1 - down
            let u = (turn.isQuarter ? j : i) / factor
            let v = (turn.isQuarter ? i : j) / factor
            let pixel = Self.upright(contents, u, v)
            let argb = contents.format.hasAlpha ? pixel : pixel | 0xff00_0000
            guard isSingle else { return argb }
            return Self.times(argb, byte(layer.alpha))
        }
    }

    /// The pixel of the picture as intended by the client.
    private static func upright(_ contents: TestContents, _ u: Int, _ v: Int) -> UInt32 {
        let w = contents.width - 1
        let h = contents.height - 1
        return switch contents.bufferTransform {
        case .normal: contents.pixel(u, v)
        case .rotated90: contents.pixel(v, h - u)
        case .rotated180: contents.pixel(w - u, h - v)
        case .rotated270: contents.pixel(w - v, u)
        case .flipped: contents.pixel(w - u, v)
        case .flipped90: contents.pixel(v, u)
        case .flipped180: contents.pixel(u, h - v)
        case .flipped270: contents.pixel(w - v, h - u)
        }
    }

    private func byte(_ value: Double) -> UInt32 { Self.byte(value) }
    static func byte(_ value: Double) -> UInt32 { UInt32((value * 255 + 0.5).rounded(.down)) }

    /// All four components times a fraction of 255, rounded.
    static func times(_ pixel: UInt32, _ factor: UInt32) -> UInt32 {
        [0, 8, 16, 24].reduce(0) { sum, shift in
            let product = (pixel >> UInt32(shift) & 0xff) * factor
            return sum | ((product + 127) / 255) << UInt32(shift)
        }
    }

    static func over(_ source: UInt32, _ below: UInt32) -> UInt32 {
        let rest = times(below, 255 - source >> 24)
        return [0, 8, 16, 24].reduce(0) { sum, shift in
            let both = (source >> UInt32(shift) & 0xff) + (rest >> UInt32(shift) & 0xff)
            return sum | min(255, both) << UInt32(shift)
        }
    }

    /// Paints whole layers, window by window.
    static func paint(_ layers: [ReferenceLayer], width: Int, height: Int, surfaces: TestSurfaces) -> [[UInt32]] {
        var windows: [[ReferenceLayer]] = []
        for layer in layers where !layer.visible.isEmpty {
            if let last = windows.last?.last, last.layer.window == layer.layer.window {
                windows[windows.count - 1].append(layer)
            } else {
                windows.append([layer])
            }
        }
        return (0..<height).map { y in
            (0..<width).map { x in
                var result: UInt32 = 0xff00_0000
                for window in windows {
                    let opacity = byte(window[0].layer.alpha)
                    let isGroup = window.count > 1 && opacity < 255
                    var group: UInt32 = 0
                    for layer in window {
                        let pixel = layer.pixel(x, y, surfaces: surfaces, isSingle: !isGroup)
                        guard let pixel else { continue }
                        if isGroup { group = over(pixel, group) } else { result = over(pixel, result) }
                    }
                    if isGroup { result = over(times(group, opacity), result) }
                }
                return result & 0xff_ffff
            }
        }
    }
}
