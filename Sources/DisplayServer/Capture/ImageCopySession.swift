// ext_image_copy_capture_session_v1

import Compositor
import MullionWayland
import WindowModel

/// What a session captures.
enum ImageCopySubject: Hashable, Codable {
    case source(CaptureSource, hasCursor: Bool)
    /// The cursor by itself, in the scale of the source.
    case cursor(Seat.ID, over: CaptureSource)

    var source: CaptureSource {
        switch self {
        case .source(let source, _), .cursor(_, let source): source
        }
    }

    /// wl_shm's formats of buffers, the best first. A screen's picture has no alpha.
    var formats: [PixelFormat] {
        if case .source(.screen, _) = self { [.xrgb8888] } else { [.argb8888, .xrgb8888] }
    }
}

/// The state that a session shares with its frames, which can outlive it.
final class ImageCopyContext {
    let subject: ImageCopySubject
    let history = CaptureHistory()
    /// The size of buffers as last announced, in pixels.
    var size: IntRect?
    var isStopped = false
    /// Whether a frame was captured successfully: the next ones wait for a change.
    var hasCaptured = false
    /// The frame that exists.
    weak var frame: ImageCopyFrameResource?
    /// Nil once the client has destroyed it.
    weak var session: ImageCopySessionResource?

    init(_ subject: ImageCopySubject) { self.subject = subject }

    /// What is captured now; nil when the source is gone.
    func view(_ server: DisplayServer) -> CaptureView? {
        guard server.isCurrent(subject.source) else { return nil }
        switch subject {
        case .source(let source, let hasCursor): return source.view(cursor: hasCursor)
        case .cursor(let seat, let source):
            return CaptureView(subject: .cursor(seat, scale: server.pictureScale(of: source)))
        }
    }
}

/// ext_image_copy_capture_session_v1: announces what buffers must be like, and creates one frame at a time.
final class ImageCopySessionResource: Resource {
    let context: ImageCopyContext

    init(_ client: Client, id: ObjectID, version: UInt32, _ context: ImageCopyContext) throws(ProtocolError) {
        self.context = context
        try client.checkCaptureSessions(for: id)
        try super.init(client, id: id, version: version)
        context.history.join(client)
        context.session = self
        server.captures.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtImageCopyCaptureSessionV1.Request.self, opcode, &reader) {
        case .createFrame(let frame):
            guard context.frame?.isAlive != true else {
                throw ProtocolError(
                    object: id, code: ExtImageCopyCaptureSessionV1.Error.duplicateFrame.rawValue,
                    message: "a session has one frame; destroy the previous one first")
            }
            _ = try ImageCopyFrameResource(client, id: frame, version: version, context)
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        server.captures.remove(self)
        context.history.leave(client)
    }

    /// Sends what has changed.
    func update() {
        guard !context.isStopped else { return }
        guard let view = context.view(server) else {
            context.isStopped = true
            context.frame?.stop()
            send(ExtImageCopyCaptureSessionV1.Event.stopped)
            return
        }
        // While there is no picture, such as of an empty window, the last announcement remains.
        guard let size = server.pictureSize(of: view), size != context.size else { return }
        context.size = size
        send(
            ExtImageCopyCaptureSessionV1.Event.bufferSize(width: UInt32(size.width), height: UInt32(size.height)))
        for format in context.subject.formats {
            send(ExtImageCopyCaptureSessionV1.Event.shmFormat(format: WlShm.Format(rawValue: format.rawValue)))
        }
        send(ExtImageCopyCaptureSessionV1.Event.done)
    }
}
