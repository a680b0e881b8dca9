// wl_seat and wl_touch

import Wayland
import WindowModel

/// A client's input objects.
final class ClientSeat {
    var pointers: [PointerResource] = []
    var relativePointers: [RelativePointerResource] = []
    var gestures: [PointerGestureResource] = []
    var keyboards: [KeyboardResource] = []
    var touches: [TouchResource] = []
    /// Of the client's layout, once it was wanted.
    var keyboardState: KeyboardState?
    /// How many it plays.
    var virtualKeyboards = 0
}

/// wl_seat: pointer, keyboard and touch are always there.
final class SeatResource: Resource {
    static func bind(_ client: Client, _ id: ObjectID, _ version: UInt32) throws(ProtocolError) {
        let seat = try SeatResource(client, id: id, version: version)
        seat.send(WlSeat.Event.capabilities(capabilities: [.pointer, .keyboard, .touch]))
        if version >= 2 { seat.send(WlSeat.Event.name(name: Seat.name)) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlSeat.Request.self, opcode, &reader) {
        case .getPointer(let id): _ = try PointerResource(client, id: id, version: version)
        case .getKeyboard(let id): _ = try KeyboardResource(client, id: id, version: version)
        case .getTouch(let id): _ = try TouchResource(client, id: id, version: version)
        case .release: destroy()
        }
    }
}

final class TouchResource: Resource {
    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        try client.checkBindings(client.seat.touches.count)
        client.seat.touches.append(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlTouch.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() { client.seat.touches.removeAll { $0 === self } }
}
