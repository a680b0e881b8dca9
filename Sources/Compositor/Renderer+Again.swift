// Draws the same layers again when only the contents of some have changed.

import WindowModel

extension Renderer {
    /// Longer lists are compared in steps instead: they are looked through at once here.
    private static let layersAtOnce = 1 << 12

    /// What has changed in a layer.
    private struct ContentChange {
        var index: Int
        var contents: Contents
        var rect: IntRect
    }

    /// Begins and compares a picture with the layers of the last one. It costs far less than adding them all, since
    /// only the layers in the changed part are looked at closely. Only valid if no layer was added, removed, moved or
    /// resized since.
    /// - Parameters:
    ///   - surfaces: the surfaces whose contents may have changed.
    ///   - contents: called for these, and for the layers in the changed part.
    /// - Returns: false if the layers have to be added, and nothing has happened: a drawing is unfinished, the colours are
    ///   new, a buffer has other properties than before, or there are too many layers.
    public func beginAgain(_ surfaces: [Surface.ID], contents: (Surface.ID) -> Contents?) -> Bool {
        guard framebuffer != nil, comparison == nil, !isUnfinished, !isEverythingNew, colors == drawnColors,
            previous.count <= Self.layersAtOnce,
            // A list that became much shorter gives its memory back with the next ones.
            previous.capacity <= max(Self.keptCapacity, 4 * previous.count),
            let changes = changes(of: surfaces, contents)
        else { return false }
        var part = changes.reduce(damage.extents) { $0.union($1.rect) }
        // A large part may be drawn directly, and more than is damaged then.
        if part.area * 2 >= bounds.area { part = bounds }
        guard part.isEmpty || collect(part, contents) else { return false }
        knownPart = part
        changed.removeAll()
        resetCounts()
        for change in changes {
            previous[change.index].serial = change.contents.damage.serial
            previous[change.index].opaque = Self.opaquePart(of: previous[change.index], change.contents.pixels)
        }
        var limits = HidingLimits()
        for change in changes {
            findVisiblePart(of: change.rect, behind: change.index, &limits)
            visible.forEachRectangle { addDamage($0) }
        }
        changed.intersect(bounds)
        damage.add(changed)
        if !prepareDrawing() { found.removeAll(keepingCapacity: found.capacity <= Self.keptCapacity) }
        return true
    }

    /// The changed parts of the layers that show these surfaces; nil if a buffer has other properties than before.
    private func changes(of surfaces: [Surface.ID], _ contents: (Surface.ID) -> Contents?) -> [ContentChange]? {
        guard !surfaces.isEmpty else { return [] }
        var changes: [ContentChange] = []
        for index in previous.indices {
            guard case .surface(let id) = previous[index].layer.content, surfaces.contains(id) else { continue }
            let now = contents(id)
            guard isLikePrevious(now, index) else { return nil }
            guard let now, now.damage.serial != previous[index].serial else { continue }
            let rect = previous[index].changedPart(since: previous[index].serial, now.damage)
            changes.append(ContentChange(index: index, contents: now, rect: rect))
        }
        return changes
    }

    /// Fills `found` for the layers in a part.
    /// - Returns: false, and `found` is empty, if a buffer has other properties than before, as one may that was changed
    ///   while it was hidden.
    private func collect(_ part: IntRect, _ contents: (Surface.ID) -> Contents?) -> Bool {
        found.reserveCapacity(previous.count)
        for index in previous.indices {
            guard case .surface(let id) = previous[index].layer.content,
                previous[index].geometry.bounds.intersects(part)
            else {
                found.append(nil)
                continue
            }
            let now = contents(id)
            guard isLikePrevious(now, index) else {
                found.removeAll()
                return false
            }
            found.append(now)
        }
        return true
    }

    private func isLikePrevious(_ contents: Contents?, _ index: Int) -> Bool {
        guard let contents else { return previous[index].source == nil }
        return SourceInfo(contents.pixels, earlier: previous[index].source) == previous[index].source
    }
}
