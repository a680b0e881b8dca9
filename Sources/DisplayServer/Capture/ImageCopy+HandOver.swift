// Captures of screens, windows and cursors, for a server that takes over.

import Compositor
import MullionWayland
import WindowModel

extension OutputSourceManagerResource: RestorableGlobal {
    typealias Interface = ExtOutputImageCaptureSourceManagerV1
}

extension ToplevelSourceManagerResource: RestorableGlobal {
    typealias Interface = ExtForeignToplevelImageCaptureSourceManagerV1
}

extension ImageCopyManagerResource: RestorableGlobal {
    typealias Interface = ExtImageCopyCaptureManagerV1
}

extension CaptureSourceResource: Restorable {
    struct SavedState: FixedSizeState {
        var source: CaptureSource
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtImageCaptureSourceV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(source: source) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try CaptureSourceResource(reader.client, id: id, version: version, state.source)
    }
}

extension ImageCopyCursorResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var source: CaptureSource
        var hasSession: Bool
        var sent: CursorPlace?
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtImageCopyCaptureCursorSessionV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, source: source, hasSession: hasSession, sent: sent)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try ImageCopyCursorResource(
            reader.client, id: id, version: version, seat: reader.seat(state.seat), over: state.source)
        object.hasSession = state.hasSession
        object.sent = state.sent
    }
}

extension ImageCopySessionResource: Restorable {
    struct SavedState: FixedSizeState {
        var subject: ImageCopySubject
        var size: IntRect?
        var isStopped: Bool
        var hasCaptured: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtImageCopyCaptureSessionV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            subject: context.subject, size: context.size, isStopped: context.isStopped,
            hasCaptured: context.hasCaptured)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let context = ImageCopyContext(state.subject)
        context.size = state.size
        context.isStopped = state.isStopped
        context.hasCaptured = state.hasCaptured
        _ = try ImageCopySessionResource(reader.client, id: id, version: version, context)
    }
}

extension ImageCopyFrameResource: Restorable {
    struct SavedState: ObjectState {
        /// Nil once the client has destroyed it.
        var session: ObjectID?
        var buffer: ObjectID?
        var hasBuffer: Bool
        var bufferDamage: [IntRect]
        var isCaptured: Bool

        var variableSize: Int { bufferDamage.count * 16 }
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtImageCopyCaptureFrameV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }
    /// After the sessions.
    static func restorationOrder(of state: SavedState) -> Int { 1 }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            session: context.session?.isAlive == true ? context.session?.id : nil,
            buffer: buffer?.isAlive == true ? buffer?.id : nil, hasBuffer: hasBuffer,
            bufferDamage: bufferDamage.rectangles, isCaptured: isCaptured)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let session = try reader.resource(state.session, as: ImageCopySessionResource.self)
        let context = session?.context ?? ImageCopyContext(.source(.nothing, hasCursor: false))
        let object = try ImageCopyFrameResource(reader.client, id: id, version: version, context)
        object.buffer = try reader.resource(state.buffer, as: BufferResource.self)
        object.hasBuffer = state.hasBuffer
        for rectangle in state.bufferDamage { object.bufferDamage.add(rectangle) }
        object.isCaptured = state.isCaptured
    }
}
