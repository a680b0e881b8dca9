// Finds the window and surface under a point (H1–H3).

import MullionGeometry

/// The result of one hit test at a point of a screen (H1, H3). Valid until the model changes.
public struct HitTest {
    public let screen: Screen.ID
    /// In the screen's points.
    public let point: Point
    /// The target at the point. Nil when no window receives it, and on a non-interactive screen.
    let target: SeatNode.Target?
    /// In the surface's points, or the window's without a surface.
    let location: Point
    /// If there is no target: why a sequence that begins at the point is not delivered.
    let reason: Routing.Reason
    /// H3, if requested: the windows in front of the one that is hit, and why they do not receive the point.
    public let candidates: [Routing.Candidate]
    fileprivate let isExplained: Bool
    fileprivate let version: UInt64

    /// The window and surface at the point.
    public var hit: Routing.Hit? {
        target.map {
            Routing.Hit(
                window: $0.window.id, surface: $0.surface, location: location, screenLocation: point, screen: screen)
        }
    }
}

extension WindowModel {
    /// H1: the window and surface at a point of a screen (in its points); nil when no window receives it.
    /// - Parameter excluded: a window that is never hit, because it is what is being dragged.
    public func hitTest(_ point: Point, on screen: Screen.ID, exceptFor excluded: Window.ID? = nil) -> Routing.Hit? {
        guard let node = screenNode(screen), point.isFinite,
            let found = hit(point, on: node, exceptFor: excluded)
        else { return nil }
        return Routing.Hit(
            window: found.target.window.id, surface: found.target.surface, location: found.location,
            screenLocation: point, screen: screen)
    }

    /// H1 for a sequence that begins at a point of a screen; with `explain` also H3, at the cost of visiting every
    /// window.
    public func hitTest(_ point: Point, on screen: Screen.ID, explain: Bool) -> HitTest {
        var found: (target: SeatNode.Target, location: Point)?
        var reason = Routing.Reason.noWindow
        var candidates: [Routing.Candidate] = []
        if let node = screenNode(screen), point.isFinite {
            if !node.value.isInteractive {
                reason = .screenNotInteractive
            } else if !node.bounds.contains(point) {
                reason = .outsideScreen
            } else if let restriction {
                reason = restriction
            }
            if explain {
                (found, candidates) = probeAll(point, on: node)
            } else if node.value.isInteractive {
                found = hit(point, on: node)
            }
        }
        return HitTest(
            screen: screen, point: point, target: found?.target, location: found?.location ?? .zero, reason: reason,
            candidates: candidates, isExplained: explain, version: structureVersion)
    }

    /// What would become of a touch or a click that begins at the point (E7): nothing is delivered or counted.
    public func routing(_ found: HitTest) -> Routing {
        guard let target = found.target, let hit = found.hit else {
            return Routing(outcome: .dropped(found.reason), candidates: found.candidates)
        }
        return Routing(
            outcome: isIgnoring(target.window) ? .dropped(.ignoring) : .hit(hit), candidates: found.candidates)
    }

    /// Hit-tests the position of a seat's pointer; nil while it has none.
    func hitTestPointer(of seat: SeatNode, explain: Bool) -> HitTest? {
        input[seat].pointerScreen.map { hitTest(input[seat].pointer, on: $0, explain: explain) }
    }

    /// The hit test, unless a change since then could affect its result; nil otherwise.
    func stillValid(_ found: HitTest?, explain: Bool) -> HitTest? {
        guard let found, found.version == structureVersion, found.isExplained || !explain else { return nil }
        return found
    }

    /// H3: why the windows of a screen do not receive a point, front to back, up to the one that does. Hidden windows
    /// are listed where they would be if visible; on a non-interactive screen all windows are listed. The window that
    /// would receive the point is included when its application is ignoring events (E7). Visits every window of the
    /// screen.
    public func explain(_ point: Point, on screen: Screen.ID) -> [Routing.Candidate] {
        screenNode(screen).map { probeAll(point, on: $0).candidates } ?? []
    }

