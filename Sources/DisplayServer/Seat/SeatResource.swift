// wl_seat and wl_touch

import MullionWayland
import WindowModel

/// wl_seat: always has a pointer, a keyboard and touch.
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

/// wl_touch: receives the touches that begin after it was made.
final class TouchResource: SeatObject {
    /// The number of touches that had begun on the seat when it was made.
    private let since: UInt64
    /// Whether events were sent without the end of their frame.
    private var isFrameOpen = false

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        since = seat.touch.count
        try super.init(client, id: id, version: version, seat: seat)
        try owner.touches.add(self)
    }

    /// Whether it was sent the beginning of the touch; it receives nothing of other touches (E1).
    func knows(_ finger: UInt64) -> Bool { finger > since }

    func sendInFrame(_ event: WlTouch.Event) {
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
