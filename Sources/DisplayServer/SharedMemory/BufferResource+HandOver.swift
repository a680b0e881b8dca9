// Pools and buffers for a server that takes over.

import Compositor
import MullionWayland

extension ShmResource: RestorableGlobal {
    typealias Interface = WlShm
}

extension SinglePixelManagerResource: RestorableGlobal {
    typealias Interface = WpSinglePixelBufferManagerV1
}

extension BufferResource: Restorable {
    enum SavedState: FixedSizeState {
        case shared(memory: Int?, offset: Int, width: Int32, height: Int32, stride: Int32, format: PixelFormat)
        case pixel(UInt32)

        func buffer(_ id: ObjectID, _ reader: HandOverReader) throws -> BufferResource {
            switch self {
            case .pixel(let argb): return try BufferResource(reader.client, id: id, version: 1, argb: argb)
            case .shared(let place, let offset, let width, let height, let stride, let format):
                let memory = try reader.memory(place)
                guard let offset = Int32(exactly: offset),
                    BufferResource.fits(
                        offset: offset, width: width, height: height, stride: stride, in: memory.size)
                else { throw HandOverError("buffer \(id) does not fit in its pool") }
                return try BufferResource(
                    reader.client, id: id, version: 1, memory: memory, offset: offset, width: width,
                    height: height, stride: stride, format: format)
            }
        }
    }

    static var interfaces: [any WaylandInterface.Type] { [WlBuffer.self] }
    static var restorationPhase: RestorationPhase { .buffers }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        switch storage {
        case .pixel(let argb): return .pixel(argb)
        case .shared(let memory, let offset):
            return .shared(
                memory: try writer.memory(memory), offset: Int(offset), width: width, height: height, stride: stride,
                format: format)
        }
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try state.buffer(id, reader)
    }
}

extension ShmPoolResource: Restorable {
    struct SavedState: FixedSizeState {
        /// The place among the client's memories; nil: blank.
        var memory: Int?
    }

    static var interfaces: [any WaylandInterface.Type] { [WlShmPool.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        SavedState(memory: try writer.memory(memory))
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try ShmPoolResource(reader.client, id: id, version: version, memory: reader.memory(state.memory))
    }
}
