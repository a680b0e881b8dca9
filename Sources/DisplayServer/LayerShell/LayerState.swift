// What a client sets of a layer surface.

import MullionGeometry
import MullionWayland
import WindowModel

/// The double-buffered state of a layer surface. Lengths are in points.
struct LayerState: Equatable, Codable {
    /// From back to front.
    enum Layer: UInt32, Codable {
        case background, bottom, top, overlay

        /// W2: the windows of xdg-shell are at 0.
        var level: Double {
            switch self {
            case .background: -2000
            case .bottom: -1000
            case .top: Window.Level.statusBar
            case .overlay: Window.Level.alert
            }
        }
    }

    enum Keyboard: UInt32, Codable { case none, exclusive, onDemand }

    /// An axis of the screen: where a surface begins and ends on it.
    struct Axis {
        /// 0: as long as the area.
        var length: Double
        /// Whether it is attached to the left or upper edge, and to the right or lower one.
        var isAttached: (start: Bool, end: Bool)
        /// The distances from these edges.
        var margins: (start: Double, end: Double)
    }

    var layer: Layer
    var width: UInt32 = 0
    var height: UInt32 = 0
    var anchor: ZwlrLayerSurfaceV1.Anchor = []
    var zone: Int32 = 0
    /// The distances from the edges that it is attached to.
    var top: Int32 = 0
    var right: Int32 = 0
    var bottom: Int32 = 0
    var left: Int32 = 0
    var keyboard = Keyboard.none

    var horizontal: Axis {
        Axis(
            length: Double(width), isAttached: (anchor.contains(.left), anchor.contains(.right)),
            margins: (Double(left), Double(right)))
    }

    var vertical: Axis {
        Axis(
            length: Double(height), isAttached: (anchor.contains(.top), anchor.contains(.bottom)),
            margins: (Double(top), Double(bottom)))
    }

    /// The edge that a positive exclusive zone belongs to; nil without such a zone, or when the surface is attached to
    /// a corner, to two opposite edges, to all or to none.
    var exclusiveEdge: ZwlrLayerSurfaceV1.Anchor? {
        guard zone > 0 else { return nil }
        switch anchor {
        case .top, [.top, .left, .right]: return .top
        case .bottom, [.bottom, .left, .right]: return .bottom
        case .left, [.left, .top, .bottom]: return .left
        case .right, [.right, .top, .bottom]: return .right
        default: return nil
        }
    }

    /// Whether it has the keyboard as long as it is shown (K8). Below the windows of xdg-shell it has it on demand.
    var holdsKey: Bool { keyboard == .exclusive && layer.rawValue >= Layer.top.rawValue }

    /// Whether every length that is to be chosen lies between two edges.
    var isComplete: Bool {
        [horizontal, vertical].allSatisfy { $0.length > 0 || ($0.isAttached.start && $0.isAttached.end) }
    }
}

extension ZwlrLayerSurfaceV1.Anchor: Codable {}
