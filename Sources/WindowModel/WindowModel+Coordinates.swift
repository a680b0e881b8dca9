// S4: converts points between windows and screens. Without a transform, a round trip is exact.

import Geometry

extension WindowModel {
    /// Converts a point of the window to points of its screen; nil for a window that is gone.
    public func convertToScreen(_ point: Point, from id: Window.ID) -> Point? {
        windowNodes[id]?.toScreen.apply(to: point).withoutDust
    }

    /// Converts a point of the window's screen to the window's points; nil for a window that is gone or whose transform
    /// is degenerate.
    public func convertFromScreen(_ point: Point, to id: Window.ID) -> Point? {
        windowNodes[id]?.fromScreen?.apply(to: point).withoutDust
    }

    /// From the window's points to its screen's native pixels (S4); nil for a window that is gone or on no screen.
    public func toPixels(of id: Window.ID) -> AffineTransform? {
        guard let window = windowNodes[id], let screen = window.screen else { return nil }
        return window.toScreen.then(screen.value.toPixels)
    }

    /// Converts a point of one window to another's points; across screens, through the global layout. Nil when a window
    /// is gone, only one of them has a screen, or the target's transform is degenerate.
    public func convert(_ point: Point, from source: Window.ID, to target: Window.ID) -> Point? {
        guard let from = windowNodes[source], let to = windowNodes[target] else { return nil }
        guard from !== to else { return point }
        var position = from.toScreen.apply(to: point)
        if from.screen !== to.screen {
            guard let a = from.screen, let b = to.screen else { return nil }
            position = position + a.value.position - b.value.position
        }
        return to.fromScreen?.apply(to: position).withoutDust
    }
}
