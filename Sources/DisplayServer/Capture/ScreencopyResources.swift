// zwlr_screencopy_manager_v1 and zwlr_screencopy_frame_v1

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// zwlr_screencopy_manager_v1: creates captures, in native pixels (S4).
final class ScreencopyManagerResource: Resource {
    private let history = CaptureHistory()

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        let limit = connection.transport.limits.screenCopies
        guard client.captureHistories < limit else {
            throw ProtocolError(.noMemory, object: id, message: "limit reached: \(limit) managers of screen copies")
        }
        history.join(client)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrScreencopyManagerV1.Request.self, opcode, &reader) {
        case .captureOutput(let frame, let cursor, let output):
            try begin(frame, of: output, hasCursor: cursor != 0) { $0.nativeBounds }
        case .captureOutputRegion(let frame, let cursor, let output, let x, let y, let width, let height):
            let part = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
            try begin(frame, of: output, hasCursor: cursor != 0) { $0.toPixels.apply(to: part) }
        case .destroy: destroy()
        }
    }

    override func willDestroy() { history.leave(client) }

    private func begin(
        _ id: ObjectID, of output: ObjectID, hasCursor: Bool, _ area: (Screen) -> Rect
    ) throws(ProtocolError) {
        let screen = try connection.resource(output, as: OutputResource.self).screen.flatMap { server.model.screen($0) }
        let subject = screen.map { screen in
            let whole = IntRect(nearest: screen.nativeBounds)
            return ScreencopyFrameResource.Subject(
                screen: screen.id, hasCursor: hasCursor, whole: whole,
                area: IntRect(nearest: area(screen)).intersection(whole))
        }
        let frame = try ScreencopyFrameResource(client, id: id, version: version, history: history, subject: subject)
        frame.describe()
    }
}

/// zwlr_screencopy_frame_v1: a capture of a screen or of a part, copied to the client's memory in slices, so that other
/// clients are served in between.
final class ScreencopyFrameResource: Resource {
    /// The subject of the capture.
    struct Subject: Codable {
        var screen: Screen.ID
        var hasCursor: Bool
        /// The whole framebuffer; if the mode changes, the capture fails.
        var whole: IntRect
        /// The part to copy, in native pixels.
        var area: IntRect
    }

    /// Nil when there is nothing to capture.
    let subject: Subject?
    private let history: CaptureHistory
    /// Whether the copy was requested; only one is allowed.
    var isUsed = false
    private var copy: Copy?

    /// A pending copy.
    private struct Copy {
        let session: CaptureSession
        let buffer: CaptureBuffer
        let waitsForChange: Bool
        /// The damage that it began with.
        var damage: Region?
        /// When the screen showed the picture, in microseconds.
        var time: UInt64 = 0
        var nextRow = 0
    }

    init(
        _ client: Client, id: ObjectID, version: UInt32, history: CaptureHistory, subject: Subject?
    ) throws(ProtocolError) {
        self.history = history
        self.subject = subject.flatMap { $0.area.isEmpty ? nil : $0 }
        try super.init(client, id: id, version: version)
        history.join(client)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrScreencopyFrameV1.Request.self, opcode, &reader) {
        case .copy(let buffer): try copy(to: buffer, waitsForChange: false)
        case .copyWithDamage(let buffer): try copy(to: buffer, waitsForChange: true)
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        endCopy(isWhole: false)
        history.leave(client)
    }

    /// Announces the supported buffers.
    func describe() {
        guard let area = subject?.area else { return fail() }
        send(
            ZwlrScreencopyFrameV1.Event.buffer(
                format: .xrgb8888, width: UInt32(area.width), height: UInt32(area.height),
                stride: UInt32(area.width * 4)))
        if version >= 3 { send(ZwlrScreencopyFrameV1.Event.bufferDone) }
    }

    private func copy(to id: ObjectID, waitsForChange: Bool) throws(ProtocolError) {
        let buffer = try connection.resource(id, as: BufferResource.self)
        guard !isUsed else { throw error(.alreadyUsed, "a frame is copied once") }
        isUsed = true
        // The client has been sent failed, or is about to read it.
        guard let subject else { return }
        let area = subject.area
        guard case .shared = buffer.storage, buffer.format == .xrgb8888, Int(buffer.width) == area.width,
            Int(buffer.height) == area.height, Int(buffer.stride) == area.width * 4
        else {
            throw error(
                .invalidBuffer,
                "a \(buffer.width)x\(buffer.height) buffer with format \(buffer.format.rawValue) and stride "
                    + "\(buffer.stride) is not what was announced: \(area.width)x\(area.height), wl_shm's format 1 "
                    + "(xrgb8888) with stride \(area.width * 4)")
        }
        let limit = connection.transport.limits.screenCopies
        guard client.screenCopies < limit else {
            throw ProtocolError(
                .noMemory, object: self.id, message: "limit reached: \(limit) copies of screens at once")
        }
        let view = CaptureView.screen(subject.screen, cursor: subject.hasCursor)
        let session = history.session(of: view, area: area, for: client)
        copy = Copy(
            session: session, buffer: CaptureBuffer(buffer: buffer, area: area), waitsForChange: waitsForChange)
        client.screenCopies += 1
        server.captures.add(self, of: session)
    }

    private func endCopy(isWhole: Bool) {
        guard let copy else { return }
        self.copy = nil
        client.screenCopies -= 1
        if !isWhole { server.captures.remove(self, of: copy.session, damage: copy.damage) }
    }

    private func error(_ code: ZwlrScreencopyFrameV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

extension ScreencopyFrameResource: CaptureRequest {
    private var area: IntRect { subject?.area ?? .empty }

    var waitsForChange: Bool { copy?.waitsForChange ?? false }

    func begin(_ renderer: Renderer, damage: Region, at time: UInt64) {
        copy?.damage = damage
        copy?.time = time
        guard let whole = subject?.whole, (renderer.width, renderer.height) == (whole.width, whole.height) else {
            return fail()
        }
    }

    var directArea: IntRect? { copy?.buffer.isAligned == true ? area : nil }

    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool {
        // The copy has failed, or the client has destroyed it.
        guard let copy else { return true }
        let count = min(max(1, maximumPixels / area.width), area.height - copy.nextRow)
        let rows = copy.nextRow..<copy.nextRow + count
        guard copy.buffer.write(rows, of: renderer) else {
            fail()
            return true
        }
        self.copy?.nextRow = rows.upperBound
        guard rows.upperBound == area.height else { return false }
        finish()
        return true
    }

    func fail() {
        endCopy(isWhole: false)
        send(ZwlrScreencopyFrameV1.Event.failed)
    }

    private func finish() {
        guard let copy else { return }
        endCopy(isWhole: true)
        send(ZwlrScreencopyFrameV1.Event.flags(flags: []))
        for rectangle in copy.waitsForChange ? copy.damage?.rectangles ?? [] : [] {
            send(
                ZwlrScreencopyFrameV1.Event.damage(
                    x: UInt32(rectangle.minX - area.minX), y: UInt32(rectangle.minY - area.minY),
                    width: UInt32(rectangle.width), height: UInt32(rectangle.height)))
        }
        let time = SplitTime(microseconds: copy.time)
        send(
            ZwlrScreencopyFrameV1.Event.ready(
                tvSecHi: time.secondsHigh, tvSecLo: time.secondsLow, tvNsec: time.nanoseconds))
    }
}
