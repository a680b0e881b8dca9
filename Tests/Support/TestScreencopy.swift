// zwlr_screencopy_manager_v1 as a client sees it.

import Compositor
import Glibc
import MullionSystem
import MullionWayland

/// A manager of screen copies.
public final class TestScreencopy {
    public let manager: Proxy<ZwlrScreencopyManagerV1>
    private let client: TestClient

    public init(_ client: TestClient, version: UInt32 = ZwlrScreencopyManagerV1.version) throws {
        self.client = client
        manager = try client.bind(ZwlrScreencopyManagerV1.self, version: version)
    }

    /// A picture of an output, or of a part in its points; nothing is copied yet.
    public func frame(
        of output: Proxy<WlOutput>, cursor: Bool = false, part: (Int32, Int32, Int32, Int32)? = nil
    ) -> TestScreenFrame {
        let frame = TestScreenFrame(client, version: manager.version)
        let overlay: Int32 = cursor ? 1 : 0
        if let (x, y, width, height) = part {
            manager.send(
                .captureOutputRegion(
                    frame: frame.proxy.id, overlayCursor: overlay, output: output.id, x: x, y: y, width: width,
                    height: height))
        } else {
            manager.send(.captureOutput(frame: frame.proxy.id, overlayCursor: overlay, output: output.id))
        }
        return frame
    }
}

/// zwlr_screencopy_frame_v1 with its buffer; every event is a line: "buffer 1 800x600 3200", "ready".
public final class TestScreenFrame {
    public let proxy: Proxy<ZwlrScreencopyFrameV1>
    public private(set) var lines: [String] = []
    /// The announced size in pixels.
    public private(set) var size: (width: Int, height: Int) = (0, 0)
    /// The reported damage, in pixels of the buffer.
    public private(set) var damage: [IntRect] = []
    /// When it was shown, in microseconds.
    public private(set) var time: UInt64?
    private let client: TestClient
    fileprivate var memory: OwnedDescriptor?

    init(_ client: TestClient, version: UInt32) {
        self.client = client
        proxy = Proxy(client.connection, version: version)
        proxy.onEvent = { [weak self] event in self?.receive(event) }
    }

    private func receive(_ event: ZwlrScreencopyFrameV1.Event) {
        switch event {
        case .buffer(let format, let width, let height, let stride):
            size = (Int(width), Int(height))
            lines.append("buffer \(format.rawValue) \(width)x\(height) \(stride)")
        case .bufferDone: lines.append("done")
        case .flags(let flags): lines.append("flags \(flags.rawValue)")
        case .damage(let x, let y, let width, let height):
            damage.append(IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
            lines.append("damage \(x),\(y) \(width)x\(height)")
        case .ready(let high, let low, let nanoseconds):
            time = (UInt64(high) << 32 + UInt64(low)) * 1_000_000 + UInt64(nanoseconds) / 1000
            lines.append("ready")
        case .failed: lines.append("failed")
        case .linuxDmabuf: lines.append("dmabuf")
        }
    }

    public var isReady: Bool { lines.last == "ready" }
    public var hasFailed: Bool { lines.last == "failed" }

    /// Takes the events since the last call.
    public func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// A buffer as announced, all of one colour.
    public func buffer(filledWith argb: UInt32 = 0xff12_3456) throws -> Proxy<WlBuffer> {
        let (width, height) = (Int32(size.width), Int32(size.height))
        let memory = try client.memoryFile(words: size.width * size.height, filledWith: argb)
        let copy = OwnedDescriptor(dup(memory.rawValue))
        self.memory = memory
        return try client.buffer(of: copy, width: width, height: height)
    }

    /// Requests the copy, into a buffer of its own unless another is given.
    public func copy(waiting: Bool = false, to buffer: Proxy<WlBuffer>? = nil) throws {
        let buffer = try buffer ?? self.buffer()
        proxy.send(waiting ? .copyWithDamage(buffer: buffer.id) : .copy(buffer: buffer.id))
    }

    /// The contents of its own buffer, without alpha.
    public func pixels() throws -> [UInt32] {
        guard let memory else { throw FixtureError("there is no buffer") }
        var pixels = [UInt32](repeating: 0, count: size.width * size.height)
        let count = pixels.withUnsafeMutableBytes { pread(memory.rawValue, $0.baseAddress, $0.count, 0) }
        guard count == pixels.count * 4 else { throw FixtureError("the buffer has become short") }
        return pixels.map { $0 & 0xffffff }
    }
}

extension TestScreenFrame {
    /// The first pixel of each row of its own buffer, without alpha.
    public func firstColumn() throws -> [UInt32] {
        guard let memory else { throw FixtureError("there is no buffer") }
        return (0..<size.height).map { row in
            var pixel: UInt32 = 0
            pread(memory.rawValue, &pixel, 4, row * size.width * 4)
            return pixel & 0xffffff
        }
    }
}

extension TestClient {
    /// A buffer of xrgb8888 pixels that fills its memory.
    public func buffer(of memory: OwnedDescriptor, width: Int32, height: Int32) throws -> Proxy<WlBuffer> {
        let pool = Proxy<WlShmPool>(connection, version: 1)
        shm.send(.createPool(id: pool.id, fd: memory, size: width * height * 4))
        let buffer = Proxy<WlBuffer>(connection, version: 1)
        pool.send(
            .createBuffer(
                id: buffer.id, offset: 0, width: width, height: height, stride: width * 4, format: .xrgb8888))
        pool.send(.destroy)
        return buffer
    }
}
