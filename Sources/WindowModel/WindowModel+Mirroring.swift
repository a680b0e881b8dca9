// S7: empty external screens show another screen's picture.

extension WindowModel {
    /// S7: sets what the screen shows while no window is visible on it. Throws S7 for a screen that is not connected,
    /// and if it would mirror itself through others. Setting the current value again always succeeds.
    public func setMirroring(_ mirroring: Screen.Mirroring, of id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        try validate(mirroring, of: node)
        guard mirroring != node.value.properties.mirroring else { return }
        node.value.properties.mirroring = mirroring
        propertiesDidChange(of: id)
        updateMirroring()
    }

    /// Whether `setMirroring` would be accepted.
    public func validate(mirroring: Screen.Mirroring, of id: Screen.ID) throws(ModelError) {
        try validate(mirroring, of: try node(id))
    }

    private func validate(_ mirroring: Screen.Mirroring, of node: ScreenNode) throws(ModelError) {
        guard mirroring != node.value.properties.mirroring else { return }
        if case .screen(let name) = mirroring, !screenNodes.contains(where: { $0.value.name == name }) {
            let names = screenNodes.map(\.value.name).joined(separator: ", ")
            throw .invalid(.s7, "\(name) is not a connected screen; use one of \(names)")
        }
        // Ignore current visibility: a cycle that could appear later is refused now.
        var way = [node.value.name]
        var next = source(of: node, by: mirroring)
        while let shown = next, way.count <= screenNodes.count {
            way.append(shown.value.name)
            guard shown !== node else {
                throw .invalid(.s7, Self.cycle(way))
            }
            next = wantedSource(of: shown)
        }
    }

    /// - Parameter way: the names of a screen, of the one that it would mirror and so on, up to the first one again.
    private static func cycle(_ way: [String]) -> String {
        guard way.count > 2 else { return "screen \(way[0]) cannot mirror itself; use another screen" }
        let rest = way.dropFirst(2).map { ", which mirrors \($0)" }.joined()
        return "screen \(way[0]) cannot mirror \(way[1])\(rest); use a screen that does not mirror \(way[0])"
    }

    /// The screens that currently show this one's picture.
    public func mirrors(of id: Screen.ID) -> [Screen.ID] {
        guard mirrorCount > 0, let node = screenNode(id) else { return [] }
        return screenNodes.filter { $0 !== node && shownScreen(on: $0) === node }.map(\.id)
    }

    /// The screen whose windows this one shows: itself, or the end of the mirroring chain.
    func shownScreen(on node: ScreenNode) -> ScreenNode {
        var shown = node
        while let next = shown.value.mirroredScreen.flatMap({ screenNode($0) }) { shown = next }
        return shown
    }

    /// The screen that this one mirrors when it has no windows; nil: none.
    private func wantedSource(of node: ScreenNode) -> ScreenNode? {
        source(of: node, by: node.value.properties.mirroring)
    }

    private func source(of node: ScreenNode, by mirroring: Screen.Mirroring) -> ScreenNode? {
        switch mirroring {
        case .off: return nil
        case .screen(let name): return screenNodes.first { $0.value.name == name }
        case .automatic:
            guard node.value.kind == .external, let main = screenNodes.first, main !== node else { return nil }
            return main
        }
    }

    /// Updates which screens mirror which, after windows came to or left an empty screen, or screens changed.
    func updateMirroring() {
        for node in screenNodes {
            let source = node.order.isEmpty ? wantedSource(of: node) : nil
            setMirrored(source.map { leads(from: $0, to: node) ? nil : $0.id } ?? nil, of: node)
        }
    }

    /// Whether mirroring leads from one screen to the other: a change of main screen can close such a cycle.
    private func leads(from start: ScreenNode, to end: ScreenNode) -> Bool {
        var node = start
        for _ in screenNodes {
            if node === end { return true }
            guard node.order.isEmpty, let next = wantedSource(of: node) else { return false }
            node = next
        }
        // A cycle without `end`: nothing of it is shown.
        return true
    }

    private func setMirrored(_ source: Screen.ID?, of node: ScreenNode) {
        let before = node.value.mirroredScreen
        guard source != before else { return }
        mirrorCount += (source == nil ? 0 : 1) - (before == nil ? 0 : 1)
        node.value.mirroredScreen = source
        changed(node)
        propertiesDidChange(of: node.id)
    }

    /// Marks screens to be drawn when the screen they show changes, or their mirroring does.
    func markMirrors() {
        guard mirrorCount > 0 else { return }
        for node in screenNodes {
            var shown = node
            while !node.needsDisplay, let next = shown.value.mirroredScreen.flatMap({ screenNode($0) }) {
                node.needsDisplay = next.needsDisplay
                shown = next
            }
        }
    }
}
