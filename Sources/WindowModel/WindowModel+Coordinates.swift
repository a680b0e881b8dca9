// S4: converts points and rectangles between windows, screens and the global layout.

import MullionGeometry

/// S4: what coordinates refer to. All are in points, from the top left corner.
public enum CoordinateSpace: Hashable, Sendable {
    /// A window: from the top left corner of its frame before its transform.
    case window(Window.ID)
    /// A screen's bounds, which follow its orientation.
    case screen(Screen.ID)
    /// A screen's fixed coordinate space: portrait-up of the native panel.
    case fixed(Screen.ID)
    /// The global layout of all screens.
    case layout
}

extension WindowModel {
    /// Converts a point from one space to another, on different screens through the global layout. A conversion there
    /// and back is exact, as `Placement` explains. Throws S1 and W7 for a screen or window that does not exist, and S4
    /// for a window without a screen, a target whose transform is degenerate and a result that would not be finite.
    public func convert(
        _ point: Point, from source: CoordinateSpace, to target: CoordinateSpace
    ) throws(ModelError) -> Point {
        try convert([point], from: source, to: target)[0]
    }

    /// Converts points as if one by one.
    public func convert(
        _ points: [Point], from source: CoordinateSpace, to target: CoordinateSpace
    ) throws(ModelError) -> [Point] {
        let (from, to) = try placements(of: source, target)
        return try points.map { (point) throws(ModelError) in
            guard let result = from.convert(point, to: to) else { throw inconvertible(to, target) }
            return result
        }
    }

    /// Converts a rectangle: the bounding box where it comes to lie at an angle. Throws as for points.
    public func convert(
        _ rect: Rect, from source: CoordinateSpace, to target: CoordinateSpace
    ) throws(ModelError) -> Rect {
        let (from, to) = try placements(of: source, target)
        guard let result = from.convert(rect, to: to) else { throw inconvertible(to, target) }
        return result
    }

    /// Converts a point of the window to points of its screen; nil for a window that is gone.
    public func convertToScreen(_ point: Point, from id: Window.ID) -> Point? {
        windowNodes[id]?.placement.convert(point, to: .identity)
    }

    /// Converts a point of the window's screen to the window's points; nil for a window that is gone or whose transform
    /// is degenerate.
    public func convertFromScreen(_ point: Point, to id: Window.ID) -> Point? {
        windowNodes[id].flatMap { Placement.identity.convert(point, to: $0.placement) }
    }

    /// From the window's points to its screen's native pixels (S4); nil for a window that is gone or on no screen.
    public func toPixels(of id: Window.ID) -> AffineTransform? {
        guard let window = windowNodes[id], let screen = window.screen else { return nil }
        return window.toScreen.then(screen.value.toPixels)
    }

    /// The placements of two spaces in one that contains both: the nearest one, because every transform that is left
    /// out cannot cause rounding errors.
    private func placements(
        of source: CoordinateSpace, _ target: CoordinateSpace
    ) throws(ModelError) -> (Placement, Placement) {
        let (from, to) = (try place(source), try place(target))
        guard source != target else { return (.identity, .identity) }
        guard let screen = from.screen, screen === to.screen else {
            return (try inLayout(from, source), try inLayout(to, target))
        }
        return (from.placement, to.placement)
    }

    /// The screen on which a window's points are.
    /// - Throws: S4 for a window that is on no screen, W7 when there is none.
    public func screenOfPoints(in id: Window.ID) throws(ModelError) -> Screen.ID {
        guard let screen = try node(id).screen else { throw isNowhere(id) }
        return screen.id
    }

    private func isNowhere(_ id: Window.ID) -> ModelError {
        .notAllowed(
            .s4, "window \(id) is on no screen, so its points have no place elsewhere; move it to a screen first")
    }

    private func inLayout(_ place: Place, _ space: CoordinateSpace) throws(ModelError) -> Placement {
        switch (space, place.screen) {
        case (_, let screen?): return place.placement.placed(in: screen.value.layoutPlacement)
        case (.window(let id), nil): throw isNowhere(id)
        default: return place.placement
        }
    }

    /// A space's placement on its screen; the global layout has none, and neither has a window that waits for one.
    private typealias Place = (screen: ScreenNode?, placement: Placement)

    private func place(_ space: CoordinateSpace) throws(ModelError) -> Place {
        switch space {
        case .window(let id):
            let window = try node(id)
            return (window.screen, window.placement)
        case .screen(let id): return (try node(id), .identity)
        case .fixed(let id):
            let screen = try node(id)
            return (screen, screen.value.fixedPlacement)
        case .layout: return (nil, .identity)
        }
    }

    private func inconvertible(_ placement: Placement, _ target: CoordinateSpace) -> ModelError {
        guard placement.fromOuter == nil, case .window(let id) = target else {
            return .invalid(.s4, "the converted coordinates are not finite; use smaller ones")
        }
        return .notAllowed(
            .s4, "the transform of window \(id) is degenerate, so that no point converts to it; set another transform")
    }
}
