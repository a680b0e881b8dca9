// What a view shows in its window.

import MullionGeometry
import MullionWayland

/// How a view's picture lies in its layer; when it changes the picture is made anew.
struct LayerState: Equatable {
    /// Of the layer, in whole points.
    var size: Size
    /// The view's own area.
    var bounds: Rect
    /// From the view's points to those of the layer.
    var placement: AffineTransform
    /// In points of the layer; nil: not clipped.
    var clip: Rect?
    var alpha: Double
    var color: Color?
    /// Pixels per point.
    var scale: Double

    /// Whether the picture fills the layer pixel by pixel.
    var isUpright: Bool {
        alpha == 1 && clip == nil && placement == .translation(x: -bounds.minX, y: -bounds.minY)
            && size == bounds.size
    }
    /// Whether the view fills the layer.
    var isFilled: Bool {
        let layer = Rect(origin: .zero, size: size)
        return clip?.contains(layer) != false && placement.isAxisAligned && placement.apply(to: bounds).contains(layer)
    }
}

/// A view's sub-surface of the window's surface (C1), or the window's own surface.
@MainActor final class Layer {
    /// The most pixels on a side; larger layers are cut to the window.
    static let maximumSide = 8192.0

    let picture: Picture
    private let application: Application
    /// Nil for the window's own surface.
    private let role: Proxy<WlSubsurface>?
    private var origin = Point.zero
    private(set) var state: LayerState?
    private var backing: BackingStore?

    /// A layer of a window, in front of those that it has.
    init(in window: Window) {
        application = window.application
        picture = Picture(application)
        let factory = application.globals.subcompositor
        let role = Proxy<WlSubsurface>(application.connection, version: factory.version)
        factory.send(
            .getSubsurface(id: role.id, surface: picture.surface.id, parent: window.content.picture.surface.id))
        self.role = role
        setReceivesEvents(!window.clipsToBounds)
    }

    /// The layer of a window's own surface.
    init(_ application: Application) {
        self.application = application
        picture = Picture(application)
        role = nil
    }

    func destroy() {
        role?.send(.destroy)
        picture.destroy()
    }

    /// The window receives the events, in its own coordinates, and looks for the view itself; only outside of the window
    /// the layer has to receive them (C5).
    func setReceivesEvents(_ receives: Bool) {
        picture.needsCommit = true
        guard !receives else { return picture.surface.send(.setInputRegion(region: nil)) }
        let region = Proxy<WlRegion>(application.connection, version: application.globals.compositor.version)
        application.globals.compositor.send(.createRegion(id: region.id))
        picture.surface.send(.setInputRegion(region: region.id))
        region.send(.destroy)
    }

    /// Puts the layer directly in front of another one of the window.
    func place(above other: Layer) { role?.send(.placeAbove(sibling: other.picture.surface.id)) }

    func move(to point: Point) {
        guard point != origin else { return }
        origin = point
        role?.send(.setPosition(x: Int32(point.x), y: Int32(point.y)))
    }

    func hide() {
        picture.clear()
        state = nil
        backing = nil
    }

    // MARK: Pictures

    /// Shows the colour alone.
    func showColor(_ new: LayerState) throws(SurfaceError) {
        guard let color = new.color else { return }
        if new.isFilled {
            picture.show(color, alpha: new.alpha, size: new.size)
            backing = nil
        } else {
            let store = try store(for: new)
            store.pixels(bounds: new.bounds, dirtyRect: new.bounds).fill(color)
            try compose(store, new)
        }
        state = new
    }

    /// Draws a part of the picture again, or all of it when it lies differently.
    func draw(_ new: LayerState, dirty: Rect?, _ body: (PixelBuffer) -> Void) throws(SurfaceError) {
        guard new != state || dirty != nil else { return }
        if new.isUpright {
            backing = nil
            try drawUpright(new, dirty: new == state ? dirty : nil, body)
        } else {
            try drawBacked(new, dirty: dirty, body)
        }
        state = new
    }

    private func drawUpright(_ new: LayerState, dirty: Rect?, _ body: (PixelBuffer) -> Void) throws(SurfaceError) {
        let (width, height) = try pixels(new.size, new.scale)
        let buffer = try picture.takeBuffer(width: width, height: height)
        var part = dirty ?? new.bounds
        let pixels: PixelBuffer
        if dirty != nil, let last = picture.last, last.width == width, last.height == height {
            if last !== buffer { buffer.copy(last) }
            pixels = buffer.pixels(scale: new.scale, bounds: new.bounds, dirtyRect: part)
            pixels.fill(part, new.color ?? .clear)
        } else {
            part = new.bounds
            buffer.clear()
            pixels = buffer.pixels(scale: new.scale, bounds: new.bounds, dirtyRect: part)
            if let color = new.color { pixels.fill(part, color) }
        }
        body(pixels)
        picture.show(buffer, size: new.size, damage: pixels.pixels(of: part))
    }

    private func drawBacked(_ new: LayerState, dirty: Rect?, _ body: (PixelBuffer) -> Void) throws(SurfaceError) {
        let isNew =
            backing == nil || state?.bounds != new.bounds || state?.color != new.color
            || state?.scale != new.scale
        let store = try store(for: new)
        if let part = isNew ? new.bounds : dirty {
            let pixels = store.pixels(bounds: new.bounds, dirtyRect: part)
            pixels.fill(part, new.color ?? .clear)
            body(pixels)
        }
        try compose(store, new)
    }

    private func compose(_ store: BackingStore, _ new: LayerState) throws(SurfaceError) {
        let (width, height) = try pixels(new.size, new.scale)
        let buffer = try picture.takeBuffer(width: width, height: height)
        buffer.clear()
        let scale = new.scale
        let toPixels = AffineTransform.scale(x: 1 / scale, y: 1 / scale)
            .then(.translation(x: new.bounds.minX, y: new.bounds.minY)).then(new.placement)
            .then(.scale(x: scale, y: scale))
        let clip = new.clip.map {
            Rect(x: $0.minX * scale, y: $0.minY * scale, width: $0.width * scale, height: $0.height * scale)
        }
        unsafe store.withImage { source in
            unsafe buffer.withImage { target in
                unsafe PixmanImage.draw(
                    source, into: target, size: Size(width: Double(width), height: Double(height)), toPixels,
                    alpha: new.alpha, clip: clip)
            }
        }
        picture.show(buffer, size: new.size, damage: (0..<width, 0..<height))
    }

    private func store(for new: LayerState) throws(SurfaceError) -> BackingStore {
        let (width, height) = try pixels(new.bounds.size, new.scale)
        if let backing, backing.width == width, backing.height == height, backing.scale == new.scale { return backing }
        let store = BackingStore(width: width, height: height, scale: new.scale)
        backing = store
        return store
    }

    private func pixels(_ size: Size, _ scale: Double) throws(SurfaceError) -> (width: Int, height: Int) {
        let (width, height) = ((size.width * scale).rounded(.up), (size.height * scale).rounded(.up))
        guard width >= 1, height >= 1, width <= 16_384, height <= 16_384 else {
            throw .invalidSize(width: size.width, height: size.height, scale: scale)
        }
        return (Int(width), Int(height))
    }
}
