// ext_image_copy_capture_frame_v1

import Compositor
import MullionWayland
import WindowModel

/// ext_image_copy_capture_frame_v1: one picture, copied to the client's memory in slices, so that other clients are
/// served in between.
final class ImageCopyFrameResource: Resource {
    /// Above this number, damage rectangles are replaced by their bounding box.
    private static let maximumRectangles = 16

    let context: ImageCopyContext
    var buffer: BufferResource?
    /// Whether a buffer was attached, even if it was destroyed since.
    var hasBuffer = false
    /// Where the buffer differs from the session's previous picture.
    let bufferDamage = Region()
    /// Whether the copy was requested; only one is allowed.
    var isCaptured = false
    private var copy: Copy?

    /// A pending copy.
    private struct Copy {
        let session: CaptureSession
        let buffer: CaptureBuffer
        let waitsForChange: Bool
        /// The damage that it began with.
        var damage: Region?
        /// The part of the buffer to update.
        var outdated = Region()
        /// When the picture was shown, in microseconds.
        var time: UInt64 = 0
        var nextRow: Int?
    }

    init(_ client: Client, id: ObjectID, version: UInt32, _ context: ImageCopyContext) throws(ProtocolError) {
        self.context = context
        try super.init(client, id: id, version: version)
        context.history.join(client)
        context.frame = self
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtImageCopyCaptureFrameV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .attachBuffer(let id):
            try checkNotCaptured()
            let attached: BufferResource = try connection.resource(id, as: BufferResource.self)
            buffer = attached
            hasBuffer = true
        case .damageBuffer(let x, let y, let width, let height):
            try checkNotCaptured()
            guard x >= 0, y >= 0, width > 0, height > 0 else {
                throw error(
                    .invalidBufferDamage,
                    "\(width)x\(height) at \(x),\(y) is not a part of a buffer; use a position of at least 0 and a "
                        + "size of at least 1")
            }
            bufferDamage.add(IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
            if bufferDamage.rectangleCount > Self.maximumRectangles { bufferDamage.add(bufferDamage.extents) }
        case .capture: try capture()
        }
    }

    override func willDestroy() {
        endCopy(isWhole: false)
        if context.frame === self { context.frame = nil }
        context.history.leave(client)
        buffer = nil
    }

    private func checkNotCaptured() throws(ProtocolError) {
        guard !isCaptured else { throw error(.alreadyCaptured, "a frame is captured once; create another one") }
    }

    private func capture() throws(ProtocolError) {
        try checkNotCaptured()
        guard hasBuffer else { throw error(.noBuffer, "a frame without a buffer cannot be captured; attach one first") }
        isCaptured = true
        guard !context.isStopped, let view = context.view(server) else { return fail(.stopped) }
        guard let buffer, buffer.isAlive, case .shared = buffer.storage, let area = context.size,
            context.subject.formats.contains(buffer.format), Int(buffer.width) == area.width,
            Int(buffer.height) == area.height,
            // Rows that overlap would overwrite each other.
            Int(buffer.stride) >= area.width * buffer.format.bytesPerPixel
        else { return fail(.bufferConstraints) }
        let limit = connection.transport.limits.screenCopies
        guard client.screenCopies < limit else {
            throw ProtocolError(.noMemory, object: id, message: "limit reached: \(limit) copies at once")
        }
        let session = context.history.session(of: view, area: area, for: client)
        copy = Copy(
            session: session, buffer: CaptureBuffer(buffer: buffer, area: area), waitsForChange: context.hasCaptured)
        client.screenCopies += 1
        server.captures.add(self, of: session)
    }

    /// Called when the session has stopped.
    func stop() {
        if copy != nil { fail(.stopped) }
    }

    private func fail(_ reason: ExtImageCopyCaptureFrameV1.FailureReason) {
        endCopy(isWhole: false)
        send(ExtImageCopyCaptureFrameV1.Event.failed(reason: reason))
    }

    private func endCopy(isWhole: Bool) {
        guard let copy else { return }
        self.copy = nil
        client.screenCopies -= 1
        if !isWhole { server.captures.remove(self, of: copy.session, damage: copy.damage) }
    }

    private func error(_ code: ExtImageCopyCaptureFrameV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

extension ImageCopyFrameResource: CaptureRequest {
    var waitsForChange: Bool { copy?.waitsForChange ?? false }

    func begin(_ renderer: Renderer, damage: Region, at time: UInt64) {
        guard let area = copy?.buffer.area else { return }
        copy?.damage = damage
        copy?.time = time
        // The next announcement is on its way.
        guard renderer.width == area.width, renderer.height == area.height else { return fail(.bufferConstraints) }
        let outdated = bufferDamage.copy()
        outdated.add(damage)
        outdated.intersect(area)
        copy?.outdated = outdated
    }

    var directArea: IntRect? {
        guard let copy, copy.buffer.isAligned else { return nil }
        // More than is outdated would be drawn.
        let extents = copy.outdated.extents
        return copy.outdated.area * 2 >= extents.area ? extents : nil
    }

    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool {
        // The copy has failed, or the client has destroyed it.
        guard let copy else { return true }
        let area = copy.buffer.area
        let part = copy.outdated.extents
        let start = copy.nextRow ?? Int(part.minY)
        let end = min(Int(part.maxY), start + max(1, maximumPixels / area.width))
        guard start >= end || copy.buffer.write(start..<end, of: renderer, only: copy.outdated) else {
            fail(.unknown)
            return true
        }
        self.copy?.nextRow = end
        guard end >= Int(part.maxY) else { return false }
        finish()
        return true
    }

    func fail() {
        fail(server.isCurrent(context.subject.source) && !context.isStopped ? .unknown : .stopped)
    }

    private func finish() {
        guard let copy else { return }
        endCopy(isWhole: true)
        context.hasCaptured = true
        send(ExtImageCopyCaptureFrameV1.Event.transform(transform: transform))
        for rectangle in copy.damage?.rectangles ?? [] {
            send(
                ExtImageCopyCaptureFrameV1.Event.damage(
                    x: rectangle.minX, y: rectangle.minY, width: Int32(rectangle.width),
                    height: Int32(rectangle.height)))
        }
        let time = SplitTime(microseconds: copy.time)
        send(
            ExtImageCopyCaptureFrameV1.Event.presentationTime(
                tvSecHi: time.secondsHigh, tvSecLo: time.secondsLow, tvNsec: time.nanoseconds))
        send(ExtImageCopyCaptureFrameV1.Event.ready)
    }

    /// A screen's picture is in native orientation, as wl_output describes it; all others are upright.
    private var transform: WlOutput.Transform {
        guard case .source(.screen(let id), _) = context.subject, let screen = server.model.screen(id) else {
            return .normal
        }
        return OutputState(screen.seen(by: client.rotationPolicy)).transform
    }
}
