// Finds what changed from one list of layers to the next.

import WindowModel

/// A layer as it was drawn: what the next comparison needs, without the contents.
struct DrawnLayer {
    struct Key: Hashable {
        var window: Window.ID?
        /// Nil for the window's background colour.
        var surface: Surface.ID?
    }

    var layer: Layer
    /// Whether it fades together with other layers (`Renderer.markGroups`).
    var isGrouped = false
    var geometry: LayerGeometry
    /// Nil for a colour, or a surface without usable contents.
    var source: SourceInfo?
    /// The serial of the contents that were drawn.
    var serial: UInt64
    /// Where it hides everything behind it.
    var opaque = OpaquePart.nothing

    var key: Key {
        switch layer.content {
        case .color: Key(window: layer.window, surface: nil)
        case .surface(let id): Key(window: layer.window, surface: id)
        }
    }

    var opacity: UInt8 { byte(layer.alpha) }

    /// Whether it looks the same except for the pixels of its buffer.
    func looksLike(_ other: DrawnLayer) -> Bool {
        layer == other.layer && source == other.source && isGrouped == other.isGrouped
            && geometry.bounds == other.geometry.bounds
    }
}

/// The state of a comparison of two lists of layers.
struct LayerComparison {
    enum Step {
        /// Comparing the layers at the beginning of both lists, one to one.
        case beginning
        /// Comparing the layers at the end of both lists.
        case end
        /// Too many layers between them: redrawing all of these.
        case middle
        /// Finding out which of the differences are visible.
        case hiding
        case done
    }

    var step = Step.beginning
    var first = 0
    var oldEnd = 0
    var newEnd = 0
    /// In the `hiding` step, layers with this index or a higher one have been subtracted from the visible region.
    var visibleFrom = 0
}

/// A part of the screen where a layer differs.
struct LayerChange {
    var rect: IntRect
    /// The new layers from this one on are in front of it.
    var hiddenFrom: Int
}

extension Renderer {
    /// Layers compared between two checks of the time.
    private static let pairsAtOnce = 16
    /// If more layers than this were added, removed or moved, all of them are redrawn without further comparison.
    private static let maximumMiddle = 512

    /// Adds a layer in front of those added since `begin`.
    /// - Parameter contents: the contents of a surface layer, kept until the drawing is done; nil if there are none.
    public func add(_ layer: Layer, _ contents: Contents?) {
        let screen = visibleArea
        let index = next.count
        var drawn = DrawnLayer(layer: layer, geometry: .nowhere, source: nil, serial: 0)
        if let contents {
            drawn.source = SourceInfo(contents.pixels, earlier: index < previous.count ? previous[index].source : nil)
            drawn.serial = contents.damage.serial
        }
        if drawn.opacity > 0, drawn.source != nil || drawn.key.surface == nil {
            // Usually it is the same layer at the same place in the list: reuse the earlier result.
            if index < previous.count, previous[index].layer == layer, previous[index].source == drawn.source,
                !previous[index].geometry.bounds.isEmpty, screen.contains(previous[index].geometry.bounds),
                screenOfPrevious == screen
            {
                drawn.geometry = previous[index].geometry
                if previous[index].serial == drawn.serial { drawn.opaque = previous[index].opaque }
            } else {
                drawn.geometry = LayerGeometry(layer, source: drawn.source, screen: screen)
            }
            if case .nothing = drawn.opaque { drawn.opaque = Self.opaquePart(of: drawn, contents?.pixels) }
        }
        next.append(drawn)
        found.append(contents)
    }

    /// Groups the layers of a translucent window, which fades as a whole, and rotated layers, whose mask leaves no room
    /// for alpha. Decided for the whole frame, not only for the damaged part, because the two methods may round
    /// differently.
    private static func markGroups(_ layers: inout [DrawnLayer]) {
        var start = 0
        while start < layers.count {
            let end = runEnd(layers, from: start)
            if layers[start].opacity < 255 {
                var shown = 0
                var isGroup = false
                for index in start..<end where !layers[index].geometry.bounds.isEmpty {
                    shown += 1
                    isGroup = isGroup || shown > 1 || !layers[index].geometry.isRectangle
                }
                for index in start..<end { layers[index].isGrouped = isGroup }
            }
            start = end
        }
    }

    /// The end of the run of layers of one window.
    static func runEnd(_ layers: [DrawnLayer], from start: Int) -> Int {
        var end = start + 1
        while end < layers.count, layers[end].layer.window == layers[start].layer.window,
            layers[end].opacity == layers[start].opacity
        {
            end += 1
        }
        return end
    }

