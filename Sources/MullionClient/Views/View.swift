// A view: a piece of a window's content.

import MullionGeometry

/// A piece of content inside a window or another view (C1; UIKit: UIView).
///
/// A view shows what `draw` or `onDraw` draws over its background colour, and its subviews in front. Each view with
/// something to show is a sub-surface of its window: moving it redraws nothing, and the server draws only what changed.
/// Changes take effect together at the window's next commit (C4). Views stay where `addSubview` put them; a toolkit's
/// layout and controls are not part of this library.
open class View: Responder {
    /// The view or window that contains it.
    public internal(set) weak var superview: View?
    /// The views inside, back to front (C1).
    public internal(set) var subviews: [View] = []
    /// The recognisers attached to the view, which see the touches in it and in its subviews.
    public internal(set) var gestureRecognizers: [GestureRecognizer] = []

    var storedFrame: Rect
    var boundsOrigin = Point.zero
    /// What the view shows in its window; nil while it shows nothing.
    var layer: Layer?
    /// The part to draw again, in the view's points; nil: nothing.
    var dirtyRect: Rect?
    /// Whether drawing produced nothing, so that the view needs no memory.
    var drawsNothing = false
    var needsLayout = true
    /// Whether the layer of this view, or of one inside it, may differ from what the server has.
    var needsUpdate = true
    /// Whether the layers of all views inside may differ, too: this view was moved, faded or clipped.
    var needsDeepUpdate = true

    /// Creates a view without superview.
    /// - Parameter frame: in points of its future superview.
    public init(frame: Rect = .zero) {
        storedFrame = frame.valid ?? .zero
        dirtyRect = Rect(origin: .zero, size: storedFrame.size)
        super.init()
    }

    isolated deinit {
        for view in subviews { view.superview = nil }
        layer?.destroy()
    }

    /// The window that contains the view.
    open var window: Window? { superview?.window }
    open override var next: Responder? { superview }
    override var responderWindow: Window? { window }

    // MARK: Geometry

    /// The area in points of the superview, before the transform. A negative size becomes 0; infinite and NaN values
    /// are ignored.
    open var frame: Rect {
        get { storedFrame }
        set {
            guard let newValue = newValue.valid, newValue != storedFrame else { return }
            replaceFrame(newValue)
            setNeedsUpdate(deep: true)
        }
    }

    /// The view's own area; its size is the frame's. Moving its origin scrolls the subviews, in the other direction.
    open var bounds: Rect {
        get { Rect(origin: boundsOrigin, size: storedFrame.size) }
        set {
            guard newValue.isFinite, newValue != bounds else { return }
            let middle = storedFrame.center
            boundsOrigin = newValue.origin
            frame = Rect(
                x: middle.x - newValue.width / 2, y: middle.y - newValue.height / 2, width: newValue.width,
                height: newValue.height)
            setNeedsDisplay()
            setNeedsUpdate(deep: true)
        }
    }

    /// The middle of the frame, in points of the superview.
    public var center: Point {
        get { frame.center }
        set {
            let size = frame.size
            frame = Rect(
                x: newValue.x - size.width / 2, y: newValue.y - size.height / 2, width: size.width, height: size.height)
        }
    }

    /// An affine transform about the centre of the frame.
    open var transform: AffineTransform = .identity {
        didSet { if transform != oldValue { setNeedsUpdate(deep: true) } }
    }

    /// How the frame follows the superview's bounds, by UIKit's arithmetic (R2); initially empty.
    open var autoresizingMask: AutoresizingMask = []

    // MARK: Appearance

    /// 0 is invisible, 1 opaque; it applies to the subviews, too. Values are clamped. Below 0.01 the view receives no
    /// touches (H1).
    open var alpha: Double = 1 {
        didSet {
            alpha = alpha.isNaN ? 0 : min(max(alpha, 0), 1)
            if alpha != oldValue { setNeedsUpdate(deep: true) }
        }
    }

    /// Whether the view and its subviews are not shown.
    open var isHidden: Bool {
        get { isHiddenView }
        set {
            guard newValue != isHiddenView else { return }
            isHiddenView = newValue
            if newValue { window?.application.eventDelivery.abandon(self) }
            setNeedsUpdate(deep: true)
        }
    }
    private var isHiddenView = false

    /// The colour under what the view draws; a view with only a colour needs no memory (C2).
    open var backgroundColor: Color? {
        didSet { if backgroundColor != oldValue { setNeedsDisplay() } }
    }

