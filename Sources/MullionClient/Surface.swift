// Common parts of windows and views: a picture, sub-views, an input region, frame callbacks.

import Geometry
import Wayland

/// The base class of windows and views: an object with pixels.
///
/// Changes are collected and take effect together at the next commit: at the end of the turn of the application's loop,
/// or by `Window.commit()` or `Application.flush()` (C4).
public class Surface {
    /// The application it belongs to.
    public let application: Application
    let proxy: Proxy<WlSurface>
    private var buffers = BufferRing()
    /// Whether this surface, or one inside it, has something to commit.
    private(set) var needsCommit = false
    /// True after `Window.close()` or `View.close()`; later requests are ignored.
    public internal(set) var isClosed = false
    /// The views inside, back to front (C1).
    public internal(set) var subviews: [View] = []
    /// The picture's size in points; zero without a picture.
    public private(set) var contentSize = Size.zero

    init(_ application: Application, _ proxy: Proxy<WlSurface>) {
        self.application = application
        self.proxy = proxy
        application.surfaces[proxy.id] = WeakSurface(surface: self)
    }

    /// The window that contains it, or itself.
    public var window: Window? { nil }
    /// The surface that contains it.
    var container: Surface? { nil }

    // MARK: Content

    /// Draws a picture of `width` × `height` points with `scale` pixels per point; it replaces the current one at the
    /// next commit. The pixels passed to `body` are transparent; memory is reused once the server has released it.
    /// - Throws: `SurfaceError` when the size is invalid or there is no memory.
    public func draw(
        width: Int, height: Int, scale: Int = 1, _ body: (PixelBuffer) -> Void
    ) throws(SurfaceError) {
        guard !isClosed else { throw .closed }
        let sides = 1...16_384
        guard sides.contains(width), sides.contains(height), sides.contains(scale),
            width * scale <= sides.upperBound, height * scale <= sides.upperBound
        else { throw .invalidSize(width: width, height: height, scale: scale) }
        let buffer = try buffers.take(application, width: width * scale, height: height * scale)
        body(buffer.cleared(scale: scale))
        proxy.send(.setBufferScale(scale: Int32(scale)))
        proxy.send(.attach(buffer: buffer.proxy.id, x: 0, y: 0))
        proxy.send(.damageBuffer(x: 0, y: 0, width: Int32(buffer.width), height: Int32(buffer.height)))
        buffers.didAttach(buffer)
        contentSize = Size(width: Double(width), height: Double(height))
        setNeedsCommit()
    }

    /// Fills the surface with one colour. (A window's `backgroundColor` does that without any memory: C2.)
    /// - Throws: `SurfaceError` when the size is invalid or there is no memory.
    public func fill(_ color: Color, width: Int, height: Int) throws(SurfaceError) {
        try draw(width: width, height: height) { $0.fill(color) }
    }

    /// Removes the picture at the next commit.
    public func removeContent() {
        guard !isClosed else { return }
        proxy.send(.attach(buffer: nil, x: 0, y: 0))
        buffers.didAttach(nil)
        contentSize = .zero
        setNeedsCommit()
    }

    // MARK: Input region

    /// Sets where touches, clicks and scrolling are received; elsewhere they fall through to what is behind (H2). In
    /// points of this surface, extended to whole points. Nil: everywhere; an empty list: nowhere.
    public func setTouchable(_ rectangles: [Rect]?) {
        guard !isClosed else { return }
        defer { setNeedsCommit() }
        guard let rectangles else { return proxy.send(.setInputRegion(region: nil)) }
        let compositor = application.globals.compositor
        let region = Proxy<WlRegion>(application.connection, version: compositor.version)
        compositor.send(.createRegion(id: region.id))
        for rect in rectangles {
            let (left, top) = (wholePoints(rect.minX, .down), wholePoints(rect.minY, .down))
            let (right, bottom) = (wholePoints(rect.maxX, .up), wholePoints(rect.maxY, .up))
            guard right > left, bottom > top else { continue }
            region.send(.add(x: left, y: top, width: right - left, height: bottom - top))
        }
        proxy.send(.setInputRegion(region: region.id))
        region.send(.destroy)
    }

    // MARK: Frames

    /// Calls `body` once, when it is time to draw the next frame; the argument is the server's clock in seconds. Not
    /// called while no screen shows the surface.
    public func onNextFrame(_ body: @escaping (_ timestamp: Double) -> Void) {
        guard !isClosed else { return }
        let callback = Proxy<WlCallback>(application.connection, version: 1)
        callback.onEvent = { [weak self] event in
            guard let self, case .done(let milliseconds) = event else { return }
            self.application.enqueue { if !self.isClosed { body(Double(milliseconds) / 1000) } }
        }
        proxy.send(.frame(callback: callback.id))
        setNeedsCommit()
    }

    // MARK: Commit

    func setNeedsCommit() {
        guard !isClosed else { return }
        needsCommit = true
        container?.setNeedsCommit()
    }

    /// Sends pending state before a commit.
    func willCommit() {}

    /// Commits the children first: their state is held back until the root's commit shows everything together (C4).
    final func commitTree() {
        guard !isClosed else { return }
        for view in subviews where view.needsCommit { view.commitTree() }
        willCommit()
        proxy.send(.commit)
        buffers.didCommit()
        needsCommit = false
    }

    /// Destroys the surface and everything inside.
    func destroySurface() {
        isClosed = true
        for view in subviews { view.destroySurface() }
        subviews = []
        application.surfaces[proxy.id] = nil
        proxy.send(.destroy)
        buffers.removeAll()
    }
}

extension Application {
    /// Creates a wl_surface immediately: new objects must reach the server in the order of their ids.
    func createSurface() -> Proxy<WlSurface> {
        let surface = Proxy<WlSurface>(connection, version: globals.compositor.version)
        globals.compositor.send(.createSurface(id: surface.id))
        return surface
    }
}

/// A weak reference to a surface.
struct WeakSurface {
    weak var surface: Surface?
}

/// Whole points that fit into any message; sums and differences of two fit into 32 bits.
func wholePoints(_ value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> Int32 {
    value.isNaN ? 0 : Int32(min(max(value.rounded(rule), -8_388_607), 8_388_607))
}
