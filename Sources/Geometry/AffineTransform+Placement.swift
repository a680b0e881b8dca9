// S4: the transforms between neighbouring coordinate spaces: a window and its screen, a screen and its panel.

extension AffineTransform {
    /// S4: from a window's own points, whose origin is the top left corner of its frame before the transform, to the
    /// points that the frame is in: its screen's. The transform applies about the centre of the frame (W1). The same
    /// holds for a view in its superview.
    @inlinable public init(placing frame: Rect, transform: AffineTransform = .identity) {
        guard !transform.isIdentity else {
            self = .translation(x: frame.minX, y: frame.minY)
            return
        }
        let (x, y) = (frame.width / 2, frame.height / 2)
        self = AffineTransform.translation(x: -x, y: -y).then(transform)
            .then(.translation(x: x + frame.minX, y: y + frame.minY))
    }
}

/// S4: which edge of a panel is up for those who look at it. The spaces of a screen differ by it: its bounds have their
/// top left corner there, its fixed coordinate space at the top left corner of the panel.
@frozen public enum PanelEdge: Hashable, Sendable, CaseIterable {
    /// Not turned.
    case top
    /// Half a turn.
    case bottom
    /// The content is turned a quarter counterclockwise on the panel.
    case left
    /// The content is turned a quarter clockwise on the panel.
    case right

    /// Whether width and height are swapped relative to the panel.
    @inlinable public var swapsAxes: Bool { self == .left || self == .right }

    /// The size of the bounds, for a panel of this size.
    @inlinable public func boundsSize(ofPanel panel: Size) -> Size {
        swapsAxes ? Size(width: panel.height, height: panel.width) : panel
    }

    /// From points of the bounds to a panel of a size in panel units, such as points or pixels.
    @inlinable public func toPanel(of panel: Size, unitsPerPoint s: Double = 1) -> AffineTransform {
        switch self {
        case .top: AffineTransform(a: s, b: 0, c: 0, d: s, tx: 0, ty: 0)
        case .bottom: AffineTransform(a: -s, b: 0, c: 0, d: -s, tx: panel.width, ty: panel.height)
        case .left: AffineTransform(a: 0, b: -s, c: s, d: 0, tx: 0, ty: panel.height)
        case .right: AffineTransform(a: 0, b: s, c: -s, d: 0, tx: panel.width, ty: 0)
        }
    }

    /// From points of a panel of a size in points to those of the bounds: the exact inverse of `toPanel(of:)`.
    @inlinable public func fromPanel(of panel: Size) -> AffineTransform {
        switch self {
        case .top: .identity
        case .bottom: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: panel.width, ty: panel.height)
        case .left: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: panel.height, ty: 0)
        case .right: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: panel.width)
        }
    }
}
