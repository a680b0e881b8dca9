// Bringing the layers of a window's views up to date.

import MullionGeometry

/// What the views around a view do to it.
struct LayerContext {
    let window: Window
    /// From the superview's points to the window's.
    var toWindow = AffineTransform.identity
    var alpha = 1.0
    /// In points of the window; nil: not clipped.
    var clip: Rect?
    /// Whether something above has changed.
    var isDeep = false
    /// What has to be drawn afterwards.
    var drawings: [(view: View, state: LayerState, origin: Point)] = []
}

extension View {
    /// Updates the layers of this view and of those inside that may have changed.
    func updateLayers(_ context: inout LayerContext) {
        guard needsUpdate || context.isDeep else { return }
        let outer = context
        context.isDeep = context.isDeep || needsDeepUpdate
        (needsUpdate, needsDeepUpdate) = (false, false)
        if self !== context.window {
            context.toWindow = placement.then(context.toWindow)
            context.alpha *= alpha
            let determinant = context.toWindow.determinant
            if isHidden || context.alpha == 0 || determinant == 0 || !determinant.isFinite {
                hideLayers()
            } else {
                updateOwnLayer(&context)
                updateSubviews(&context)
            }
        } else {
            updateOwnLayer(&context)
            updateSubviews(&context)
        }
        (context.toWindow, context.alpha, context.clip, context.isDeep) =
            (outer.toWindow, outer.alpha, outer.clip, outer.isDeep)
    }

    private func updateSubviews(_ context: inout LayerContext) {
        // The server clips to the window.
        if clipsToBounds, self !== context.window {
            let area = context.toWindow.apply(to: bounds)
            context.clip = context.clip.map { $0.intersection(area) } ?? area
        }
        for view in subviews { view.updateLayers(&context) }
    }

    private func hideLayers() {
        layer?.hide()
        for view in subviews { view.hideLayers() }
    }

    private func hideOwnLayer() { layer?.hide() }

    private var canDraw: Bool { !drawsNothing && (onDraw != nil || hasOwnDrawing) }
    /// Whether the class may override `draw`.
    private var hasOwnDrawing: Bool { type(of: self) != View.self && type(of: self) != Window.self }

    private func updateOwnLayer(_ context: inout LayerContext) {
        let color = self is Window ? nil : backgroundColor.flatMap { $0.argb >> 24 == 0 ? nil : $0 }
        let whole = context.toWindow.apply(to: bounds)
        var clip = context.clip.flatMap { $0.contains(whole) ? nil : $0 }
        let scale = context.window.contentScale
        if !(max(whole.width, whole.height) * scale <= Layer.maximumSide) {
            clip = (clip ?? context.window.bounds).intersection(context.window.bounds)
        }
        let box = (clip.map { whole.intersection($0) } ?? whole).outset
        // A view without area between two whole points is in a box of a point.
        guard !box.isEmpty, !bounds.isEmpty, box.isOnWire, canDraw || color != nil else { return hideOwnLayer() }
        clip = clip.map { $0.intersection(box) }
        let new = LayerState(
            size: box.size, bounds: bounds,
            placement: context.toWindow.then(.translation(x: -box.minX, y: -box.minY)),
            clip: clip.map { $0.offsetBy(x: -box.minX, y: -box.minY) }, alpha: context.alpha, color: color,
            scale: scale)
        if dirtyRect == nil, let layer, new == layer.state {
            layer.move(to: box.origin)
        } else {
            context.drawings.append((self, new, box.origin))
        }
    }

    /// Shows the view in its window.
    func show(_ new: LayerState, at origin: Point, _ window: Window) {
        let dirty = dirtyRect
        dirtyRect = nil
        let layer = layer ?? window.makeLayer()
        self.layer = layer
        layer.move(to: origin)
        do throws(SurfaceError) {
            if canDraw { try layer.draw(new, dirty: dirty) { draw($0) } }
            // Only drawing shows that nothing is drawn.
            if !canDraw {
                if new.color != nil { try layer.showColor(new) } else { layer.hide() }
            }
        } catch {
            window.application.observers.notify(.drawingFailed(self, error))
        }
    }

    /// Appends the layers of this view and of those inside, back to front.
    func appendLayers(to list: inout [Layer]) {
        if let layer { list.append(layer) }
        for view in subviews { view.appendLayers(to: &list) }
    }
}

extension Rect {
    /// Whether messages can say it; false for NaN.
    fileprivate var isOnWire: Bool {
        minX >= -8_388_608 && minY >= -8_388_608 && maxX <= 8_388_608 && maxY <= 8_388_608
    }

    /// Extended to whole points.
    fileprivate var outset: Rect {
        let (left, top) = (minX.withoutDust.rounded(.down), minY.withoutDust.rounded(.down))
        return Rect(
            x: left, y: top, width: maxX.withoutDust.rounded(.up) - left, height: maxY.withoutDust.rounded(.up) - top)
    }
}
