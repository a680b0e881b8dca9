// Automatic positions in the global layout: screens whose position was not set make room for the others.

import Geometry

extension WindowModel {
    /// Whether a screen of that description would overlap a plugged-in one in the global layout.
    public func overlaps(_ description: ScreenDescription) -> Bool {
        guard let highest = description.highestMode else { return false }
        let screen = Screen(
            id: Screen.ID(rawValue: 0), properties: description, currentMode: description.currentMode ?? highest,
            preferredMode: description.preferredMode ?? highest)
        return pluggedScreens.contains { $0.boundsInLayout.overlaps(screen.boundsInLayout) }
    }

    /// Called when a screen's bounds have changed. The automatically placed screens to its right keep their distance
    /// from it, up to the first whose position was set. One that would overlap another, and did not before, goes to that
    /// one's right.
    func makeRoom(around changed: ScreenNode, from before: Screen) {
        let old = before.boundsInLayout
        let gained = changed.bounds.size.width - old.size.width
        guard changed.bounds.size != old.size else { return }
        // Switched-off screens have their places too.
        let others = pluggedScreens.filter { $0.id != changed.id }
        var settled = others.filter(\.properties.isPositioned).map {
            (before: $0.boundsInLayout, now: $0.boundsInLayout)
        }
        settled.append((before: old, now: changed.value.boundsInLayout))
        let anchor = settled.map(\.before).filter { $0.minX >= old.maxX }.map(\.maxX).min() ?? .infinity
        var moved: [Screen.ID: Point] = [:]
        let movable = others.filter { !$0.properties.isPositioned }.map { screen in
            let place = screen.boundsInLayout
            let shift = place.minX >= old.maxX && place.minX < anchor ? gained : 0
            return (id: screen.id, before: place, now: place.offsetBy(x: shift, y: 0))
        }
        for (id, before, now) in movable.sorted(by: { ($0.now.minX, $0.id) < ($1.now.minX, $1.id) }) {
            var now = now
            while let other = settled.first(where: { $0.now.overlaps(now) && !$0.before.overlaps(before) }) {
                now = now.offsetBy(x: other.now.maxX - now.minX, y: 0)
            }
            settled.append((before: before, now: now))
            if now != before { moved[id] = now.origin }
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
}
