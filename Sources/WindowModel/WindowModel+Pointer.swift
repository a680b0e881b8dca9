// The pointer: motion and buttons with their implicit grab (E5, E7, K7).

import MullionGeometry

extension WindowModel {
    /// The first seat's pointer focus as of the last drain of effects or pointer motion.
    public var pointerFocus: PointerFocus? { seatNodes[0].focus }

    /// The same for any seat; nil for one that does not exist.
    public func pointerFocus(of seat: Seat.ID) -> PointerFocus? { seatNode(seat)?.focus }

    /// The position of the first seat's pointer, in points of the screen; nil before it first moves, and after its
    /// screen was unplugged.
    public var pointerLocation: (screen: Screen.ID, point: Point)? { pointerLocation(of: .first) }

    /// The same for any seat; nil for one that does not exist.
    public func pointerLocation(of seat: Seat.ID) -> (screen: Screen.ID, point: Point)? {
        guard let screen = input[seat].pointerScreen else { return nil }
        return (screen, input[seat].pointer)
    }

    /// Injects a position of the pointer of `screen`'s seat, in points of `screen`; `time` in microseconds. While a
    /// button is down, the event goes to the window where it was pressed. Throws S1 for an unknown screen.
    @discardableResult
    public func pointerMoved(
        to point: Point, on screen: Screen.ID, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        guard let seat = try node(screen).seat else { throw .unknown(screen) }
        try input[seat].movePointer(to: point, on: screen)
        beginInput(of: seat, at: time)
        guard input[seat].buttons.isEmpty else {
            guard let target = seat.pressTarget else { return Routing(outcome: .dropped(.cancelled)) }
            return deliver(.touches, .moved, .pointer, to: target, from: seat, at: point, on: screen)
        }
        guard explain else { return followPointer(of: seat, moved: true) }
        let found = hitTest(point, on: screen, explain: true)
        var routing = followPointer(of: seat, moved: true, found: found)
        routing.candidates = found.candidates
        return routing
    }

    /// Injects a button of a seat's pointer, `code` as in evdev; `time` in microseconds. The first button pressed
    /// determines the target of all pointer events until the last one is released. `found`: the hit test at the
    /// pointer, if already known. Throws K1 for an unknown seat, E5 for a button that is already down or up.
    @discardableResult
    public func pointerButton(
        code: UInt32, pressed: Bool, seat: Seat.ID = .first, found: HitTest? = nil, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        let isFirst = input[seat].buttons.isEmpty
        try input[seat].checkButton(code, pressed: pressed)
        beginInput(of: seat, at: time)
        guard pressed else { return try releaseButton(code, of: seat) }
        var candidates: [Routing.Candidate] = []
        var reason = Routing.Reason.cancelled
        if isFirst {
            let found = stillValid(found, explain: explain) ?? hitTestPointer(of: seat, explain: explain)
            followPointer(of: seat, found: found)
            (seat.grab, reason) = interactionTarget(found)
            candidates = found?.candidates ?? []
            if let target = seat.grab { keyOnTouch(target.window) }
        }
        try input[seat].setButton(code, pressed: true)
        guard let target = seat.pressTarget else {
            followPointer(of: seat)
            return Routing(outcome: .dropped(reason), candidates: candidates)
        }
        let (pointer, screen) = (input[seat].pointer, input[seat].pointerScreen)
        var routing = deliver(.touches, .began, .button(code), to: target, from: seat, at: pointer, on: screen)
        routing.candidates = candidates
        return routing
    }

    private func releaseButton(_ code: UInt32, of seat: SeatNode) throws(ModelError) -> Routing {
        try input[seat].setButton(code, pressed: false)
        var routing = Routing(outcome: .dropped(.cancelled))
        if let target = seat.pressTarget {
            let (pointer, screen) = (input[seat].pointer, input[seat].pointerScreen)
            routing = deliver(.touches, .ended, .button(code), to: target, from: seat, at: pointer, on: screen)
        }
        if input[seat].buttons.isEmpty {
            seat.grab = nil
            if seat.carried?.touch == nil { seat.carried = nil }
            followPointer(of: seat)
        }
        return routing
    }
}
