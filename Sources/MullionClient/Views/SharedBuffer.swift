// Shared memory that the client draws into and the server reads: one wl_buffer each.

import CMullionPixman
import Glibc
import MullionGeometry
import MullionSystem
import MullionWayland

/// The memory of one picture. Releasing the last reference unmaps it and destroys the wl_buffer.
@MainActor @safe final class SharedBuffer {
    let width: Int
    let height: Int
    /// Whether the server may read it: from the commit until it sends release.
    var isBusy = false
    let proxy: Proxy<WlBuffer>
    private let memory: UnsafeMutableRawBufferPointer

    /// - Throws: `SurfaceError.noMemory`, or `.application` when the connection ends.
    init(_ application: Application, width: Int, height: Int) throws(SurfaceError) {
        self.width = width
        self.height = height
        let size = width * height * 4
        // Sealed against shrinking, so that the server can safely read it in place.
        let descriptor: OwnedDescriptor
        do throws(SystemError) {
            descriptor = try AnonymousFile.make("mullion-client", size: size)
        } catch {
            throw .noMemory(errno: error.code)
        }
        guard let start = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.rawValue, 0),
            unsafe start != MAP_FAILED
        else { throw .noMemory(errno: errno) }
        unsafe memory = UnsafeMutableRawBufferPointer(start: start, count: size)

        let shm = application.globals.shm
        let pool = Proxy<WlShmPool>(application.connection, version: shm.version)
        shm.send(.createPool(id: pool.id, fd: descriptor, size: Int32(size)))
        proxy = Proxy<WlBuffer>(application.connection, version: shm.version)
        pool.send(
            .createBuffer(
                id: proxy.id, offset: 0, width: Int32(width), height: Int32(height), stride: Int32(width * 4),
                format: .argb8888))
        pool.send(.destroy)
        proxy.onEvent = { [weak self] _ in self?.isBusy = false }
        // The server accepts few descriptors ahead of their messages, and this process may not have many open.
        guard application.connection.transport.descriptorCount >= 16 else { return }
        do throws(ApplicationError) { try application.send() } catch { throw .application(error) }
    }

    isolated deinit {
        proxy.send(.destroy)
        unsafe munmap(memory.baseAddress, memory.count)
    }

    /// The memory as pixels that show an area, in points.
    func pixels(scale: Double, bounds: Rect, dirtyRect: Rect) -> PixelBuffer {
        unsafe PixelBuffer(
            bytes: memory, width: width, height: height, scale: scale, bounds: bounds, dirtyRect: dirtyRect)
    }

    /// Makes all pixels transparent.
    func clear() { unsafe memory.initializeMemory(as: UInt8.self, repeating: 0) }

    /// Copies all pixels of a buffer of the same size.
    func copy(_ other: SharedBuffer) { unsafe memory.copyMemory(from: UnsafeRawBufferPointer(other.memory)) }

    /// Composes into the pixels with pixman.
    func withImage(_ body: (OpaquePointer) -> Void) { unsafe PixmanImage.with(memory, width, height, body) }
}

/// The buffers of one surface, drawn into in turn and reused once the server has released them.
@MainActor struct BufferRing {
    /// The most that are ever in use: one shown, one waiting for its parent, one in transit, one being drawn.
    private static let most = 4
    private var buffers: [SharedBuffer] = []
    /// Attached but not committed: the server does not read it yet, so it may be drawn again.
    private var attached: SharedBuffer?
    /// The one that was attached last, unless that was none.
    private(set) var last: SharedBuffer?

    /// A buffer of that size that the server does not read. It is `last` when that may be changed; otherwise `last`
    /// stays as it is.
    mutating func take(_ application: Application, width: Int, height: Int) throws(SurfaceError) -> SharedBuffer {
        func fits(_ buffer: SharedBuffer) -> Bool {
            !buffer.isBusy && buffer.width == width && buffer.height == height
        }
        func isFree(_ buffer: SharedBuffer) -> Bool { fits(buffer) && buffer !== last }
        if let attached, fits(attached) { return attached }
        if let free = buffers.first(where: isFree) { return free }
        if buffers.lazy.filter(\.isBusy).count >= Self.most - 1 {
            do throws(ApplicationError) { try application.collect() } catch { throw .application(error) }
            if let free = buffers.first(where: isFree) { return free }
            guard buffers.lazy.filter(\.isBusy).count < Self.most else { throw .buffersBusy }
        }
        let fresh = try SharedBuffer(application, width: width, height: height)
        buffers.append(fresh)
        return fresh
    }

    mutating func didAttach(_ buffer: SharedBuffer?) { (attached, last) = (buffer, buffer) }

    /// Called after a commit, which hands the attached buffer to the server; releases free buffers of another size.
    mutating func didCommit() {
        if let attached {
            attached.isBusy = true
            self.attached = nil
        }
        buffers.removeAll {
            !$0.isBusy && $0 !== last && ($0.width != last?.width || $0.height != last?.height)
        }
    }
}