    private func probeAll(
        _ point: Point, on screen: ScreenNode
    ) -> (found: (target: SeatNode.Target, location: Point)?, candidates: [Routing.Candidate]) {
        var candidates: [Routing.Candidate] = []
        func append(_ window: WindowNode, _ reason: Routing.Reason) {
            candidates.append(
                Routing.Candidate(application: window.value.application, window: window.id, reason: reason))
        }
        for window in windowsBackToFront(on: screen).reversed() {
            guard screen.value.isInteractive else {
                append(window, .screenNotInteractive)
                continue
            }
            switch probe(window, point, isOnScreen: screen.value.bounds.contains(point)) {
            case .hit(let surface, let location):
                if isIgnoring(window) { append(window, .ignoring) }
                return ((target(window, surface), location), candidates)
            case .miss(let reason): append(window, reason)
            }
        }
        return (nil, candidates)
    }

    private func target(_ window: WindowNode, _ surface: UInt32) -> SeatNode.Target {
        SeatNode.Target(window: window, surface: surface == SurfaceTree.none ? nil : surfaces.id(surface))
    }

    /// W3: all windows of a screen; hidden ones where they would be if they were visible.
    private func windowsBackToFront(on screen: ScreenNode) -> [WindowNode] {
        let visible = screen.order.map(\.window)
        let hidden = windowNodes.values.filter { $0.screen === screen && !$0.value.isVisible }
        return hidden.isEmpty ? visible : (visible + hidden).sortedBackToFront()
    }

    /// H1 for the windows whose boxes contain the point.
    func hit(
        _ point: Point, on screen: ScreenNode, exceptFor excluded: Window.ID? = nil
    ) -> (target: SeatNode.Target, location: Point)? {
        // W6: nothing is hit outside the screen.
        guard screen.bounds.contains(point) else { return nil }
        refreshBoxes()
        var below = screen.order.count
        while let index = screen.nextBox(holding: point, below: below) {
            let window = screen.order[index].window
            if window.id != excluded, case .hit(let surface, let location) = probe(window, point) {
                return (target(window, surface), location)
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
        guard admits(window) else { return .miss(restriction ?? .hidden) }
        guard window.value.alpha >= 0.01 else { return .miss(.alpha) }
        guard window.value.takesInteraction else { return .miss(.interactionDisabled) }
        guard isOnScreen else { return .miss(.outsideScreen) }
        guard let fromScreen = window.fromScreen else { return .miss(.outsideFrame) }
        let point = fromScreen.apply(to: screenPoint)
        // C3: pop-ups are in front of everything else in the window, inside the frame or not.
        for popup in window.popups.reversed() {
            if let (surface, at) = surfaces.hit(popup, point - surfaces.nodes[Int(popup)].position) {
                return .hit(surface, at)
            }
        }
        let isInside = Rect(origin: .zero, size: window.value.frame.size).contains(point)
        guard isInside || !window.value.clipsToBounds else { return .miss(.outsideFrame) }
        // A plain program's window covers only its surfaces; one of the extension is hit in its whole frame.
        let area = isInside && !window.value.needsContent
        guard window.root != SurfaceTree.none else {
            return area ? .hit(SurfaceTree.none, point) : .miss(.outsideFrame)
        }
        let inRoot = point - window.rootOffset
        if let (surface, at) = surfaces.hit(window.root, inRoot, area: area, isMapped: !window.value.needsContent) {
            return .hit(surface, at)
        }
        // H2: content is at the point, but lets it through.
        let hasContent = area || surfaces.shows(window.root, inRoot, isMapped: !window.value.needsContent)
        return .miss(hasContent ? .inputRegion : .outsideFrame)
    }

    /// Marks a window's hit box to be recomputed.
    func markBox(_ window: WindowNode) {
        structureVersion &+= 1
        guard !window.boxIsStale, window.value.isVisible else { return }
        window.boxIsStale = true
        staleBoxes.append(window)
    }

    /// Recomputes the hit boxes marked since the last call.
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
