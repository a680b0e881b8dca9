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

/// wl_touch: told of the fingers that began since it was made, from their beginning to their end.
final class TouchResource: SeatObject {
    /// How many fingers had gone down on the seat when it was made.
    private let since: UInt64
    /// Whether it was told something and not the end of that frame.
    private var isFrameOpen = false

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        since = seat.touch.count
        try super.init(client, id: id, version: version, seat: seat)
        try owner.touches.add(self)
    }

    /// Whether it was told that the finger went down: the others are none of its (E1).
    func knows(_ finger: UInt64) -> Bool { finger > since }

    func tell(_ event: WlTouch.Event) {
        isFrameOpen = true
        send(event)
    }

    func endFrame() {
        guard isFrameOpen else { return }
        isFrameOpen = false
        send(WlTouch.Event.frame)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlTouch.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() { owner.touches.remove(self) }
}
