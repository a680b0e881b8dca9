// Pools and buffers for a server that takes over.

import Compositor
import Wayland

extension BufferResource: HandedOver {
    enum Record: Codable {
        case shared(memory: Int, offset: Int, width: Int32, height: Int32, stride: Int32, format: PixelFormat)
        case pixel(UInt32)

        func make(_ id: ObjectID, _ reader: HandOverReader) throws -> BufferResource {
            switch self {
            case .pixel(let argb): return try BufferResource(reader.client, id: id, version: 1, argb: argb)
            case .shared(let place, let offset, let width, let height, let stride, let format):
                let memory = try reader.memory(place)
                guard width > 0, height > 0, (0...memory.size).contains(offset), stride > 0,
                    Int(stride) >= Int(width) * format.bytesPerPixel,
                    offset + Int(stride) * Int(height) <= memory.size
                else { throw HandOver.Refusal("buffer \(id) does not fit in its pool") }
                return try BufferResource(
                    reader.client, id: id, version: 1, memory: memory, offset: offset, width: width, height: height,
                    stride: stride, format: format)
            }
        }
    }

    func record(_ writer: HandOverWriter) throws(HandOver.Refusal) -> Record {
        switch storage {
        case .pixel(let argb): return .pixel(argb)
        case .shared(let memory, let offset):
            return .shared(
                memory: try writer.memory(memory), offset: offset, width: width, height: height, stride: stride,
                format: format)
        }
    }

    func record(in writer: HandOverWriter) throws(HandOver.Refusal) -> ObjectRecord.State {
        .buffer(try record(writer))
    }
}

extension ShmPoolResource: HandedOver {
    func record(in writer: HandOverWriter) throws(HandOver.Refusal) -> ObjectRecord.State {
        .pool(try writer.memory(memory))
    }
}
