// Collects a screen's layers, back to front (W3, C1–C3, S4, S5, S7).

import MullionGeometry

/// The collection of a screen's layers, part by part. A part is a window, a pop-up or an overlay.
///
/// The parts and their positions are fixed when the walk begins. Their surfaces are not: they must not change until the
/// part is done.
public struct FrameWalk {
    /// The picture, without the layers.
    public let frame: Frame
    /// Back to front.
    public var parts: [Part] = []

    /// A picture without parts.
    public init(_ frame: Frame) { self.frame = frame }

    public struct Part {
        /// The root of the part's surfaces.
        public fileprivate(set) var surface: Surface.ID?
        /// Whether all its layers are collected.
        public fileprivate(set) var isDone = false
        fileprivate let painter: Painter
        fileprivate var background: (color: Color, size: Size)?
        fileprivate var origin = Point.zero
        /// Whether the surface's children are shown even without content.
        fileprivate var isMapped = false
        fileprivate var isBegun = false
        /// The path from the root to the next surface to collect.
        fileprivate var path: [Visit] = []

        fileprivate init(_ painter: Painter, surface: Surface.ID? = nil, at origin: Point = .zero) {
            self.painter = painter
            self.surface = surface
            self.origin = origin
        }
    }

    fileprivate struct Visit {
        let node: UInt32
        let origin: Point
        /// The next child.
        var child: UInt32
        /// Whether the node's own content and the children below it are done.
        var isDrawn = false
    }
}

extension WindowModel {
    /// The current layers of a screen; nil for a screen that is not connected. A window with alpha 0, or without colour
    /// and content, has no layers.
    public func frame(for id: Screen.ID) -> Frame? {
        guard var walk = walk(over: id) else { return nil }
        var frame = walk.frame
        var steps = Int.max
        for index in walk.parts.indices { collect(&walk.parts[index], steps: &steps, into: &frame.layers) }
        return frame
    }

    /// Begins to collect a screen's layers; nil if it is not connected.
    public func walk(over id: Screen.ID) -> FrameWalk? {
        guard let screen = screenNode(id) else { return nil }
        let mode = screen.value.currentMode
        var visible = screen.value.visibleArea
        var toPixels = screen.value.toPixels
        let source = shownScreen(on: screen)
        if source !== screen {
            toPixels = screen.value.letterbox(of: source.value).then(toPixels)
            visible = visible.intersection(toPixels.apply(to: source.bounds).onWholeUnits)
        }
        var walk = FrameWalk(
            Frame(screen: id, pixelWidth: mode.width, pixelHeight: mode.height, visibleArea: visible, layers: []))
        guard screen.value.isPowered else { return walk }
        walk.parts.reserveCapacity(source.order.count)
        for entry in source.order where entry.window.value.alpha > 0 && shows(entry.window) {
            addParts(of: entry.window, placedBy: entry.window.toScreen.then(toPixels), to: &walk)
        }
        // L1: nothing is dragged while locked.
        for overlay in overlays where overlay.screen == source.id && !isLocked {
            let painter = Painter(window: nil, alpha: 1, toPixels: toPixels, clip: nil)
            walk.parts.append(.init(painter, surface: surfaces.id(overlay.surface), at: overlay.position))
        }
        return walk
    }

    /// Begins to collect what a window shows by itself, as if it were in front of everything: on a screen or not, hidden
    /// or not, upright and without its transform. Translucent parts remain so; its alpha counts. L1: while locked, only
    /// windows of the lock show anything.
    /// - Parameters:
    ///   - part: the part of the window to show, in its points (C3: what it clips ends at its bounds anyway).
    ///   - scale: pixels per point.
    public func walk(over id: Window.ID, part: Rect, scale: Double) -> FrameWalk? {
        guard let window = windowNodes[id] else { return nil }
        let toPixels = AffineTransform.translation(x: -part.minX, y: -part.minY).then(.scale(x: scale, y: scale))
        var walk = FrameWalk(
            Frame(
                screen: nil, pixelWidth: Self.pixels(part.size.width * scale),
                pixelHeight: Self.pixels(part.size.height * scale), layers: []))
        if window.value.alpha > 0, shows(window) { addParts(of: window, placedBy: toPixels, to: &walk) }
        return walk
    }

    /// The whole pixels that contain a length; at most 2^24.
    private static func pixels(_ length: Double) -> Int { Int(max(0, min(length, 0x100_0000)).rounded(.up)) }

