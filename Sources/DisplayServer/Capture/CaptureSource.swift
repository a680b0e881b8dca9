// What clients name as the subject of captures.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// The subject of an ext_image_capture_source_v1.
enum CaptureSource: Hashable, Codable {
    /// It was gone when the source was made.
    case nothing
    case screen(Screen.ID)
    /// A listed window, until it is unlisted: `round` is as in `ForeignToplevel`.
    case toplevel(Window.ID, round: UInt32)

    func view(cursor: Bool) -> CaptureView? {
        switch self {
        case .nothing: nil
        case .screen(let id): .screen(id, cursor: cursor)
        case .toplevel(let id, _): CaptureView(subject: .window(id, withPopups: false), hasCursor: cursor)
        }
    }
}

extension DisplayServer {
    /// Whether the source still exists.
    func isCurrent(_ source: CaptureSource) -> Bool {
        switch source {
        case .nothing: false
        case .screen(let id): model.screen(id) != nil
        case .toplevel(let id, let round): foreignToplevels.toplevel(id)?.round == round
        }
    }

    /// The pixels per point of its pictures.
    func pictureScale(of source: CaptureSource) -> Double {
        switch source {
        case .nothing: 1
        case .screen(let id): model.screen(id)?.scale ?? 1
        case .toplevel(let id, _): pictureScale(of: id)
        }
    }

    /// Where a seat's cursor is over a source, in upright pixels of its picture; nil while it does not overlap it.
    func cursorPlace(of seat: ServerSeat, over source: CaptureSource) -> CursorPlace? {
        let (cursor, scale) = (seat.pointer.cursor, pictureScale(of: source))
        guard let picture = cursor.picture(scale: scale) else { return nil }
        let point: Point
        let size: Size
        switch source {
        case .nothing: return nil
        case .screen(let id):
            guard let screen = model.screen(id), let location = cursor.location(on: id) else { return nil }
            (point, size) = (location, screen.bounds.size)
        case .toplevel(let id, _):
            guard let location = cursor.location(in: id), let frame = model.frame(of: id) else { return nil }
            (point, size) = (location, frame.size)
        }
        func pixel(_ value: Double) -> Int { Int(Int32(clamped: (value * scale).rounded())) }
        let (x, y) = (pixel(point.x), pixel(point.y))
        let image = IntRect(
            x: x - picture.hotspot.x, y: y - picture.hotspot.y, width: picture.width, height: picture.height)
        let whole = IntRect(
            nearest: Rect(x: 0, y: 0, width: size.width * scale, height: size.height * scale))
        guard image.intersects(whole) else { return nil }
        return CursorPlace(
            x: Int32(clamping: x), y: Int32(clamping: y), hotspotX: Int32(clamping: picture.hotspot.x),
            hotspotY: Int32(clamping: picture.hotspot.y))
    }
}

/// The position and the hotspot of a cursor, in pixels.
struct CursorPlace: Equatable, Codable {
    var x: Int32
    var y: Int32
    var hotspotX: Int32
    var hotspotY: Int32
}

/// ext_output_image_capture_source_manager_v1: makes sources of outputs.
final class OutputSourceManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtOutputImageCaptureSourceManagerV1.Request.self, opcode, &reader) {
        case .createSource(let id, let output):
            let screen = try connection.resource(output, as: OutputResource.self).screen
            _ = try CaptureSourceResource(client, id: id, version: 1, screen.map { .screen($0) } ?? .nothing)
        case .destroy: destroy()
        }
    }
}

/// ext_foreign_toplevel_image_capture_source_manager_v1: makes sources of windows.
final class ToplevelSourceManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtForeignToplevelImageCaptureSourceManagerV1.Request.self, opcode, &reader) {
        case .createSource(let id, let handle):
            let handle = try connection.resource(handle, as: ForeignToplevelListHandle.self)
            let toplevel = handle.sent
            _ = try CaptureSourceResource(
                client, id: id, version: 1,
                handle.isClosed ? .nothing : .toplevel(toplevel.window, round: toplevel.round))
        case .destroy: destroy()
        }
    }
}

/// ext_image_capture_source_v1: identifies the screen or window to capture.
final class CaptureSourceResource: Resource {
    let source: CaptureSource

    init(_ client: Client, id: ObjectID, version: UInt32, _ source: CaptureSource) throws(ProtocolError) {
        self.source = source
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtImageCaptureSourceV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }
}
