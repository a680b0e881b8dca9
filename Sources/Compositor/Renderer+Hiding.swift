// Finds the visible changes: a change behind opaque layers is not drawn.

import WindowModel

extension Renderer {
    /// Above this number, damage rectangles are replaced by their bounding box.
    private static let maximumDamageRectangles = 64
    /// If there are more differences than this, hidden ones count too.
    private static let maximumChanges = 1024
    /// How many layers `hides` looks at.
    private static let hidingLayers = 128

    /// Limits the work of one search for hidden parts.
    struct HidingLimits {
        /// How many opaque rectangles may be looked at.
        fileprivate var looks = 1 << 15
        /// How many may be subtracted.
        fileprivate var subtractions = 128
    }

    func beginHiding(_ state: inout LayerComparison) {
        state.step = changes.isEmpty ? .done : .hiding
        state.visibleFrom = next.count
        guard changes.count <= Self.maximumChanges else {
            for change in changes { addDamage(change.rect) }
            changes.removeAll()
            return
        }
        // The frontmost last, to be taken first.
        if changes.count > 1 { changes.sort { $0.hiddenFrom < $1.hiddenFrom } }
        visible.removeAll()
        visible.add(bounds)
    }

    /// Adds the visible part of the next change to the damage.
    func hideMore(_ state: inout LayerComparison) {
        guard let change = changes.last, !visible.isEmpty else {
            changes.removeAll(keepingCapacity: true)
            state.step = .done
            return
        }
        if state.visibleFrom > change.hiddenFrom {
            state.visibleFrom -= 1
            if visible.rectangleCount <= Self.maximumPieces { next[state.visibleFrom].hide(from: visible) }
            return
        }
        changes.removeLast()
        guard !changed.contains(change.rect) else { return }
        if visible.contains(change.rect) { return addDamage(change.rect) }
        visible.intersection(change.rect).forEachRectangle { addDamage($0) }
    }

    func addDamage(_ rect: IntRect) {
        guard !changed.contains(rect) else { return }
        changed.add(rect)
        if changed.rectangleCount > Self.maximumDamageRectangles { changed.add(changed.extents) }
    }

    /// Whether everything that has changed in a surface since the last picture is hidden by layers in front of it, or
    /// outside the screen: it then counts as drawn, because what hides it draws it when it goes. Only valid if no layer
    /// was added, removed, moved or resized since.
    ///
    /// Conservative: among many layers the answer is false.
    public func hides(_ surface: Surface.ID, _ damage: DamageHistory) -> Bool {
        guard framebuffer != nil, comparison == nil else { return false }
        let least = max(0, previous.count - Self.hidingLayers)
        var index = previous.count - 1
        while index >= least, previous[index].key.surface != surface { index -= 1 }
        // A surface that the picture does not contain.
        guard index >= 0 else { return true }
        guard index >= least else { return false }
        let layer = previous[index]
        // Without contents until now.
        guard layer.source != nil || layer.serial == damage.serial else { return false }
        let rect = layer.changedPart(since: layer.serial, damage)
        guard rect.isEmpty || isHidden(rect, behind: index) else { return false }
        previous[index].serial = damage.serial
        // Its opaque region may have changed.
        if damage.damage(since: layer.serial) == .everything { previous[index].opaque = .nothing }
        return true
    }

    private func isHidden(_ rect: IntRect, behind index: Int) -> Bool {
        var limits = HidingLimits()
        findVisiblePart(of: rect, behind: index, &limits)
        return visible.isEmpty
    }

    /// Sets `visible` to the part of a rectangle that no layer in front of this one hides, or to more of it when the
    /// limits are reached.
    func findVisiblePart(of rect: IntRect, behind index: Int, _ limits: inout HidingLimits) {
        visible.removeAll()
        visible.add(rect)
        for front in index + 1..<previous.count {
            let count = previous[front].opaque.rectangleCount
            limits.looks -= count
            guard limits.looks >= 0 else { return }
            guard count > 0, previous[front].hides(partOf: rect) else { continue }
            limits.subtractions -= count
            guard limits.subtractions >= 0, !visible.isEmpty, visible.rectangleCount <= Self.maximumPieces else {
                return
            }
            previous[front].hide(from: visible)
        }
    }
}

extension DrawnLayer {
    /// The screen pixels that show what changed in the buffer after a commit.
    func changedPart(since serial: UInt64, _ damage: DamageHistory) -> IntRect {
        guard let source, let sampling = geometry.sampling else { return .empty }
        var changed = damage.damage(since: serial).intersection(source.bounds)
        guard !changed.isEmpty else { return .empty }
        if changed == source.bounds { return geometry.bounds }
        let isFiltered = sampling.isFiltered
        // Filtering reads neighbouring pixels: allow for one buffer pixel around, and one screen pixel for rounding.
        if isFiltered { changed = changed.grown(by: 1) }
        let area = sampling.map.screenRect(forBuffer: changed)
        return (isFiltered ? area.grown(by: 1) : area).intersection(geometry.bounds)
    }
}
