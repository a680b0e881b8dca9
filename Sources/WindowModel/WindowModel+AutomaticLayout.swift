// Automatic positions in the global layout: screens whose position was not set make room for the others.

import MullionGeometry

extension WindowModel {
    /// Whether a screen of that description would overlap a plugged-in one in the global layout.
    public func overlaps(_ description: ScreenDescription) -> Bool {
        guard let (current, preferred) = description.initialModes else { return false }
        let screen = Screen(
            id: Screen.ID(rawValue: 0), properties: description, currentMode: current, preferredMode: preferred)
        return pluggedScreens.contains { $0.boundsInLayout.overlaps(screen.boundsInLayout) }
    }

    /// Called when a screen's bounds have changed. The automatically placed screens to its right keep their distance
    /// from it, up to the first whose position was set; then all make room.
    func makeRoom(around changed: ScreenNode, from before: Screen) {
        let old = before.boundsInLayout
        guard changed.bounds.size != old.size else { return }
        let gained = changed.bounds.size.width - old.size.width
        let settled = pluggedScreens.filter { $0.properties.isPositioned && $0.id != changed.id }.map(\.boundsInLayout)
        let anchor = settled.filter { $0.minX >= old.maxX }.map(\.maxX).min() ?? .infinity
        arrange(first: changed.id) { id, place in
            id != changed.id && place.minX >= old.maxX && place.minX < anchor ? gained : 0
        }
    }

    /// Called when a screen has been connected or was given a position. A new screen whose position was not set goes to
    /// the right of what it would overlap; for one whose position was set, the others make room.
    func makeRoom(for screen: ScreenNode, isNew: Bool) {
        guard isNew, !screen.value.properties.isPositioned else { return arrange() }
        let others = pluggedScreens.filter { $0.id != screen.id }.map(\.boundsInLayout)
        let now = screen.value.boundsInLayout.rightOf(others)
        if now.origin != screen.value.position { place([screen.id: now.origin]) }
    }

    /// Moves the screens whose position was not set to the right of what they would overlap: from left to right, except
    /// that `first` is the first. The others stay where they are.
    private func arrange(first: Screen.ID? = nil, shift: (Screen.ID, Rect) -> Double = { _, _ in 0 }) {
        // Switched-off screens have their places too.
        let screens = pluggedScreens
        var settled = screens.filter(\.properties.isPositioned).map(\.boundsInLayout)
        let movable = screens.filter { !$0.properties.isPositioned }.map { screen in
            let place = screen.boundsInLayout
            return (screen: screen, wanted: place.offsetBy(x: shift(screen.id, place), y: 0))
        }
        let order = movable.sorted { a, b in
            (a.screen.id == first ? 0 : 1, a.wanted.minX, a.screen.id)
                < (b.screen.id == first ? 0 : 1, b.wanted.minX, b.screen.id)
        }
        var moved: [Screen.ID: Point] = [:]
        for (screen, wanted) in order {
            let now = wanted.rightOf(settled)
            settled.append(now)
            if now.origin != screen.position { moved[screen.id] = now.origin }
        }
        place(moved)
    }

    /// Leaves out places outside the layout's limits.
    private func place(_ moved: [Screen.ID: Point]) {
        let valid = moved.filter { (try? ScreenDescription.validate(position: $0.value)) != nil }
        for node in screenNodes {
            guard let position = valid[node.id] else { continue }
            node.value.properties.position = position
            propertiesDidChange(of: node.id)
        }
        for index in switchedOff.indices {
            guard let position = valid[switchedOff[index].id] else { continue }
            switchedOff[index].properties.position = position
        }
    }
}

extension Screen {
    /// In points of the global layout.
    var boundsInLayout: Rect { bounds.offsetBy(x: position.x, y: position.y) }
}

extension Rect {
    /// Whether they have more than an edge in common.
    fileprivate func overlaps(_ other: Rect) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// The rectangle, moved to the right until it overlaps none of the others.
    fileprivate func rightOf(_ others: [Rect]) -> Rect {
        var result = self
        while let other = others.first(where: result.overlaps) {
            result = Rect(origin: Point(x: other.maxX, y: minY), size: size)
        }
        return result
    }
}
