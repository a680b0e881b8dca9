// A client's pointer with all that extends it; every event is a line.

import MullionWayland

/// Records its events, in order: "enter 9 50.0,50.0", "frame", "relative 3.0,4.0", "locked".
public final class TestPointer {
    public let seat: Proxy<WlSeat>
    public let pointer: Proxy<WlPointer>
    /// The serial of the last enter.
    public private(set) var enterSerial: UInt32 = 0
    /// The serials of all events that have one, in order.
    public private(set) var serials: [UInt32] = []
    private var lines: [String] = []
    private let client: TestClient

    public init(_ client: TestClient, version: UInt32 = WlSeat.version, seat index: Int = 0) throws {
        self.client = client
        seat = try client.seat(index, version: version)
        pointer = Proxy(client.connection, version: version)
        seat.send(.getPointer(id: pointer.id))
        pointer.onEvent = { [weak self] in self?.receive($0) }
    }

    private func receive(_ event: WlPointer.Event) {
        switch event {
        case .enter(let serial, let surface, let x, let y):
            enterSerial = serial
            serials.append(serial)
            lines.append("enter \(surface) \(x.double),\(y.double)")
        case .leave(let serial, let surface):
            serials.append(serial)
            lines.append("leave \(surface)")
        case .motion(_, let x, let y): lines.append("motion \(x.double),\(y.double)")
        case .button(let serial, _, let button, let state):
            serials.append(serial)
            lines.append("button \(button) \(state.rawValue)")
        case .axis(_, let axis, let value): lines.append("axis \(axis.rawValue) \(value.double)")
        case .frame: lines.append("frame")
        case .axisSource(let source): lines.append("source \(source.rawValue)")
        case .axisStop(_, let axis): lines.append("stop \(axis.rawValue)")
        case .axisDiscrete(let axis, let steps): lines.append("discrete \(axis.rawValue) \(steps)")
        case .axisRelativeDirection(let axis, let direction): lines.append("direction \(axis) \(direction)")
        case .axisValue120(let axis, let value): lines.append("value120 \(axis.rawValue) \(value)")
        }
    }

    /// Takes the events since the last call.
    public func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    // MARK: Relative motion

    @discardableResult
    public func relative() throws -> Proxy<ZwpRelativePointerV1> {
        let manager = try client.bind(ZwpRelativePointerManagerV1.self)
        let relative = Proxy<ZwpRelativePointerV1>(client.connection, version: 1)
        manager.send(.getRelativePointer(id: relative.id, pointer: pointer.id))
        relative.onEvent = { [weak self] event in
            guard case .relativeMotion(_, _, let dx, let dy, let rawX, let rawY) = event else { return }
            self?.lines.append("relative \(dx.double),\(dy.double)" + (dx == rawX && dy == rawY ? "" : " accelerated"))
        }
        manager.send(.destroy)
        return relative
    }

    // MARK: Constraints

    public func lock(
        _ surface: Proxy<WlSurface>, region: Proxy<WlRegion>? = nil,
        _ lifetime: ZwpPointerConstraintsV1.Lifetime = .persistent
    ) throws -> Proxy<ZwpLockedPointerV1> {
        let manager = try client.bind(ZwpPointerConstraintsV1.self)
        let lock = Proxy<ZwpLockedPointerV1>(client.connection, version: 1)
        manager.send(
            .lockPointer(
                id: lock.id, surface: surface.id, pointer: pointer.id, region: region?.id, lifetime: lifetime))
        lock.onEvent = { [weak self] event in
            switch event {
            case .locked: self?.lines.append("locked")
            case .unlocked: self?.lines.append("unlocked")
            }
        }
        manager.send(.destroy)
        return lock
    }

