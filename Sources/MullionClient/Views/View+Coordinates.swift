// S4: a view's own points and those of its superview.

import MullionGeometry

extension View: CoordinateSpace {
    /// From the view's points to those of its superview; of its screen, for a window.
    var placement: AffineTransform {
        AffineTransform.translation(x: -boundsOrigin.x, y: -boundsOrigin.y)
            .then(AffineTransform(placing: storedFrame, transform: transform))
    }

    /// Nil when the transform is degenerate (H1).
    var fromSuperview: AffineTransform? { placement.inverse }

    /// Where the view lies in the global layout; without a window, in the outermost superview.
    public var placementInLayout: Placement {
        let outer = (self as? Window).map { $0.screen?.placementInLayout ?? .identity } ?? superview?.placementInLayout
        let own = Placement(placement)
        return outer.map { own.placed(in: $0) } ?? own
    }
}