    /// A window's bounds and those of its pop-ups, in its points.
    public func extentWithPopups(of id: Window.ID) -> Rect? {
        guard let window = windowNodes[id] else { return nil }
        return window.popups.reduce(Rect(origin: .zero, size: window.value.frame.size)) { whole, popup in
            guard let box = surfaces.extent(of: popup).rect else { return whole }
            let position = surfaces.nodes[Int(popup)].position
            return whole.union(box.offsetBy(x: position.x, y: position.y))
        }
    }

    /// Continues a part of a walk.
    /// - Parameters:
    ///   - steps: how many more surfaces may be visited; reduced by the number visited.
    ///   - layers: the part's layers are appended to it, back to front.
    public func collect(_ part: inout FrameWalk.Part, steps: inout Int, into layers: inout [Layer]) {
        guard !part.isDone, steps > 0 else { return }
        if !part.isBegun {
            part.isBegun = true
            steps -= 1
            if let (color, size) = part.background {
                part.painter.append(.color(color), size, at: .zero, to: &layers)
            }
            if let root = part.surface.flatMap({ surfaces.index($0) }) {
                surfaces.enter(root, at: part.origin, isMapped: part.isMapped, &part.path)
            }
        }
        surfaces.goOn(along: &part.path, &steps, part.painter, to: &layers)
        part.isDone = part.path.isEmpty
    }

    /// - Parameter toPixels: from the window's points.
    private func addParts(of window: WindowNode, placedBy toPixels: AffineTransform, to walk: inout FrameWalk) {
        let value = window.value
        let bounds = Rect(origin: .zero, size: value.frame.size)
        var painter = Painter(
            window: window.id, alpha: value.alpha, toPixels: toPixels, clip: value.clipsToBounds ? bounds : nil)
        var part = FrameWalk.Part(painter)
        if let color = value.backgroundColor, !bounds.isEmpty { part.background = (color, bounds.size) }
        if window.root != SurfaceTree.none {
            part.surface = surfaces.id(window.root)
            part.origin = window.rootOffset
            part.isMapped = !value.needsContent
        }
        if part.background != nil || part.surface != nil { walk.parts.append(part) }
        // C3: pop-ups are in front of everything else in the window and are not clipped to it.
        painter.clip = nil
        for popup in window.popups {
            walk.parts.append(
                .init(painter, surface: surfaces.id(popup), at: surfaces.nodes[Int(popup)].position))
        }
    }
}

/// Properties that all layers of a window share.
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
    fileprivate func enter(_ index: UInt32, at origin: Point, isMapped: Bool, _ path: inout [FrameWalk.Visit]) {
        guard isMapped || nodes[Int(index)].hasContent else { return }
        path.append(FrameWalk.Visit(node: index, origin: origin, child: nodes[Int(index)].firstChild))
    }

    /// C1: the children below, the surface itself, the children above.
    fileprivate func goOn(
        along path: inout [FrameWalk.Visit], _ left: inout Int, _ painter: Painter, to layers: inout [Layer]
    ) {
        while left > 0, let visit = path.last {
            left -= 1
            let (here, child) = (path.count - 1, visit.child)
            if child != Self.none, visit.isDrawn || nodes[Int(child)].isBelow {
                path[here].child = nodes[Int(child)].next
                let origin = visit.origin + nodes[Int(child)].position
                if nodes[Int(child)].firstChild == Self.none {
                    append(child, at: origin, painter, to: &layers)
                } else {
                    enter(child, at: origin, isMapped: false, &path)
                }
            } else if !visit.isDrawn {
                path[here].isDrawn = true
                append(visit.node, at: visit.origin, painter, to: &layers)
            } else {
                path.removeLast()
            }
        }
    }

    private func append(_ index: UInt32, at origin: Point, _ painter: Painter, to layers: inout [Layer]) {
        guard nodes[Int(index)].hasContent, !nodes[Int(index)].size.isEmpty else { return }
        painter.append(.surface(id(index)), nodes[Int(index)].size, at: origin, to: &layers)
    }
}

extension Rect {
    /// Rounds each edge to the nearest whole number, half up, as layers are drawn.
    fileprivate var onWholeUnits: Rect {
        let (x0, y0) = ((minX + 0.5).rounded(.down), (minY + 0.5).rounded(.down))
        return Rect(
            x: x0, y: y0, width: (maxX + 0.5).rounded(.down) - x0, height: (maxY + 0.5).rounded(.down) - y0)
    }
}
