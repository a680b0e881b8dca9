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

extension Renderer {
    /// More rectangles than this are replaced by the one around them.
    private static let maximumDamageRectangles = 64

    /// The frame's layers with their places, and beside them the contents of each.
    func resolve(
        _ frame: Frame, contents: (Surface.ID) -> Contents?
    ) -> (layers: [DrawnLayer], found: [Contents?]) {
        var layers: [DrawnLayer] = []
        var found: [Contents?] = []
        layers.reserveCapacity(frame.layers.count)
        found.reserveCapacity(frame.layers.count)
        let screen = visibleArea
        for (index, layer) in frame.layers.enumerated() {
            var drawn = DrawnLayer(layer: layer, geometry: .nowhere, source: nil, serial: 0)
            var pixels: Contents?
            if case .surface(let id) = layer.content {
                pixels = contents(id)
                if let pixels { drawn.source = SourceInfo(pixels.pixels) }
                drawn.serial = pixels?.damage.serial ?? 0
            }
            found.append(pixels)
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
            layers.append(drawn)
        }
        screenOfPrevious = screen
        Self.markGroups(&layers)
        return (layers, found)
    }

    /// A translucent window of several layers fades as a group; so does a turned layer, whose mask has no room for
    /// the alpha. Decided for the whole frame, not for the damaged part: both ways may round differently.
    private static func markGroups(_ layers: inout [DrawnLayer]) {
        var start = 0
        while start < layers.count {
            let end = runEnd(layers, from: start)
            if layers[start].opacity < 255 {
                let shown = layers[start..<end].filter { !$0.geometry.bounds.isEmpty }
                let isGroup = shown.count > 1 || shown.contains { !$0.geometry.isRectangle }
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

    /// Adds to `damage` what differs between two lists.
    func addDamage(from old: [DrawnLayer], to new: [DrawnLayer], found: [Contents?]) {
        var first = 0
        var oldEnd = old.count
        var newEnd = new.count
        while first < oldEnd, first < newEnd, old[first].key == new[first].key {
            addDamage(from: old[first], to: new[first], found: found[first])
            first += 1
        }
        while oldEnd > first, newEnd > first, old[oldEnd - 1].key == new[newEnd - 1].key {
            oldEnd -= 1
            newEnd -= 1
            addDamage(from: old[oldEnd], to: new[newEnd], found: found[newEnd])
        }
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
