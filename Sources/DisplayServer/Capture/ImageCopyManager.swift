// ext_image_copy_capture_manager_v1 and ext_image_copy_capture_cursor_session_v1

import MullionWayland
import WindowModel

/// ext_image_copy_capture_manager_v1: creates sessions.
final class ImageCopyManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtImageCopyCaptureManagerV1.Request.self, opcode, &reader) {
        case .createSession(let id, let source, let options):
            let source = try connection.resource(source, as: CaptureSourceResource.self).source
            guard options.rawValue & ~ExtImageCopyCaptureManagerV1.Options.paintCursors.rawValue == 0 else {
                throw ProtocolError(
                    object: self.id, code: ExtImageCopyCaptureManagerV1.Error.invalidOption.rawValue,
                    message: "\(options.rawValue) is not an option; use 0 or 1 (paint_cursors)")
            }
            let context = ImageCopyContext(.source(source, hasCursor: options.contains(.paintCursors)))
            _ = try ImageCopySessionResource(client, id: id, version: version, context)
        case .createPointerCursorSession(let id, let source, let pointer):
            let source = try connection.resource(source, as: CaptureSourceResource.self).source
            let seat = try connection.resource(pointer, as: PointerResource.self).seat
            _ = try ImageCopyCursorResource(client, id: id, version: version, seat: seat, over: source)
        case .destroy: destroy()
        }
    }
}

/// ext_image_copy_capture_cursor_session_v1: follows a seat's cursor over a source.
final class ImageCopyCursorResource: SeatObject {
    let source: CaptureSource
    /// Whether there was a session for the picture; there is only one.
    var hasSession = false
    /// Nil while the cursor does not overlap the source.
    var sent: CursorPlace?
    /// Counts as one of the client's sessions.
    private let history = CaptureHistory()

    init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, over source: CaptureSource
    ) throws(ProtocolError) {
        self.source = source
        try client.checkCaptureSessions(for: id)
        try super.init(client, id: id, version: version, seat: seat)
        history.join(client)
        server.captures.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtImageCopyCaptureCursorSessionV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getCaptureSession(let session):
            guard !hasSession else {
                throw ProtocolError(
                    object: id, code: ExtImageCopyCaptureCursorSessionV1.Error.duplicateSession.rawValue,
                    message: "a cursor has one session; use the first one")
            }
            hasSession = true
            let context = ImageCopyContext(.cursor(seat.id, over: source))
            _ = try ImageCopySessionResource(client, id: session, version: version, context)
        }
    }

    override func willDestroy() {
        server.captures.remove(self)
        history.leave(client)
    }

    /// Sends what has changed.
    func update() {
        let place = server.isCurrent(source) ? server.cursorPlace(of: seat, over: source) : nil
        guard place != sent else { return }
        let old = sent
        sent = place
        guard let place else { return send(ExtImageCopyCaptureCursorSessionV1.Event.leave) }
        if old == nil { send(ExtImageCopyCaptureCursorSessionV1.Event.enter) }
        if old?.x != place.x || old?.y != place.y {
            send(ExtImageCopyCaptureCursorSessionV1.Event.position(x: place.x, y: place.y))
        }
        if old?.hotspotX != place.hotspotX || old?.hotspotY != place.hotspotY {
            send(ExtImageCopyCaptureCursorSessionV1.Event.hotspot(x: place.hotspotX, y: place.hotspotY))
        }
    }
}

extension Client {
    /// Checks that the client may have another session.
    func checkCaptureSessions(for id: ObjectID) throws(ProtocolError) {
        let limit = transport.limits.screenCopies
        guard captureHistories < limit else {
            throw ProtocolError(.noMemory, object: id, message: "limit reached: \(limit) sessions of captures")
        }
    }
}
