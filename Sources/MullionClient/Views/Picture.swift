// What a surface shows: pixels or a colour.

import MullionGeometry
import MullionWayland

/// The content of one wl_surface, stretched to its size in points by a viewport.
@MainActor final class Picture {
    let surface: Proxy<WlSurface>
    private let application: Application
    private let viewport: Proxy<WpViewport>
    private var buffers = BufferRing()
    private var size = Size.zero
    /// The buffer of a colour.
    private var colorBuffer: Proxy<WlBuffer>?
    private var isEmpty = true
    /// Whether something was sent since the last commit.
    var needsCommit = false

    init(_ application: Application) {
        self.application = application
        surface = Proxy(application.connection, version: application.globals.compositor.version)
        application.globals.compositor.send(.createSurface(id: surface.id))
        let viewporter = application.globals.viewporter
        viewport = Proxy(application.connection, version: viewporter.version)
        viewporter.send(.getViewport(id: viewport.id, surface: surface.id))
    }

    /// The pixels shown last; nil when they cannot be the base of new ones.
    var last: SharedBuffer? { buffers.last }

    /// A buffer to draw into.
    func takeBuffer(width: Int, height: Int) throws(SurfaceError) -> SharedBuffer {
        try buffers.take(application, width: width, height: height)
    }

    /// Shows a buffer.
    /// - Parameters:
    ///   - size: in whole points.
    ///   - damage: the changed pixels.
    func show(_ buffer: SharedBuffer, size: Size, damage: (columns: Range<Int>, rows: Range<Int>)) {
        releaseColor()
        surface.send(.attach(buffer: buffer.proxy.id, x: 0, y: 0))
        surface.send(
            .damageBuffer(
                x: Int32(damage.columns.lowerBound), y: Int32(damage.rows.lowerBound),
                width: Int32(damage.columns.count), height: Int32(damage.rows.count)))
        buffers.didAttach(buffer)
        stretch(to: size)
        isEmpty = false
        needsCommit = true
    }

    /// Shows a colour, without memory (C2).
    func show(_ color: Color, alpha: Double, size: Size) {
        let factory = application.globals.singlePixel
        let buffer = Proxy<WlBuffer>(application.connection, version: factory.version)
        func share(_ component: Double) -> UInt32 {
            UInt32((component * color.alpha * alpha * Double(UInt32.max)).rounded())
        }
        factory.send(
            .createU32RgbaBuffer(
                id: buffer.id, r: share(color.red), g: share(color.green), b: share(color.blue), a: share(1)))
        releaseColor()
        colorBuffer = buffer
        buffers.didAttach(nil)
        surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        surface.send(.damageBuffer(x: 0, y: 0, width: 1, height: 1))
        stretch(to: size)
        isEmpty = false
        needsCommit = true
    }

    /// Shows nothing.
    func clear() {
        guard !isEmpty else { return }
        isEmpty = true
        releaseColor()
        surface.send(.attach(buffer: nil, x: 0, y: 0))
        buffers.didAttach(nil)
        needsCommit = true
    }

    func commit() {
        surface.send(.commit)
        buffers.didCommit()
        needsCommit = false
    }

    func destroy() {
        releaseColor()
        viewport.send(.destroy)
        surface.send(.destroy)
        buffers = BufferRing()
    }

    private func stretch(to size: Size) {
        guard size != self.size else { return }
        self.size = size
        viewport.send(.setDestination(width: Int32(size.width), height: Int32(size.height)))
    }

    private func releaseColor() {
        colorBuffer?.send(.destroy)
        colorBuffer = nil
    }
}