    public func confine(
        _ surface: Proxy<WlSurface>, region: Proxy<WlRegion>? = nil,
        _ lifetime: ZwpPointerConstraintsV1.Lifetime = .persistent
    ) throws -> Proxy<ZwpConfinedPointerV1> {
        let manager = try client.bind(ZwpPointerConstraintsV1.self)
        let confinement = Proxy<ZwpConfinedPointerV1>(client.connection, version: 1)
        manager.send(
            .confinePointer(
                id: confinement.id, surface: surface.id, pointer: pointer.id, region: region?.id, lifetime: lifetime))
        confinement.onEvent = { [weak self] event in
            switch event {
            case .confined: self?.lines.append("confined")
            case .unconfined: self?.lines.append("unconfined")
            }
        }
        manager.send(.destroy)
        return confinement
    }

    // MARK: Gestures

    public func swipe() throws -> Proxy<ZwpPointerGestureSwipeV1> {
        let manager = try client.bind(ZwpPointerGesturesV1.self)
        let gesture = Proxy<ZwpPointerGestureSwipeV1>(client.connection, version: 2)
        manager.send(.getSwipeGesture(id: gesture.id, pointer: pointer.id))
        gesture.onEvent = { [weak self] event in
            switch event {
            case .begin(_, _, let surface, let fingers): self?.lines.append("swipe begin \(surface) \(fingers)")
            case .update(_, let dx, let dy): self?.lines.append("swipe \(dx.double),\(dy.double)")
            case .end(_, _, let cancelled): self?.lines.append("swipe end \(cancelled)")
            }
        }
        manager.send(.release)
        return gesture
    }

    public func pinch() throws -> Proxy<ZwpPointerGesturePinchV1> {
        let manager = try client.bind(ZwpPointerGesturesV1.self)
        let gesture = Proxy<ZwpPointerGesturePinchV1>(client.connection, version: 2)
        manager.send(.getPinchGesture(id: gesture.id, pointer: pointer.id))
        gesture.onEvent = { [weak self] event in
            switch event {
            case .begin(_, _, let surface, let fingers): self?.lines.append("pinch begin \(surface) \(fingers)")
            case .update(_, let dx, let dy, let scale, let turn):
                self?.lines.append("pinch \(dx.double),\(dy.double) \(scale.double) \(turn.double)")
            case .end(_, _, let cancelled): self?.lines.append("pinch end \(cancelled)")
            }
        }
        manager.send(.release)
        return gesture
    }

    public func hold() throws -> Proxy<ZwpPointerGestureHoldV1> {
        let manager = try client.bind(ZwpPointerGesturesV1.self)
        let gesture = Proxy<ZwpPointerGestureHoldV1>(client.connection, version: 3)
        manager.send(.getHoldGesture(id: gesture.id, pointer: pointer.id))
        gesture.onEvent = { [weak self] event in
            switch event {
            case .begin(_, _, let surface, let fingers): self?.lines.append("hold begin \(surface) \(fingers)")
            case .end(_, _, let cancelled): self?.lines.append("hold end \(cancelled)")
            }
        }
        manager.send(.release)
        return gesture
    }

    // MARK: Cursor

    /// Makes a surface of one colour the cursor.
    public func setCursor(
        _ argb: UInt32, width: Int32, height: Int32, hotspot: (x: Int32, y: Int32) = (0, 0), serial: UInt32? = nil
    ) throws -> Proxy<WlSurface> {
        let surface = client.surface()
        try client.attach(argb, width: width, height: height, to: surface)
        surface.send(.commit)
        pointer.send(
            .setCursor(
                serial: serial ?? enterSerial, surface: surface.id, hotspotX: hotspot.x, hotspotY: hotspot.y))
        return surface
    }
}

extension TestClient {
    /// A virtual pointer, on an output or on all.
    public func virtualPointer(on output: Proxy<WlOutput>? = nil) throws -> Proxy<ZwlrVirtualPointerV1> {
        let manager = try bind(ZwlrVirtualPointerManagerV1.self)
        let pointer = Proxy<ZwlrVirtualPointerV1>(connection, version: 2)
        if let output {
            manager.send(.createVirtualPointerWithOutput(seat: nil, output: output.id, id: pointer.id))
        } else {
            manager.send(.createVirtualPointer(seat: nil, id: pointer.id))
        }
        manager.send(.destroy)
        return pointer
    }
}
