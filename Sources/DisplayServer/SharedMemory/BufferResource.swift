// wl_buffer, and its use by surfaces.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// wl_buffer: a rectangle of pixels in a pool, or a single pixel.
final class BufferResource: Resource {
    let format: PixelFormat
    /// Whether its pixels count against its user. They do not if the object could not be registered.
    private var isCharged = false
    let width: Int32
    let height: Int32
    /// In bytes.
    let stride: Int32
    /// The number of `AttachedBuffer`s that read it: surfaces that show it and drawings in progress.
    fileprivate var uses: Int32 = 0
    let storage: Storage
    /// The icons that it is an image of.
    var icons: [ToplevelIconResource] = []

    enum Storage {
        /// In a pool, from this byte on.
        case shared(SharedMemory, offset: Int32)
        /// A premultiplied 0xAARRGGBB.
        case pixel(UInt32)
    }

    init(
        _ client: Client, id: ObjectID, version: UInt32, memory: SharedMemory, offset: Int32, width: Int32,
        height: Int32, stride: Int32, format: PixelFormat
    ) throws(ProtocolError) {
        storage = .shared(memory, offset: offset)
        self.width = width
        self.height = height
        self.stride = stride
        self.format = format
        if !memory.isBlank { try client.checkPixels(Int(width) * Int(height), errorOn: id) }
        try super.init(client, id: id, version: version)
        if !memory.isBlank { charge() }
    }

    deinit { if isCharged { client.account.pixels -= pixels } }

    private var pixels: Int { Int(width) * Int(height) }

    private func charge() {
        isCharged = true
        client.account.pixels += pixels
    }

    /// One pixel, a premultiplied 0xAARRGGBB.
    init(_ client: Client, id: ObjectID, version: UInt32, argb: UInt32) throws(ProtocolError) {
        storage = .pixel(argb)
        width = 1
        height = 1
        stride = 4
        format = argb >> 24 == 0xff ? .xrgb8888 : .argb8888
        try super.init(client, id: id, version: version)
        charge()
    }

    override var mayGoLater: Bool { true }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlBuffer.Request.self, opcode, &reader) {
        case .destroy:
            if let icon = icons.first { throw icon.bufferWasDestroyed(self) }
            destroy()
        }
    }

    /// Releases a buffer that was committed but never shown.
    func releaseIfUnused(unless next: SurfaceState.Attachment = .unchanged) {
        if case .buffer(let same) = next, same === self { return }
        if uses == 0 { send(WlBuffer.Event.release) }
    }

    /// Runs `body` with the first pixel of a part of the buffer, and the bytes from one of its rows to the next. What is
    /// beyond the pool is 0.
    /// - Returns: false when the client truncated the memory.
    func read(_ part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        switch storage {
        case .shared(let memory, let offset):
            let (stride, size) = (Int(stride), format.bytesPerPixel)
            let bytes = SharedMemory.Part(
                offset: Int(offset) + Int(part.minY) * stride + Int(part.minX) * size, length: part.width * size,
                rows: part.height, stride: stride)
            return unsafe memory.read(bytes, body)
        case .pixel(let argb):
            unsafe withUnsafePointer(to: argb) { unsafe body(UnsafeRawPointer($0), 4) }
            return true
        }
    }

    /// Whether a server accepts such a buffer: as every server with libwayland does, where the stride is at least the
    /// width, whatever the format. So rows may overlap, and the last ones may end beyond the pool.
    static func fits(offset: Int32, width: Int32, height: Int32, stride: Int32, in size: Int) -> Bool {
        offset >= 0 && width > 0 && height > 0 && stride >= width
            && Int(stride) * Int(height) <= min(size, Int(Int32.max)) - Int(offset)
    }
}

/// A buffer attached by a commit. The buffer is released with the last of these: the surface shows another buffer, and
/// no drawing reads this one.
final class AttachedBuffer: PixelContents {
    private(set) var buffer: BufferResource
    let layout: BufferLayout
    private let opaque: KeptRegion?

    init(_ buffer: BufferResource, layout: BufferLayout, opaqueRegion: KeptRegion?) {
        self.buffer = buffer
        self.layout = layout
        opaque = opaqueRegion
        buffer.uses += 1
    }

    deinit { Self.end(buffer) }

    private static func end(_ buffer: BufferResource) {
        buffer.uses -= 1
        if buffer.uses == 0, buffer.isAlive { buffer.client.release(buffer) }
    }

    /// Whether another buffer would be shown exactly like this one, with its own pixels.
    func isLike(_ other: BufferResource, _ layout: BufferLayout) -> Bool {
        buffer.width == other.width && buffer.height == other.height && buffer.format == other.format
            && self.layout == layout
    }

    /// Shows another buffer that `isLike` this one. Only for a surface whose contents no drawing reads.
    func replaceBuffer(by next: BufferResource) {
        let previous = buffer
        next.uses += 1
        buffer = next
        Self.end(previous)
    }

    var format: PixelFormat { buffer.format }
    var width: Int { Int(buffer.width) }
    var height: Int { Int(buffer.height) }
    var stride: Int { Int(buffer.stride) }
    var bufferScale: Int { Int(layout.scale) }
    var bufferTransform: BufferTransform { layout.transform }
    var opaqueRegion: Region? { opaque?.region }
    var viewport: Rect? { layout.viewport.source?.rect }
    var opacity: Double { layout.opacity == .max ? 1 : Double(layout.opacity) / Double(UInt32.max) }

    /// The size of the surface in points.
    var size: Size { layout.size(of: buffer) }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        unsafe buffer.read(part, body)
    }
}
