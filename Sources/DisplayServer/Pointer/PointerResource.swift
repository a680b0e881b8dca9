// wl_pointer

import MullionGeometry
import MullionWayland
import WindowModel

/// wl_pointer: sends events to one object of a client, according to its version.
final class PointerResource: SeatObject {
    /// The serial of the last enter: a client must name it to set a cursor.
    var enterSerial: UInt32?
    private var vertical = PointerAxis()
    private var horizontal = PointerAxis()

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.pointers.add(self)
        seat.pointer.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlPointer.Request.self, opcode, &reader) {
        case .setCursor(let serial, let surface, let x, let y):
            let surface = try connection.resource(surface, as: SurfaceResource.self)
            try setCursor(surface, hotspot: Point(x: Double(x), y: Double(y)), serial)
        case .release: destroy()
        }
    }

    override func willDestroy() { owner.pointers.remove(self) }

    /// W5: the role is always checked and assigned; but only the client under the pointer determines the image.
    private func setCursor(_ surface: SurfaceResource?, hotspot: Point, _ serial: UInt32) throws(ProtocolError) {
        let cursor = seat.pointer.cursor
        guard let surface else {
            if isEntered(serial) { cursor.set(nil) }
            return
        }
        let role = surface.role as? CursorRole ?? CursorRole(surface, cursor)
        if surface.role == nil || surface.role !== role {
            try surface.setRole(role, errorOn: id, code: WlPointer.Error.role.rawValue)
        }
        guard isEntered(serial) || cursor.isCurrent(role) else { return }
        role.move(to: cursor)
        role.hotspot = hotspot
        cursor.set(role)
    }

    /// Only the client under the pointer determines the image.
    func setCursor(_ shape: CursorShape, _ serial: UInt32) {
        if isEntered(serial) { seat.pointer.cursor.set(shape) }
    }

    /// Moves the pointer within the surface under it, unless a lock or a confinement keeps it where it is.
    func warp(to point: Point, on surface: SurfaceResource, _ serial: UInt32) {
        let pointer = seat.pointer
        guard isEntered(serial), pointer.surface === surface else { return }
        if let constraint = pointer.constraint, constraint.holdsStill || !constraint.contains(point) { return }
        pointer.warp(to: point, on: surface)
    }

    private func isEntered(_ serial: UInt32) -> Bool {
        serial == enterSerial && seat.pointer.surface?.connection === connection
    }

    // MARK: Events

    /// - Parameter motionTime: in milliseconds; sends a motion to the same place, too.
    func enter(_ surface: SurfaceResource, _ x: Fixed, _ y: Fixed, serial: UInt32, motionTime: UInt32? = nil) {
        enterSerial = serial
        send(WlPointer.Event.enter(serial: serial, surface: surface.id, surfaceX: x, surfaceY: y))
        if let motionTime { send(WlPointer.Event.motion(time: motionTime, surfaceX: x, surfaceY: y)) }
        endFrame()
    }

    func leave(_ surface: SurfaceResource, serial: UInt32) {
        (vertical, horizontal) = (PointerAxis(), PointerAxis())
        send(WlPointer.Event.leave(serial: serial, surface: surface.id))
    }

    /// wl_pointer.frame, since version 5.
    func endFrame() {
        if version >= 5 { send(WlPointer.Event.frame) }
    }

    /// A scrolling step, and the end of a sequence, each as a group of events.
    func scroll(_ scroll: Event.Scroll, _ phase: Event.Phase, _ time: UInt32) {
        if phase == .began { (vertical, horizontal) = (PointerAxis(), PointerAxis()) }
        if phase != .cancelled {
            let down = vertical.move(scroll.deltaY, scroll.stepsY, version: version)
            let right = horizontal.move(scroll.deltaX, scroll.stepsX, version: version)
            if down != nil || right != nil {
                sendSource(scroll.source)
                if let down { axis(.verticalScroll, down, time) }
                if let right { axis(.horizontalScroll, right, time) }
                endFrame()
            }
        }
        guard phase == .ended || phase == .cancelled, version >= 5, vertical.isMoving || horizontal.isMoving
        else { return }
        sendSource(scroll.source)
        if vertical.isMoving { send(WlPointer.Event.axisStop(time: time, axis: .verticalScroll)) }
        if horizontal.isMoving { send(WlPointer.Event.axisStop(time: time, axis: .horizontalScroll)) }
        (vertical.isMoving, horizontal.isMoving) = (false, false)
        endFrame()
    }

    private func sendSource(_ source: Event.Scroll.Source) {
        guard version >= 5 else { return }
        let source: WlPointer.AxisSource =
            switch source {
            case .wheel: .wheel
            case .finger: .finger
            case .continuous: .continuous
            }
        send(WlPointer.Event.axisSource(axisSource: source))
    }

    private func axis(_ axis: WlPointer.Axis, _ step: PointerAxis.Step, _ time: UInt32) {
        if version >= 8, step.value120 != 0 {
            send(WlPointer.Event.axisValue120(axis: axis, value120: step.value120))
        } else if 5..<8 ~= version, step.value120 / 120 != 0 {
            send(WlPointer.Event.axisDiscrete(axis: axis, discrete: step.value120 / 120))
        }
        send(WlPointer.Event.axis(time: time, axis: axis, value: Fixed(rounding: step.delta)))
    }
}

/// One axis of scrolling, as sent to one wl_pointer.
struct PointerAxis {
    struct Step {
        /// In points.
        var delta: Double
        /// In 1/120 of a wheel's click.
        var value120: Int32
    }

    /// Whether motion was sent without its end.
    var isMoving = false
    /// Parts of a click that were not sent yet.
    private var rest = Step(delta: 0, value120: 0)

    /// Adds a step, and returns what is to be sent, if anything. Versions 5 to 7 only know whole clicks, each sent with
    /// its complete distance.
    mutating func move(_ delta: Double, _ value120: Int32, version: UInt32) -> Step? {
        guard delta != 0 || value120 != 0 else { return nil }
        guard value120 != 0, 5..<8 ~= version else {
            isMoving = true
            return Step(delta: delta, value120: value120)
        }
        // Turning the wheel back starts again from zero.
        if (rest.value120 < 0) != (value120 < 0) { rest = Step(delta: 0, value120: 0) }
        let (sum, overflow) = rest.value120.addingReportingOverflow(value120)
        rest = Step(delta: rest.delta + delta, value120: overflow ? value120 : sum)
        guard abs(Int(rest.value120)) >= 120 else { return nil }
        let whole = rest
        rest = Step(delta: 0, value120: whole.value120 % 120)
        isMoving = true
        return whole
    }
}
