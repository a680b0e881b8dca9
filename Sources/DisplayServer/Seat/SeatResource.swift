// wl_seat and wl_touch

import Wayland
import WindowModel

/// wl_seat: pointer, keyboard and touch are always there.
final class SeatResource: SeatObject {
    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        send(WlSeat.Event.capabilities(capabilities: [.pointer, .keyboard, .touch]))
        if version >= 2 { send(WlSeat.Event.name(name: seat.name)) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlSeat.Request.self, opcode, &reader) {
        case .getPointer(let id): _ = try PointerResource(client, id: id, version: version, seat: seat)
        case .getKeyboard(let id): _ = try KeyboardResource(client, id: id, version: version, seat: seat)
        case .getTouch(let id): _ = try TouchResource(client, id: id, version: version, seat: seat)
        case .release: destroy()
        }
    }
}

final class TouchResource: SeatObject {
    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.touches.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlTouch.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() { owner.touches.remove(self) }
}
