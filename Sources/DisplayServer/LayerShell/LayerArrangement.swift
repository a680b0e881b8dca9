// Where the layer surfaces of a screen are.

import MullionGeometry
import MullionWayland
import WindowModel

/// The arrangement of layer surfaces, one after the other: each takes its exclusive zone from the area of the following
/// ones. Rectangles are in the screen's points, or (R3) in those of its fixed coordinate space.
struct LayerArrangement {
    /// The whole screen.
    private(set) var bounds: Rect
    /// What the exclusive zones leave of it; at least one point wide and high.
    private(set) var usable: Rect
    /// In pixels per point.
    private let scale: Double

    init(bounds: Rect, scale: Double) {
        self.bounds = bounds
        self.scale = scale
        usable = bounds
    }

    /// The size that the surface should have: at least 1 × 1, and in whole points, like those of all programs.
    func size(of state: LayerState) -> Size {
        let area = area(of: state)
        func length(_ axis: LayerState.Axis, _ low: Double, _ high: Double) -> Double {
            guard axis.length == 0 else { return axis.length }
            return max(
                1, Screen.wholePoints(from: low + axis.margins.start, to: high - axis.margins.end, scale: scale))
        }
        return Size(
            width: length(state.horizontal, area.minX, area.maxX),
            height: length(state.vertical, area.minY, area.maxY))
    }

    /// The frame of a surface of that size: next to the edge that it is attached to; centred on an axis where it is
    /// attached to both edges or to none.
    func frame(of state: LayerState, size: Size) -> Rect {
        let area = area(of: state)
        func start(_ axis: LayerState.Axis, _ low: Double, _ high: Double, _ length: Double) -> Double {
            switch axis.isAttached {
            case (true, false): low + axis.margins.start
            case (false, true): high - axis.margins.end - length
            // Towards zero: the last point of one that fills the screen may be partly beyond the edge.
            case (true, true):
                low + axis.margins.start
                    + ((high - axis.margins.end - low - axis.margins.start - length) / 2).rounded(.towardZero)
            case (false, false): ((low + high - length) / 2).rounded(.down)
            }
        }
        return Rect(
            origin: Point(
                x: start(state.horizontal, area.minX, area.maxX, size.width),
                y: start(state.vertical, area.minY, area.maxY, size.height)), size: size)
    }

    /// Keeps the surface's exclusive zone, and its margin at that edge, free of the following ones.
    mutating func reserveZone(of state: LayerState) {
        guard let edge = state.exclusiveEdge else { return }
        func depth(_ margin: Int32, _ room: Double) -> Double {
            min(max(0, Double(state.zone) + Double(margin)), room - 1)
        }
        var taken = Screen.Insets()
        switch edge {
        case .top: taken.top = depth(state.top, usable.height)
        case .bottom: taken.bottom = depth(state.bottom, usable.height)
        case .left: taken.left = depth(state.left, usable.width)
        default: taken.right = depth(state.right, usable.width)
        }
        usable = usable.without(taken)
    }

    /// The same in another coordinate space of the screen.
    func converted(from space: Placement, to other: Placement) -> LayerArrangement {
        var result = self
        result.bounds = space.convert(bounds, to: other) ?? bounds
        result.usable = space.convert(usable, to: other) ?? usable
        return result
    }

    private func area(of state: LayerState) -> Rect { state.zone < 0 ? bounds : usable }
}