    /// Whether the subviews are clipped to the view; initially false. A view that is not upright clips to its bounding
    /// box.
    open var clipsToBounds: Bool {
        get { clipsSubviews }
        set {
            guard newValue != clipsSubviews else { return }
            clipsSubviews = newValue
            setNeedsUpdate(deep: true)
        }
    }
    private var clipsSubviews = false

    /// Whether the view and its subviews receive touches, or let them through to what is behind (E8).
    open var isUserInteractionEnabled = true

    /// The image of the pointer while it is over the view; nil (initially): that of the superview. Where no view around
    /// the pointer has one, the server shows an arrow. Views that take no touches have none.
    public var cursor: Cursor? {
        didSet { if cursor !== oldValue { cursorDidChange() } }
    }

    // MARK: Drawing

    /// Draws the view; to be overridden. The pixels are the background colour, or transparent; with `dirtyRect` smaller
    /// than `bounds` they hold the last picture outside of it, and changes outside of it may not be shown.
    open func draw(_ pixels: PixelBuffer) {
        if let onDraw { onDraw(pixels) } else { drawsNothing = true }
    }

    /// Draws the view, instead of overriding `draw`.
    public var onDraw: ((PixelBuffer) -> Void)? {
        didSet { setNeedsDisplay() }
    }

    /// Draws the view again at the next commit.
    public func setNeedsDisplay() { setNeedsDisplay(bounds) }

    /// Draws a part of the view again at the next commit, in its own points; all of it if a number is infinite or NaN.
    public func setNeedsDisplay(_ rect: Rect) {
        let part = rect.isFinite ? rect.intersection(bounds) : bounds
        guard !part.isEmpty || bounds.isEmpty else { return }
        dirtyRect = dirtyRect.map { $0.union(part) } ?? part
        drawsNothing = false
        setNeedsUpdate()
    }

    // MARK: Layout

    /// Places the subviews: called before the view is drawn, when its size has changed or `setNeedsLayout()` was
    /// called. To be overridden.
    open func layoutSubviews() { onLayout?() }

    /// Places the subviews, instead of overriding `layoutSubviews`.
    public var onLayout: (() -> Void)? {
        didSet { setNeedsLayout() }
    }

    /// Calls `layoutSubviews` before the next commit.
    public func setNeedsLayout() {
        needsLayout = true
        setNeedsUpdate()
    }

    /// Calls `layoutSubviews` now, here and in the subviews, where it is due.
    public func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            layoutSubviews()
        }
        for view in subviews { view.layoutIfNeeded() }
    }

    /// Called when the view has entered a window, or has left it; to be overridden.
    open func didMoveToWindow() {}

    // MARK: Hit-testing

    /// The frontmost view at a point of this view, which receives the touches there; nil to let them through to what is
    /// behind it in the window. Views are skipped that are hidden, nearly transparent or not enabled; a subview is hit
    /// wherever it is drawn, also outside of this view unless that clips (H1, C5).
    open func hitTest(_ point: Point, with event: Event?) -> View? {
        guard isUserInteractionEnabled, !isHidden, alpha >= 0.01 else { return nil }
        return hitTestContent(point, with: event)
    }

    /// Whether a point of this view belongs to it; to be overridden for shapes that are not rectangles.
    open func point(inside point: Point, with event: Event?) -> Bool { bounds.contains(point) }

    func hitTestContent(_ point: Point, with event: Event?) -> View? {
        if clipsToBounds, !bounds.contains(point) { return nil }
        for view in subviews.reversed() {
            guard let inside = view.fromSuperview?.apply(to: point).withoutDust else { continue }
            if let hit = view.hitTest(inside, with: event) { return hit }
        }
        return self.point(inside: point, with: event) ? self : nil
    }

    // MARK: Changes

    /// Notes that the layer of this view has to be compared with what the server has.
    /// - Parameter deep: also those of the views inside.
    func setNeedsUpdate(deep: Bool = false) {
        if deep { needsDeepUpdate = true }
        needsUpdate = true
        superview?.setNeedsUpdate()
    }

    /// Sets the frame and resizes the subviews (R2), without noting it.
    func replaceFrame(_ frame: Rect) {
        let old = storedFrame.size
        storedFrame = frame
        guard frame.size != old else { return }
        for view in subviews where !view.autoresizingMask.isEmpty {
            view.frame = view.autoresizingMask.frame(view.frame, from: old, to: frame.size)
        }
        setNeedsDisplay()
        setNeedsLayout()
    }
}

extension Rect {
    /// Nil when a number is infinite or NaN; a negative size becomes 0.
    var valid: Rect? {
        isFinite ? Rect(origin: origin, size: Size(width: max(0, width), height: max(0, height))) : nil
    }
}
