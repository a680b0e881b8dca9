// What changed from one list of layers to the next.

import WindowModel

/// A layer as it was drawn: all that the next comparison needs, without the contents.
struct DrawnLayer {
    struct Key: Hashable {
        var window: Window.ID?
        /// nil: the window's background colour.
        var surface: Surface.ID?
    }

    var layer: Layer
    var geometry: LayerGeometry
    /// nil: a colour, or a surface without usable contents.
    var source: SourceInfo?
    /// The contents' serial when drawn.
    var serial: UInt64
    /// Whether it fades together with others (`Renderer.markGroups`).
    var isGrouped = false

    var key: Key {
        switch layer.content {
        case .color: Key(window: layer.window, surface: nil)
        case .surface(let id): Key(window: layer.window, surface: id)
        }
    }

    var opacity: UInt8 { byte(layer.alpha) }

    /// Whether it looks the same but for the pixels in its buffer.
    func looksLike(_ other: DrawnLayer) -> Bool {
        layer == other.layer && source == other.source && isGrouped == other.isGrouped
            && geometry.bounds == other.geometry.bounds
    }
}

/// The state of a comparison of two lists of layers.
struct LayerComparison {
    enum Step {
        /// The layers that both lists begin with, compared one to one.
        case beginning
        /// The layers that both lists end with.
        case end
        /// Too many layers in between: all of them are redrawn.
        case middle
        case done
    }

    var step = Step.beginning
    var first = 0
    var oldEnd = 0
    var newEnd = 0
}

extension Renderer {
    /// More rectangles than this are replaced by the one around them.
    private static let maximumDamageRectangles = 64
    /// Layers compared between two checks of the time.
    private static let pairsAtOnce = 16
    /// If more layers than these came, went or moved in the list, all of them are redrawn without finding out which.
    private static let maximumMiddle = 512

    /// Adds a layer in front of those added since `begin`.
    /// - Parameter contents: the contents of a surface layer, kept until the drawing is done; nil if it shows nothing.
    public func add(_ layer: Layer, _ contents: Contents?) {
        let screen = visibleArea
        let index = next.count
        var drawn = DrawnLayer(layer: layer, geometry: .nowhere, source: nil, serial: 0)
        if let contents {
            drawn.source = SourceInfo(contents.pixels)
            drawn.serial = contents.damage.serial
        }
        if drawn.opacity > 0, drawn.source != nil || drawn.key.surface == nil {
            // The same layer at the same place in the list is the usual case: no need to compute it again.
            if index < previous.count, previous[index].layer == layer, previous[index].source == drawn.source,
                !previous[index].geometry.bounds.isEmpty, screen.contains(previous[index].geometry.bounds),
                screenOfPrevious == screen
            {
                drawn.geometry = previous[index].geometry
            } else {
                drawn.geometry = LayerGeometry(layer, source: drawn.source, screen: screen)
            }
        }
        next.append(drawn)
        found.append(contents)
    }

    /// A translucent window of several layers fades as a group; so does a turned layer, whose mask has no room for
    /// the alpha. Decided for the whole frame, not for the damaged part: both ways may round differently.
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

    /// Where the run of layers of one window ends.
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
            // The whole screen is redrawn anyway.
            if damage.contains(bounds) { state.step = .done }
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
            addDamage(from: previous[index], to: next[index], found: found[index])
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
                state.step = .done
                return
            }
            addDamage(from: previous[old], to: next[new], found: found[new])
            (state.oldEnd, state.newEnd) = (old, new)
        case .middle:
            guard state.first < max(state.oldEnd, state.newEnd) else {
                state.step = .done
                return
            }
            if state.first < state.oldEnd { addDamage(previous[state.first].geometry.bounds) }
            if state.first < state.newEnd { addDamage(next[state.first].geometry.bounds) }
            state.first += 1
        case .done: return
        }
    }

    private func compareMiddle(_ state: LayerComparison) {
        let (old, new) = (previous, next)
        let (first, oldEnd, newEnd) = (state.first, state.oldEnd, state.newEnd)
        guard first < oldEnd || first < newEnd else { return }
        var places: [DrawnLayer.Key: Int] = [:]
        for index in first..<oldEnd where places[old[index].key] == nil { places[old[index].key] = index }
        // Pairs of the same thing before and after; those that kept their order among each other did not move.
        var pairs: [(old: Int, new: Int)] = []
        for index in first..<newEnd {
            if let place = places.removeValue(forKey: new[index].key) { pairs.append((place, index)) }
        }
        var kept: Set<Int> = []
        for index in Self.longestRise(pairs.map(\.old)) {
            let pair = pairs[index]
            kept.insert(pair.old)
            kept.insert(~pair.new)
            addDamage(from: old[pair.old], to: new[pair.new], found: found[pair.new])
        }
        for index in first..<oldEnd where !kept.contains(index) { addDamage(old[index].geometry.bounds) }
        for index in first..<newEnd where !kept.contains(~index) { addDamage(new[index].geometry.bounds) }
    }

    /// The positions of a longest rising subsequence (patience sorting).
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

    private func addDamage(from old: DrawnLayer, to new: DrawnLayer, found: Contents?) {
        guard old.looksLike(new) else {
            addDamage(old.geometry.bounds)
            addDamage(new.geometry.bounds)
            return
        }
        guard old.serial != new.serial, let found, let source = new.source, let map = new.geometry.map else { return }
        var changed = found.damage.damage(since: old.serial).intersection(source.bounds)
        guard !changed.isEmpty else { return }
        if changed == source.bounds { return addDamage(new.geometry.bounds) }
        let isFiltered = new.geometry.sampling == .bilinear
        // A filtered pixel takes from its neighbours: one buffer pixel around, and one screen pixel for rounding.
        if isFiltered { changed = changed.grown(by: 1) }
        let area = map.screenRect(forBuffer: changed)
        addDamage((isFiltered ? area.grown(by: 1) : area).intersection(new.geometry.bounds))
    }

    private func addDamage(_ rect: IntRect) {
        guard !damage.contains(rect) else { return }
        damage.add(rect)
        if damage.rectangleCount > Self.maximumDamageRectangles { damage.add(damage.extents) }
    }
}

extension IntRect {
    /// Larger on every side; edges stop at 32 bits.
    func grown(by amount: Int32) -> IntRect {
        IntRect(
            minX: minX.subtractingReportingOverflow(amount).overflow ? .min : minX - amount,
            minY: minY.subtractingReportingOverflow(amount).overflow ? .min : minY - amount,
            maxX: maxX.addingReportingOverflow(amount).overflow ? .max : maxX + amount,
            maxY: maxY.addingReportingOverflow(amount).overflow ? .max : maxY + amount)
    }
}
