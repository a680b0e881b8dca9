// S4, S5: the coordinate spaces of a screen and exact conversions between them.

import MullionGeometry

extension Screen {
    /// S4: native pixels, never rotated.
    public var nativeBounds: Rect {
        Rect(x: 0, y: 0, width: Double(currentMode.width), height: Double(currentMode.height))
    }

    /// S5: the part hidden by the display's edges in the current mode, in whole native pixels.
    public var overscanInsets: Insets {
        let insets = properties.overscanInsets
        guard insets != Insets() else { return insets }
        let x = Double(currentMode.width) / Double(preferredMode.width)
        let y = Double(currentMode.height) / Double(preferredMode.height)
        let (width, height) = (Double(currentMode.width), Double(currentMode.height))
        let (left, top) = (min((insets.left * x).rounded(), width - 1), min((insets.top * y).rounded(), height - 1))
        return Insets(
            top: top, left: left, bottom: min((insets.bottom * y).rounded(), height - 1 - top),
            right: min((insets.right * x).rounded(), width - 1 - left))
    }

    /// S5: `overscanInsets` as sent to clients: in points, and following the orientation like `bounds`.
    public var overscanCompensationInsets: Insets {
        let native = overscanInsets
        var (top, left, bottom, right) = (native.top, native.left, native.bottom, native.right)
        switch orientation {
        case .portrait: break
        case .portraitUpsideDown: (top, left, bottom, right) = (bottom, right, top, left)
        case .landscapeLeft: (top, left, bottom, right) = (left, bottom, right, top)
        case .landscapeRight: (top, left, bottom, right) = (right, top, left, bottom)
        }
        if properties.isFlipped { swap(&left, &right) }
        return Insets(top: top / scale, left: left / scale, bottom: bottom / scale, right: right / scale)
    }

    /// S5: the visible part of the framebuffer, in native pixels.
    public var visibleArea: Rect {
        let insets = overscanInsets
        let native = nativeBounds.size
        return Rect(
            x: insets.left, y: insets.top, width: native.width - insets.left - insets.right,
            height: native.height - insets.top - insets.bottom)
    }

    /// S4: the bounds of the fixed coordinate space: points, portrait-up of the native panel. S5: with `insetBounds`,
    /// only the visible part.
    public var fixedBounds: Rect {
        let pixels = properties.overscan == .insetBounds ? visibleArea.size : nativeBounds.size
        return Rect(x: 0, y: 0, width: pixels.width / scale, height: pixels.height / scale)
    }

    /// S4: points, following the orientation.
    public var bounds: Rect {
        Rect(origin: .zero, size: orientation.upperEdge.boundsSize(ofPanel: fixedBounds.size))
    }

    /// From the screen's points (following the orientation) to native pixels, with overscan compensated (S5).
    public var toPixels: AffineTransform {
        let size = fixedBounds.size
        var result = orientation.upperEdge.toPanel(
            of: Size(width: size.width * scale, height: size.height * scale), unitsPerPoint: scale)
        if properties.isFlipped {
            result = AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: bounds.size.width, ty: 0).then(result)
        }
        let (insets, visible) = (overscanInsets, visibleArea.size)
        switch properties.overscan {
        case .none: return result
        case .insetBounds: return result.then(.translation(x: insets.left, y: insets.top))
        case .scale:
            guard insets != Insets() else { return result }
            let native = nativeBounds.size
            return result.then(.scale(x: visible.width / native.width, y: visible.height / native.height))
                .then(.translation(x: insets.left, y: insets.top))
        }
    }

    /// The fixed coordinate space in the screen's points (S4).
    public var fixedPlacement: Placement {
        Placement(panel: fixedBounds.size, upperEdge: orientation.upperEdge)
    }

    /// S4: the least length in whole points from `start` that reaches every pixel before `end`. At fractional scales the
    /// next smaller one can leave a line of pixels free.
    /// - Parameter scale: in pixels per point.
    public static func wholePoints(from start: Double, to end: Double, scale: Double) -> Double {
        func pixel(_ position: Double) -> Double { (position * scale + 0.5).rounded(.down) }
        let length = (end - start).rounded(.down)
        return pixel(start + length) < pixel(end) ? length + 1 : length
    }

    /// The screen's points in the global layout (S4).
    public var layoutPlacement: Placement { Placement(at: position) }

    /// R3: the screen as applications see it: those that do not rotate always see it in portrait.
    public func seen(by policy: Application.RotationPolicy) -> Screen {
        guard policy == .fixed else { return self }
        var seen = self
        seen.properties.orientation = .portrait
        return seen
    }

    /// Converts a point of the screen to its fixed coordinate space (S4).
    public func convertToFixed(_ point: Point) -> Point {
        Placement.identity.convert(point, to: fixedPlacement) ?? point
    }

    /// Converts a point of the fixed coordinate space to the screen's own points (S4).
    public func convertFromFixed(_ point: Point) -> Point {
        fixedPlacement.convert(point, to: .identity) ?? point
    }

    /// Converts a point of the screen to native pixels.
    public func convertToPixels(_ point: Point) -> Point { toPixels.apply(to: point).withoutDust }

    /// Converts native pixels to the screen's points.
    public func convertFromPixels(_ pixel: Point) -> Point {
        (toPixels.inverse?.apply(to: pixel) ?? pixel).withoutDust
    }
}

extension Screen.Orientation {
    /// The edge of the panel that is up.
    public var upperEdge: PanelEdge {
        switch self {
        case .portrait: .top
        case .portraitUpsideDown: .bottom
        case .landscapeLeft: .left
        case .landscapeRight: .right
        }
    }

    /// R1: 0.3 s for a quarter turn, 0.6 s for a half turn, in microseconds.
    func turningTime(to other: Screen.Orientation) -> UInt64 {
        if self == other { return 0 }
        return isLandscape == other.isLandscape ? 600_000 : 300_000
    }
}
