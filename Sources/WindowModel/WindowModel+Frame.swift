// What a screen shows, back to front (W3, C1–C3, S4, S5, S7).

extension WindowModel {
    /// The layers of a screen at this moment, nil for a screen that is not connected. A window with alpha 0, or without
    /// colour and content, gives none.
    public func frame(for id: Screen.ID) -> Frame? {
        guard let screen = screenNode(id) else { return nil }
        let mode = screen.value.currentMode
        var visible = screen.value.visibleArea
        var toPixels = screen.value.toPixels
        let source = shownScreen(on: screen)
        if source !== screen {
            toPixels = screen.value.letterbox(of: source.value).then(toPixels)
            visible = visible.intersection(toPixels.apply(to: source.bounds).onWholeUnits)
        }
        var frame = Frame(
            screen: id, pixelWidth: mode.width, pixelHeight: mode.height, visibleArea: visible, layers: [])
        frame.layers.reserveCapacity(source.order.count)
        for entry in source.order where entry.window.value.alpha > 0 {
            appendLayers(of: entry.window, toPixels: toPixels, to: &frame.layers)
        }
        for overlay in overlays where overlay.screen == source.id {
            let painter = Painter(window: nil, alpha: 1, toPixels: toPixels, clip: nil)
            surfaces.paint(overlay.surface, at: overlay.position, isMapped: false, painter, to: &frame.layers)
        }
        return frame
    }

    private func appendLayers(of window: WindowNode, toPixels: AffineTransform, to layers: inout [Layer]) {
        let value = window.value
        let bounds = Rect(origin: .zero, size: value.frame.size)
        var painter = Painter(
            window: window.id, alpha: value.alpha, toPixels: window.toScreen.then(toPixels),
            clip: value.clipsToBounds ? bounds : nil)
        if let color = value.backgroundColor, !bounds.isEmpty {
            painter.append(.color(color), bounds.size, at: .zero, to: &layers)
        }
        if window.root != SurfaceTree.none {
            surfaces.paint(
                window.root, at: window.rootOffset, isMapped: !value.needsContent, painter, to: &layers)
        }
        // C3: pop-ups are above all else in the window and are not clipped to it.
        painter.clip = nil
        for popup in window.popups {
            surfaces.paint(popup, at: surfaces.nodes[Int(popup)].position, isMapped: false, painter, to: &layers)
        }
    }
}

/// What all layers of a window share.
private struct Painter {
    let window: Window.ID?
    let alpha: Double
    /// From the window's points, or the screen's without a window.
    let toPixels: AffineTransform
    /// In the window's points.
    var clip: Rect?

    func append(_ content: Layer.Content, _ size: Size, at origin: Point, to layers: inout [Layer]) {
        let moved = toPixels.apply(to: origin)
        let transform = AffineTransform(
            a: toPixels.a, b: toPixels.b, c: toPixels.c, d: toPixels.d, tx: moved.x, ty: moved.y)
        layers.append(
            Layer(
                window: window, content: content, size: size, toPixels: transform,
                clip: clip?.offsetBy(x: -origin.x, y: -origin.y), alpha: alpha))
    }
}

extension SurfaceTree {
    /// C1: the children below, the surface itself, the children above.
    fileprivate func paint(
        _ index: UInt32, at origin: Point, isMapped: Bool, _ painter: Painter, to layers: inout [Layer]
    ) {
        let hasContent = nodes[Int(index)].hasContent
        guard isMapped || hasContent else { return }
        var child = nodes[Int(index)].firstChild
        while child != Self.none, nodes[Int(child)].isBelow {
            paint(child, at: origin + nodes[Int(child)].position, isMapped: false, painter, to: &layers)
            child = nodes[Int(child)].next
        }
        if hasContent, !nodes[Int(index)].size.isEmpty {
            painter.append(.surface(id(index)), nodes[Int(index)].size, at: origin, to: &layers)
        }
        while child != Self.none {
            paint(child, at: origin + nodes[Int(child)].position, isMapped: false, painter, to: &layers)
            child = nodes[Int(child)].next
        }
    }
}

extension Rect {
    /// Each edge at the nearest whole number, a half up, as layers are drawn.
    fileprivate var onWholeUnits: Rect {
        let (x0, y0) = ((minX + 0.5).rounded(.down), (minY + 0.5).rounded(.down))
        return Rect(
            x: x0, y: y0, width: (maxX + 0.5).rounded(.down) - x0, height: (maxY + 0.5).rounded(.down) - y0)
    }
}
