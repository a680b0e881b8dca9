// wl_seat, wl_pointer and wl_touch

import Wayland
import WindowModel

/// A client's input objects.
final class ClientSeat {
    var pointers: [PointerResource] = []
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

final class PointerResource: Resource {
    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        try client.checkBindings(client.seat.pointers.count)
        client.seat.pointers.append(self)
        server.seat.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlPointer.Request.self, opcode, &reader) {
        case .setCursor(_, let surface, _, _):
            guard let surface = try connection.resource(surface, as: SurfaceResource.self) else { return }
            guard surface.role is CursorRole == false else { return }
            try surface.setRole(CursorRole(), errorOn: id, code: WlPointer.Error.role.rawValue)
        case .release: destroy()
        }
    }

    override func willDestroy() { client.seat.pointers.removeAll { $0 === self } }

    /// wl_pointer.frame, from version 5 on.
    func endFrame() {
        if version >= 5 { send(WlPointer.Event.frame) }
    }

    func scroll(_ scroll: Event.Scroll, _ phase: Event.Phase, _ time: UInt32) {
        if version >= 5 {
            let source: WlPointer.AxisSource =
                switch scroll.source {
                case .wheel: .wheel
                case .finger: .finger
                case .continuous: .continuous
                }
            send(WlPointer.Event.axisSource(axisSource: source))
        }
        axis(.verticalScroll, scroll.deltaY, scroll.stepsY, phase, time)
        axis(.horizontalScroll, scroll.deltaX, scroll.stepsX, phase, time)
    }

    private func axis(_ axis: WlPointer.Axis, _ delta: Double, _ steps: Int32, _ phase: Event.Phase, _ time: UInt32) {
        if phase == .ended || phase == .cancelled {
            if version >= 5 { send(WlPointer.Event.axisStop(time: time, axis: axis)) }
            return
        }
        guard delta != 0 || steps != 0 else { return }
        if steps != 0 {
            if version >= 8 {
                send(WlPointer.Event.axisValue120(axis: axis, value120: steps))
            } else if version >= 5, steps / 120 != 0 {
                send(WlPointer.Event.axisDiscrete(axis: axis, discrete: steps / 120))
            }
        }
        send(WlPointer.Event.axis(time: time, axis: axis, value: Fixed(rounding: delta)))
    }
}

/// A surface that shows a cursor: never part of a window.
final class CursorRole: SurfaceRole {
    static let roleName = "a cursor"
    var containingWindow: Window.ID? { nil }
    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {}
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
