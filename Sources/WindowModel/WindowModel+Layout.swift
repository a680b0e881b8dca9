// Positions in the global layout and on surfaces, for moving and drawing the pointer (E5, S4, S7).

import MullionGeometry

extension WindowModel {
    /// The screen whose windows this one shows: itself, or (S7) the one it mirrors; nil when not connected.
    public func shownScreen(on id: Screen.ID) -> Screen.ID? { screenNode(id).map { shownScreen(on: $0).id } }

    /// From the points of `shownScreen(on:)` to the native pixels of this screen (S4, S5, S7).
    public func shownToPixels(on id: Screen.ID) -> AffineTransform? {
        guard let screen = screenNode(id) else { return nil }
        let source = shownScreen(on: screen)
        guard source !== screen else { return screen.value.toPixels }
        return screen.value.letterbox(of: source.value).then(screen.value.toPixels)
    }

    /// Converts a point of a screen to points of the global layout; nil when the screen is not connected.
    public func convertToLayout(_ point: Point, from screen: Screen.ID) -> Point? {
        screenNode(screen).map { point + $0.value.position }
    }

    /// Converts a point of the global layout to a screen's points; nil when the screen is not connected.
    public func convertFromLayout(_ point: Point, to screen: Screen.ID) -> Point? {
        screenNode(screen).map { point - $0.value.position }
    }

    /// The bounding box of all screens of a seat that show their own windows, in points of the global layout.
    public func layoutBounds(of seat: Seat.ID = .first) -> Rect {
        screenNodes.reduce(.zero) { bounds, screen in
            isOfPointer(screen, of: seat) ? bounds.union(screen.boundsInLayout) : bounds
        }
    }

    /// The nearest position to a point of the global layout that a seat's pointer can have: on `preferred`, else on the
    /// seat's first screen that contains it, else the nearest on any. Screens that mirror another (S7) or belong to
    /// other seats (K1) are excluded. Nil without a screen.
    public func place(
        nearest point: Point, preferring preferred: Screen.ID?, of seat: Seat.ID = .first
    ) -> (screen: Screen.ID, point: Point)? {
        if let screen = preferred.flatMap({ screenNode($0) }), isOfPointer(screen, of: seat),
            screen.boundsInLayout.contains(point)
        {
            return (screen.id, point - screen.value.position)
        }
        var nearest: (screen: ScreenNode, point: Point, distance: Double)?
        for screen in screenNodes where isOfPointer(screen, of: seat) {
            let bounds = screen.boundsInLayout
            guard !bounds.isEmpty else { continue }
            let inside = point.clamped(to: bounds)
            let (x, y) = (inside.x - point.x, inside.y - point.y)
            let distance = bounds.contains(point) ? 0 : x * x + y * y
            if nearest == nil || distance < nearest?.distance ?? 0 { nearest = (screen, inside, distance) }
        }
        return nearest.map { ($0.screen.id, $0.point - $0.screen.value.position) }
    }

    /// Whether a seat's pointer can be on a screen.
    private func isOfPointer(_ screen: ScreenNode, of seat: Seat.ID) -> Bool {
        screen.value.mirroredScreen == nil && screen.seat?.id == seat
    }

    /// The nearest point on a screen; nil when it is not connected.
    public func clamp(_ point: Point, to screen: Screen.ID) -> Point? {
        screenNode(screen).map { point.clamped(to: $0.bounds) }
    }

    /// Converts a point of a screen to points of a surface, through the global layout when that is on another screen.
    /// Nil for a surface in no window, on no screen, or of a window whose transform is degenerate.
    public func convert(_ point: Point, on screen: Screen.ID, to surface: Surface.ID) -> Point? {
        guard let index = surfaces.index(surface), let window = surfaces.window(of: index), let own = window.screen,
            let other = screenNode(screen)
        else { return nil }
        let onOwn = own === other ? point : point + other.value.position - own.value.position
        return (window.fromScreen?.apply(to: onOwn)).map { $0.withoutDust - surfaces.offset(of: index) }
    }

    /// Converts a point of a surface to its window's screen. Nil for a surface in no window or on no screen.
    public func convert(_ point: Point, from surface: Surface.ID) -> (screen: Screen.ID, point: Point)? {
        guard let index = surfaces.index(surface), let window = surfaces.window(of: index), let screen = window.screen
        else { return nil }
        return (screen.id, window.toScreen.apply(to: point + surfaces.offset(of: index)).withoutDust)
    }
}

extension Point {
    /// The smallest step of a point on the wire, in points: the distance kept from the right and bottom edges.
    private static let step = 1.0 / 256

    /// The nearest point inside a non-empty rectangle; its right and bottom edges are outside.
    public func clamped(to rect: Rect) -> Point {
        Point(
            x: max(rect.minX, min(x, rect.maxX - Self.step)), y: max(rect.minY, min(y, rect.maxY - Self.step)))
    }
}

extension ScreenNode {
    fileprivate var boundsInLayout: Rect { bounds.offsetBy(x: value.position.x, y: value.position.y) }
}
