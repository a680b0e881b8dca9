// zwp_pointer_gestures_v1 and its three kinds of gestures

import MullionWayland
import WindowModel

/// zwp_pointer_gestures_v1: reports fingers that move together.
final class PointerGesturesResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPointerGesturesV1.Request.self, opcode, &reader) {
        case .getSwipeGesture(let id, let pointer): try add(.swipe, id, pointer)
        case .getPinchGesture(let id, let pointer): try add(.pinch, id, pointer)
        case .getHoldGesture(let id, let pointer): try add(.hold, id, pointer)
        case .release: destroy()
        }
    }

    private func add(_ kind: PointerGestureKind, _ id: ObjectID, _ pointer: ObjectID) throws(ProtocolError) {
        let seat = try connection.resource(pointer, as: PointerResource.self).seat
        _ = try PointerGestureResource(client, id: id, version: version, seat: seat, kind: kind)
    }
}

/// zwp_pointer_gesture_swipe_v1, zwp_pointer_gesture_pinch_v1 or zwp_pointer_gesture_hold_v1.
final class PointerGestureResource: SeatObject {
    let kind: PointerGestureKind
    /// Whether a beginning was sent without an end.
    private(set) var isRunning = false

    init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, kind: PointerGestureKind
    ) throws(ProtocolError) {
        self.kind = kind
        try super.init(client, id: id, version: version, seat: seat)
        try owner.gestures.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch kind {
        case .swipe:
            switch try decode(ZwpPointerGestureSwipeV1.Request.self, opcode, &reader) {
            case .destroy: destroy()
            }
        case .pinch:
            switch try decode(ZwpPointerGesturePinchV1.Request.self, opcode, &reader) {
            case .destroy: destroy()
            }
        case .hold:
            switch try decode(ZwpPointerGestureHoldV1.Request.self, opcode, &reader) {
            case .destroy: destroy()
            }
        }
    }

    override func willDestroy() { owner.gestures.remove(self) }

    // MARK: Events

    func begin(on surface: SurfaceResource, fingers: UInt32, _ serial: UInt32, _ time: UInt32) {
        isRunning = true
        let surface = surface.id
        switch kind {
        case .swipe:
            send(ZwpPointerGestureSwipeV1.Event.begin(serial: serial, time: time, surface: surface, fingers: fingers))
        case .pinch:
            send(ZwpPointerGesturePinchV1.Event.begin(serial: serial, time: time, surface: surface, fingers: fingers))
        case .hold:
            send(ZwpPointerGestureHoldV1.Event.begin(serial: serial, time: time, surface: surface, fingers: fingers))
        }
    }

    /// - Parameter turn: clockwise since the last event, in radians; the wire has degrees.
    func update(_ gesture: Event.TransformGesture, turnedBy turn: Double, _ time: UInt32) {
        let (dx, dy) = (Fixed(rounding: gesture.deltaX), Fixed(rounding: gesture.deltaY))
        switch kind {
        case .swipe: send(ZwpPointerGestureSwipeV1.Event.update(time: time, dx: dx, dy: dy))
        case .pinch:
            send(
                ZwpPointerGesturePinchV1.Event.update(
                    time: time, dx: dx, dy: dy, scale: Fixed(rounding: gesture.scale),
                    rotation: Fixed(rounding: turn * 180 / .pi)))
        case .hold: break  // A hold does not move.
        }
    }

    func end(isCancelled: Bool, _ serial: UInt32, _ time: UInt32) {
        isRunning = false
        let cancelled: Int32 = isCancelled ? 1 : 0
        switch kind {
        case .swipe: send(ZwpPointerGestureSwipeV1.Event.end(serial: serial, time: time, cancelled: cancelled))
        case .pinch: send(ZwpPointerGesturePinchV1.Event.end(serial: serial, time: time, cancelled: cancelled))
        case .hold: send(ZwpPointerGestureHoldV1.Event.end(serial: serial, time: time, cancelled: cancelled))
        }
    }
}
