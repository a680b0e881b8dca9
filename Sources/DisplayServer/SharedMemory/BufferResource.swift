// wl_buffer in shared memory, and what a surface shows of it.

import Compositor
import Wayland
import WindowModel

/// wl_buffer: a rectangle of pixels in a pool.
final class BufferResource: Resource {
    fileprivate let memory: SharedMemory
    fileprivate let offset: Int
    let width: Int32
    let height: Int32
    fileprivate let stride: Int32
    let format: PixelFormat
    /// How many `AttachedBuffer`s read it: surfaces that show it and drawings under way.
    fileprivate var uses = 0

    init(
        _ client: Client, id: ObjectID, version: UInt32, memory: SharedMemory, offset: Int, width: Int32,
        height: Int32, stride: Int32, format: PixelFormat
    ) throws(ProtocolError) {
        self.memory = memory
        self.offset = offset
        self.width = width
        self.height = height
        self.stride = stride
        self.format = format
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlBuffer.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    /// Gives back a buffer that was committed and never shown.
    func releaseIfUnused(unless next: SurfaceState.Attachment = .unchanged) {
        if case .buffer(let same) = next, same === self { return }
        if uses == 0 { send(WlBuffer.Event.release) }
    }
}

/// A buffer as one commit showed it. The buffer is released when the last of these is gone: the surface went on to
/// another buffer, and no drawing reads this one any more.
final class AttachedBuffer: PixelContents {
    let buffer: BufferResource
    let scale: Int32
    let bufferTransform: BufferTransform
    let opaqueRegion: Region?

    init(_ buffer: BufferResource, scale: Int32, transform: BufferTransform, opaqueRegion: Region?) {
        self.buffer = buffer
        self.scale = scale
        bufferTransform = transform
        self.opaqueRegion = opaqueRegion
        buffer.uses += 1
    }

    deinit {
        buffer.uses -= 1
        if buffer.uses == 0, buffer.isAlive { buffer.client.release(buffer) }
    }

    var format: PixelFormat { buffer.format }
    var width: Int { Int(buffer.width) }
    var height: Int { Int(buffer.height) }
    var stride: Int { Int(buffer.stride) }
    var bufferScale: Int { Int(scale) }

    /// The size of the surface in points.
    var size: Size {
        let width = Double(buffer.width) / Double(scale)
        let height = Double(buffer.height) / Double(scale)
        return bufferTransform.swapsAxes ? Size(width: height, height: width) : Size(width: width, height: height)
    }

    func withPixels(_ body: (UnsafeRawPointer) -> Void) -> Bool {
        buffer.memory.read(offset: buffer.offset, count: stride * height, body)
    }
}
