// zwp_relative_pointer_manager_v1 and zwp_relative_pointer_v1

import MullionGeometry
import MullionWayland
import WindowModel

/// zwp_relative_pointer_manager_v1: reports motion that positions do not show.
final class RelativePointerManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpRelativePointerManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getRelativePointer(let id, let pointer):
            let seat = try connection.resource(pointer, as: PointerResource.self).seat
            _ = try RelativePointerResource(client, id: id, version: version, seat: seat)
        }
    }
}

/// zwp_relative_pointer_v1: reports how far the pointer was moved, even at screen edges and while it is locked.
final class RelativePointerResource: SeatObject {
    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.relativePointers.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpRelativePointerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    override func willDestroy() { owner.relativePointers.remove(self) }

    /// - Parameters:
    ///   - delta: points; injected motion is not accelerated.
    ///   - time: microseconds.
    func move(_ delta: Point, _ time: UInt64) {
        let (dx, dy) = (Fixed(rounding: delta.x), Fixed(rounding: delta.y))
        send(
            ZwpRelativePointerV1.Event.relativeMotion(
                utimeHi: UInt32(truncatingIfNeeded: time >> 32), utimeLo: UInt32(truncatingIfNeeded: time), dx: dx,
                dy: dy, dxUnaccel: dx, dyUnaccel: dy))
    }
}
