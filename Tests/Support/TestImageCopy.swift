// ext_image_copy_capture_manager_v1 as a client sees it.

import Compositor
import Glibc
import MullionSystem
import MullionWayland

/// The managers of captures and of their sources.
public final class TestImageCopy {
    public let manager: Proxy<ExtImageCopyCaptureManagerV1>
    public let outputs: Proxy<ExtOutputImageCaptureSourceManagerV1>
    public let toplevels: Proxy<ExtForeignToplevelImageCaptureSourceManagerV1>
    private let client: TestClient

    public init(_ client: TestClient) throws {
        self.client = client
        manager = try client.bind(ExtImageCopyCaptureManagerV1.self)
        outputs = try client.bind(ExtOutputImageCaptureSourceManagerV1.self)
        toplevels = try client.bind(ExtForeignToplevelImageCaptureSourceManagerV1.self)
    }

    public func source(of output: Proxy<WlOutput>) -> Proxy<ExtImageCaptureSourceV1> {
        let source = Proxy<ExtImageCaptureSourceV1>(client.connection, version: 1)
        outputs.send(.createSource(source: source.id, output: output.id))
        return source
    }

    public func source(of handle: Proxy<ExtForeignToplevelHandleV1>) -> Proxy<ExtImageCaptureSourceV1> {
        let source = Proxy<ExtImageCaptureSourceV1>(client.connection, version: 1)
        toplevels.send(.createSource(source: source.id, toplevelHandle: handle.id))
        return source
    }

    public func session(_ source: Proxy<ExtImageCaptureSourceV1>, cursor: Bool = false) -> TestImageSession {
        let session = TestImageSession(client)
        manager.send(
            .createSession(session: session.proxy.id, source: source.id, options: cursor ? .paintCursors : []))
        return session
    }

    /// Follows a pointer over a source; every event is a line of `lines`.
    public func cursor(
        over source: Proxy<ExtImageCaptureSourceV1>, of pointer: Proxy<WlPointer>
    ) -> TestCursorSession {
        let cursor = TestCursorSession(client)
        manager.send(
            .createPointerCursorSession(session: cursor.proxy.id, source: source.id, pointer: pointer.id))
        return cursor
    }
}

/// ext_image_copy_capture_session_v1; every event is a line: "size 80x60", "format 1", "done".
public final class TestImageSession {
    public let proxy: Proxy<ExtImageCopyCaptureSessionV1>
    public private(set) var lines: [String] = []
    /// The announced size in pixels.
    public private(set) var size: (width: Int, height: Int) = (0, 0)
    private let client: TestClient

    init(_ client: TestClient) {
        self.client = client
        proxy = Proxy(client.connection, version: 1)
        proxy.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .bufferSize(let width, let height):
                size = (Int(width), Int(height))
                lines.append("size \(width)x\(height)")
            case .shmFormat(let format): lines.append("format \(format.rawValue)")
            case .dmabufDevice, .dmabufFormat: lines.append("dmabuf")
            case .done: lines.append("done")
            case .stopped: lines.append("stopped")
            }
        }
    }

    /// Takes the events since the last call.
    public func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    public func frame() -> TestImageFrame {
        let frame = TestImageFrame(client, size)
        proxy.send(.createFrame(frame: frame.proxy.id))
        return frame
    }

    /// Creates a frame with a buffer of its own, and requests the copy.
    public func capture(_ format: WlShm.Format = .xrgb8888) throws -> TestImageFrame {
        let frame = frame()
        try frame.attach(format)
        frame.proxy.send(.capture)
        return frame
    }
}

/// ext_image_copy_capture_frame_v1 with its buffer; every event is a line.
public final class TestImageFrame {
    public let proxy: Proxy<ExtImageCopyCaptureFrameV1>
    public private(set) var lines: [String] = []
    /// The reported damage, in pixels of the buffer.
    public private(set) var damage: [IntRect] = []
    /// When it was shown, in microseconds.
    public private(set) var time: UInt64?
    private let client: TestClient
    private let size: (width: Int, height: Int)
    private var memory: OwnedDescriptor?

    init(_ client: TestClient, _ size: (width: Int, height: Int)) {
        self.client = client
        self.size = size
        proxy = Proxy(client.connection, version: 1)
        proxy.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .transform(let transform): lines.append("transform \(transform.rawValue)")
            case .damage(let x, let y, let width, let height):
                damage.append(IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
                lines.append("damage \(x),\(y) \(width)x\(height)")
            case .presentationTime(let high, let low, let nanoseconds):
                time = (UInt64(high) << 32 + UInt64(low)) * 1_000_000 + UInt64(nanoseconds) / 1000
                lines.append("time")
            case .ready: lines.append("ready")
            case .failed(let reason): lines.append("failed \(reason.rawValue)")
            }
        }
    }

    public var isReady: Bool { lines.last == "ready" }

    /// Attaches a new buffer, all of one colour.
    public func attach(
        _ format: WlShm.Format = .xrgb8888, filledWith argb: UInt32 = 0xff12_3456, extraStride: Int = 0,
        size other: (width: Int, height: Int)? = nil
    ) throws {
        let (width, height) = other ?? size
        let stride = width * 4 + extraStride
        let memory = try client.memoryFile(words: max(1, stride / 4 * height), filledWith: argb)
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        let copy = OwnedDescriptor(dup(memory.rawValue))
        client.shm.send(.createPool(id: pool.id, fd: copy, size: Int32(stride * height)))
        let buffer = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(
            .createBuffer(
                id: buffer.id, offset: 0, width: Int32(width), height: Int32(height), stride: Int32(stride),
                format: format))
        pool.send(.destroy)
        proxy.send(.attachBuffer(buffer: buffer.id))
        self.memory = memory
        rowWords = stride / 4
    }

    private var rowWords = 0

    /// The contents of its own buffer, with alpha.
    public func pixels() throws -> [UInt32] {
        guard let memory else { throw FixtureError("there is no buffer") }
        var pixels = [UInt32](repeating: 0, count: rowWords * size.height)
        let count = pixels.withUnsafeMutableBytes { pread(memory.rawValue, $0.baseAddress, $0.count, 0) }
        guard count == pixels.count * 4 else { throw FixtureError("the buffer has become short") }
        return (0..<size.height).flatMap { pixels[$0 * rowWords..<$0 * rowWords + size.width] }
    }

    /// The contents without alpha.
    public func colors() throws -> [UInt32] { try pixels().map { $0 & 0xff_ffff } }
}

/// ext_image_copy_capture_cursor_session_v1; every event is a line: "enter", "position 3,4", "hotspot 1,1", "leave".
public final class TestCursorSession {
    public let proxy: Proxy<ExtImageCopyCaptureCursorSessionV1>
    public private(set) var lines: [String] = []
    private let client: TestClient

    init(_ client: TestClient) {
        self.client = client
        proxy = Proxy(client.connection, version: 1)
        proxy.onEvent = { [weak self] event in
            switch event {
            case .enter: self?.lines.append("enter")
            case .leave: self?.lines.append("leave")
            case .position(let x, let y): self?.lines.append("position \(x),\(y)")
            case .hotspot(let x, let y): self?.lines.append("hotspot \(x),\(y)")
            }
        }
    }

    /// Takes the events since the last call.
    public func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    public func session() -> TestImageSession {
        let session = TestImageSession(client)
        proxy.send(.getCaptureSession(session: session.proxy.id))
        return session
    }
}
