// S4: conversions between the spaces of views, windows and screens, without asking the server.

import MullionGeometry

/// A space of points: a view's or a window's own, a screen's, or that of a screen's panel (UIKit: UICoordinateSpace).
///
/// Points and rectangles convert between any two of them (S4), through transforms too; a rectangle becomes its bounding
/// box. A point on the wire's grid comes back exactly (see `Placement`). Screens lie side by side at their `position`. A
/// window without a screen converts to its own views only: outside of it, its screen is taken to be at the origin.
@MainActor public protocol CoordinateSpace: AnyObject {
    /// The area in this space's own points.
    var bounds: Rect { get }
    /// Where this space lies in the global layout of screens.
    var placementInLayout: Placement { get }
}

extension CoordinateSpace {
    /// Converts a point of this space to another one (S4). A space that was transformed into a line or a point converts
    /// to the others, but nothing can be converted to it: then the point is returned unchanged.
    public func convert(_ point: Point, to space: any CoordinateSpace) -> Point {
        placementInLayout.convert(point, to: space.placementInLayout) ?? point
    }

    /// Converts a rectangle of this space to another one, as the bounding box of what it becomes (S4).
    public func convert(_ rect: Rect, to space: any CoordinateSpace) -> Rect {
        placementInLayout.convert(rect, to: space.placementInLayout) ?? rect
    }

    /// Converts a point of another space to this one (S4).
    public func convert(_ point: Point, from space: any CoordinateSpace) -> Point { space.convert(point, to: self) }

    /// Converts a rectangle of another space to this one, as the bounding box of what it becomes (S4).
    public func convert(_ rect: Rect, from space: any CoordinateSpace) -> Rect { space.convert(rect, to: self) }
}

extension Screen: CoordinateSpace {
    /// At its position in the global layout.
    public var placementInLayout: Placement { Placement(at: position) }

    /// The space of the panel, which stays as it is when the screen rotates (S4).
    public var fixedCoordinateSpace: any CoordinateSpace { FixedCoordinateSpace(self) }
}

/// S4: points of a panel, portrait-up.
private final class FixedCoordinateSpace: CoordinateSpace {
    private let screen: Screen

    init(_ screen: Screen) { self.screen = screen }

    private var panelSize: Size { screen.orientation.upperEdge.boundsSize(ofPanel: screen.bounds.size) }

    var bounds: Rect { Rect(origin: .zero, size: panelSize) }

    var placementInLayout: Placement {
        Placement(panel: panelSize, upperEdge: screen.orientation.upperEdge).placed(in: screen.placementInLayout)
    }
}

extension Screen.Orientation {
    fileprivate var upperEdge: PanelEdge {
        switch self {
        case .portrait: .top
        case .portraitUpsideDown: .bottom
        case .landscapeLeft: .left
        case .landscapeRight: .right
        }
    }
}
