// S4: a view's own points and those of its superview.

import Geometry

extension View: CoordinateSpace {
    /// From the view's points to those of its superview; of its screen, for a window.
    var placement: AffineTransform {
        AffineTransform.translation(x: -boundsOrigin.x, y: -boundsOrigin.y)
            .then(AffineTransform(placing: storedFrame, transform: transform))
    }

    /// Nil when the transform is degenerate (H1).
    var fromSuperview: AffineTransform? { placement.inverse }

    /// From the view's points to the global layout of screens; without a window, to the outermost superview.
    public var toLayout: AffineTransform {
        let above = (self as? Window).map { $0.screen?.toLayout ?? .identity } ?? superview?.toLayout
        return above.map { placement.then($0) } ?? placement
    }
}
