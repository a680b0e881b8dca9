// The areas that panels leave free, for X11 programs.

import MullionGeometry
import WindowModel

/// The part of a screen that panels leave free, in points of the layout.
struct X11WorkArea: Equatable, Codable {
    var x: Int32
    var y: Int32
    var width: Int32
    var height: Int32

    init(_ rect: Rect) {
        x = Int32(clamped: rect.minX.rounded())
        y = Int32(clamped: rect.minY.rounded())
        width = Int32(clamped: rect.maxX.rounded() - rect.minX.rounded())
        height = Int32(clamped: rect.maxY.rounded() - rect.minY.rounded())
    }

    /// Encoded as the protocol's array.
    var bytes: [UInt8] {
        [x, y, width, height].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }
}

extension DisplayServer {
    /// Those of all connected screens, the main one first.
    var x11WorkAreas: [X11WorkArea] {
        model.screens.compactMap { model.screen($0) }.map { screen in
            let free = screen.bounds.without(outputs[screen.id]?.layers.margins ?? Screen.Insets())
            return X11WorkArea(free.offsetBy(x: screen.layoutOrigin.x, y: screen.layoutOrigin.y))
        }
    }
}
