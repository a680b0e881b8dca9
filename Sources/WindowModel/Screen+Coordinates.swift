// S4: the coordinate spaces of a screen and exact conversion between them.

extension Screen {
    /// S4: native pixels, never rotated.
    public var nativeBounds: Rect {
        Rect(x: 0, y: 0, width: Double(currentMode.width), height: Double(currentMode.height))
    }

    /// S4: the bounds of the fixed coordinate space: points, portrait-up of the native panel.
    public var fixedBounds: Rect {
        Rect(x: 0, y: 0, width: nativeBounds.size.width / scale, height: nativeBounds.size.height / scale)
    }

    /// S4: points, following the orientation.
    public var bounds: Rect {
        let fixed = fixedBounds.size
        return orientation.isLandscape
            ? Rect(x: 0, y: 0, width: fixed.height, height: fixed.width)
            : Rect(x: 0, y: 0, width: fixed.width, height: fixed.height)
    }

    /// From the screen's points (following the orientation) to native pixels.
    public var toPixels: AffineTransform { orientation.transform(size: nativeBounds.size, scale: scale) }

    /// From the screen's points to the fixed coordinate space (S4).
    public var toFixed: AffineTransform { orientation.transform(size: fixedBounds.size, scale: 1) }

    /// A point of the screen in its fixed coordinate space (S4).
    public func convertToFixed(_ point: Point) -> Point { toFixed.apply(to: point).withoutDust }

    /// A point of the fixed coordinate space in the screen's own points (S4).
    public func convertFromFixed(_ point: Point) -> Point {
        let size = fixedBounds.size
        let turned =
            switch orientation {
            case .portrait: point
            case .portraitUpsideDown: Point(x: size.width - point.x, y: size.height - point.y)
            case .landscapeLeft: Point(x: size.height - point.y, y: point.x)
            case .landscapeRight: Point(x: point.y, y: size.width - point.x)
            }
        return turned.withoutDust
    }

    /// A point of the screen in native pixels.
    public func convertToPixels(_ point: Point) -> Point { toPixels.apply(to: point).withoutDust }

    /// Native pixels in the screen's points.
    public func convertFromPixels(_ pixel: Point) -> Point {
        convertFromFixed(Point(x: pixel.x / scale, y: pixel.y / scale))
    }
}

extension Screen.Orientation {
    /// From points that follow the orientation to a panel of `size`, with `scale` units of the panel to a point.
    func transform(size: Size, scale s: Double) -> AffineTransform {
        switch self {
        case .portrait: AffineTransform(a: s, b: 0, c: 0, d: s, tx: 0, ty: 0)
        case .portraitUpsideDown: AffineTransform(a: -s, b: 0, c: 0, d: -s, tx: size.width, ty: size.height)
        case .landscapeLeft: AffineTransform(a: 0, b: -s, c: s, d: 0, tx: 0, ty: size.height)
        case .landscapeRight: AffineTransform(a: 0, b: s, c: -s, d: 0, tx: size.width, ty: 0)
        }
    }
}

extension Point {
    /// The same point without the dust of binary fractions: what is within 1e-9 of a multiple of 1/65536 becomes it.
    /// This makes round trips exact (S4) for all that the wire can carry, even where an offset is not.
    var withoutDust: Point { Point(x: x.withoutDust, y: y.withoutDust) }
}

extension Double {
    fileprivate var withoutDust: Double {
        let near = (self * 65_536).rounded() / 65_536
        return abs(near - self) < 1e-9 ? near : self
    }
}