    /// Adds the differences between `previous` and `next` to `damage`.
    /// - Returns: false if time ran out before that was done.
    func goOnComparing(until isOver: () -> Bool) -> Bool {
        guard var state = comparison else { return true }
        defer { comparison = state }
        if (state.first, state.oldEnd, state.newEnd) == (0, 0, 0) {
            Self.markGroups(&next)
            (state.oldEnd, state.newEnd) = (previous.count, next.count)
            // Everything is different.
            if changed.contains(bounds) { state.step = .done }
        }
        while state.step != .done {
            for _ in 0..<Self.pairsAtOnce { compareMore(&state) }
            if state.step != .done, isOver() { return false }
        }
        return true
    }

    private func compareMore(_ state: inout LayerComparison) {
        switch state.step {
        case .beginning:
            let index = state.first
            guard index < state.oldEnd, index < state.newEnd, previous[index].key == next[index].key else {
                state.step = .end
                return
            }
            addChange(from: previous[index], to: next[index], at: index)
            state.first += 1
        case .end:
            let (old, new) = (state.oldEnd - 1, state.newEnd - 1)
            guard old >= state.first, new >= state.first, previous[old].key == next[new].key else {
                let count = max(state.oldEnd, state.newEnd) - state.first
                guard count <= Self.maximumMiddle else {
                    state.step = .middle
                    return
                }
                compareMiddle(state)
                beginHiding(&state)
                return
            }
            addChange(from: previous[old], to: next[new], at: new)
            (state.oldEnd, state.newEnd) = (old, new)
        case .middle:
            guard state.first < max(state.oldEnd, state.newEnd) else { return beginHiding(&state) }
            if state.first < state.oldEnd {
                addChange(previous[state.first].geometry.bounds, hiddenFrom: state.newEnd)
            }
            if state.first < state.newEnd {
                addChange(next[state.first].geometry.bounds, hiddenFrom: state.first + 1)
            }
            state.first += 1
        case .hiding: hideMore(&state)
        case .done: return
        }
    }

    private func compareMiddle(_ state: LayerComparison) {
        let (old, new) = (previous, next)
        let (first, oldEnd, newEnd) = (state.first, state.oldEnd, state.newEnd)
        guard first < oldEnd || first < newEnd else { return }
        var places: [DrawnLayer.Key: Int] = [:]
        for index in first..<oldEnd where places[old[index].key] == nil { places[old[index].key] = index }
        // Pairs of layers that are identical in both lists. Pairs in the same relative order have not moved.
        var pairs: [(old: Int, new: Int)] = []
        for index in first..<newEnd {
            if let place = places.removeValue(forKey: new[index].key) { pairs.append((place, index)) }
        }
        // The new place of each old one that is kept.
        var kept: [Int: Int] = [:]
        var isKept: Set<Int> = []
        for index in Self.longestRise(pairs.map(\.old)) {
            let pair = pairs[index]
            kept[pair.old] = pair.new
            isKept.insert(pair.new)
            addChange(from: old[pair.old], to: new[pair.new], at: pair.new)
        }
        // What was removed is behind the kept layers that it was behind.
        var front = newEnd
        for index in (first..<oldEnd).reversed() {
            if let place = kept[index] {
                front = place
            } else {
                addChange(old[index].geometry.bounds, hiddenFrom: front)
            }
        }
        for index in first..<newEnd where !isKept.contains(index) {
            addChange(new[index].geometry.bounds, hiddenFrom: index + 1)
        }
    }

    /// The positions of a longest increasing subsequence (patience sorting).
    static func longestRise(_ values: [Int]) -> [Int] {
        var tails: [Int] = []
        var before = [Int](repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var result: [Int] = []
        var index = tails.last ?? -1
        while index >= 0 {
            result.append(index)
            index = before[index]
        }
        return result.reversed()
    }

    private func addChange(from old: DrawnLayer, to new: DrawnLayer, at index: Int) {
        guard old.looksLike(new) else {
            addChange(old.geometry.bounds, hiddenFrom: index + 1)
            addChange(new.geometry.bounds, hiddenFrom: index + 1)
            return
        }
        guard old.serial != new.serial, let found = found[index] else { return }
        addChange(new.changedPart(since: old.serial, found.damage), hiddenFrom: index + 1)
    }

    private func addChange(_ rect: IntRect, hiddenFrom front: Int) {
        guard !rect.isEmpty else { return }
        changes.append(LayerChange(rect: rect, hiddenFrom: front))
    }
}

extension IntRect {
    /// Larger on every side, clamped to 32 bits.
    func grown(by amount: Int32) -> IntRect {
        IntRect(
            minX: minX.subtractingReportingOverflow(amount).overflow ? .min : minX - amount,
            minY: minY.subtractingReportingOverflow(amount).overflow ? .min : minY - amount,
            maxX: maxX.addingReportingOverflow(amount).overflow ? .max : maxX + amount,
            maxY: maxY.addingReportingOverflow(amount).overflow ? .max : maxY + amount)
    }
}
