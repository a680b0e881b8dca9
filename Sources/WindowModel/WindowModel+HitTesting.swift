// Finding the window and surface under a point (H1–H3).

import Geometry

extension WindowModel {
    /// H1: the window and surface at a point of a screen (in its points), nil when no window takes it.
    public func hitTest(_ point: Point, on screen: Screen.ID) -> Routing.Hit? {
        guard let node = screenNode(screen), point.isFinite, let found = hit(point, on: node) else { return nil }
        return Routing.Hit(
            window: found.target.window.id, surface: found.target.surface, location: found.location,
            screenLocation: point, screen: screen)
    }

    /// H3: why the windows of a screen do not take a point, front to back, up to the one that does. Hidden windows are
    /// in it where they would be if they were visible, and on a screen that takes no events all are. The one that would
    /// take the point is among them when its application is ignoring events (E7). Looks at every window of the screen.
    public func explain(_ point: Point, on screen: Screen.ID) -> [Routing.Candidate] {
        guard let node = screenNode(screen) else { return [] }
        var candidates: [Routing.Candidate] = []
        for window in windowsBackToFront(on: node).reversed() {
            var (reason, isLast) = (Routing.Reason.screenNotInteractive, false)
            if node.value.isInteractive {
                switch probe(window, point, isOnScreen: node.value.bounds.contains(point)) {
                case .hit where isIgnoring(window): (reason, isLast) = (.ignoring, true)
                case .hit: return candidates
                case .miss(let why): reason = why
                }
            }
            candidates.append(
                Routing.Candidate(application: window.value.application, window: window.id, reason: reason))
            if isLast { return candidates }
        }
        return candidates
    }

    /// W3: all windows of a screen; hidden ones where they would be if they were visible.
    private func windowsBackToFront(on screen: ScreenNode) -> [WindowNode] {
        let visible = screen.order.map(\.window)
        let hidden = windowNodes.values.filter { $0.screen === screen && !$0.value.isVisible }
        return hidden.isEmpty ? visible : (visible + hidden).sortedBackToFront()
    }

    /// H1 over the windows whose boxes hold the point.
    func hit(_ point: Point, on screen: ScreenNode) -> (target: SeatNode.Target, location: Point)? {
        // W6: nothing is hit outside the screen.
        guard screen.bounds.contains(point) else { return nil }
        refreshBoxes()
        var below = screen.order.count
        while let index = screen.nextBox(holding: point, below: below) {
            let window = screen.order[index].window
            if case .hit(let surface, let location) = probe(window, point) {
                let id = surface == SurfaceTree.none ? nil : surfaces.id(surface)
                return (SeatNode.Target(window: window, surface: id), location)
            }
            below = index
        }
        return nil
    }

    private enum Probe {
        case hit(UInt32, Point)
        case miss(Routing.Reason)
    }

    /// H1 for one window.
    private func probe(_ window: WindowNode, _ screenPoint: Point, isOnScreen: Bool = true) -> Probe {
        guard window.value.isVisible else { return .miss(.hidden) }
        guard window.value.alpha >= 0.01 else { return .miss(.alpha) }
        guard window.value.takesInteraction else { return .miss(.interactionDisabled) }
        guard isOnScreen, let fromScreen = window.fromScreen else { return .miss(.outsideFrame) }
        let point = fromScreen.apply(to: screenPoint)
        // C3: pop-ups are in front of all else in the window, inside the frame or not.
        for popup in window.popups.reversed() {
            if let (surface, at) = surfaces.hit(popup, point - surfaces.nodes[Int(popup)].position) {
                return .hit(surface, at)
            }
        }
        let isInside = Rect(origin: .zero, size: window.value.frame.size).contains(point)
        guard isInside || !window.value.clipsToBounds else { return .miss(.outsideFrame) }
        // A plain program's window is where its surfaces are; one of the extension's is itself hit in its whole frame.
        let area = isInside && !window.value.needsContent
        guard window.root != SurfaceTree.none else {
            return area ? .hit(SurfaceTree.none, point) : .miss(.outsideFrame)
        }
        let inRoot = point - window.rootOffset
        if let (surface, at) = surfaces.hit(window.root, inRoot, area: area, isMapped: !window.value.needsContent) {
            return .hit(surface, at)
        }
        // H2: it is there, but lets the point through.
        let isThere = area || surfaces.shows(window.root, inRoot, isMapped: !window.value.needsContent)
        return .miss(isThere ? .inputRegion : .outsideFrame)
    }

    /// Remembers to compute a window's hit box again.
    func markBox(_ window: WindowNode) {
        guard !window.boxIsStale, window.value.isVisible else { return }
        window.boxIsStale = true
        staleBoxes.append(window)
    }

    /// Costs what has changed since the last time.
    func refreshBoxes() {
        guard !staleBoxes.isEmpty else { return }
        for window in staleBoxes {
            window.boxIsStale = false
            guard window.value.isVisible else { continue }
            window.screen?.setBox(box(of: window), of: window)
        }
        staleBoxes.removeAll(keepingCapacity: true)
    }

    func box(of window: WindowNode) -> SIMD4<Float> {
        guard window.value.alpha >= 0.01, window.value.takesInteraction, window.fromScreen != nil else {
            return ScreenNode.unhittable
        }
        var box = ScreenNode.unhittable
        func extend(by part: Box) {
            guard let part = part.rect else { return }
            box = pointwiseMin(box, ScreenNode.box(window.toScreen.apply(to: part)))
        }
        extend(by: Box(Rect(origin: .zero, size: window.value.frame.size)))
        if !window.value.clipsToBounds, window.root != SurfaceTree.none {
            let extent = surfaces.extent(of: window.root, isMapped: !window.value.needsContent)
            extend(by: extent.offset(by: window.rootOffset))
        }
        for popup in window.popups {
            extend(by: surfaces.extent(of: popup).offset(by: surfaces.nodes[Int(popup)].position))
        }
        return box
    }
}
