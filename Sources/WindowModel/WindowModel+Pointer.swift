// The pointer: motion and buttons with their implicit grab (E5, E7, K7).

import Geometry

extension WindowModel {
    /// What the first seat's pointer was over when effects were last drained, or the pointer last moved.
    public var pointerFocus: PointerFocus? { seatNodes[0].focus }

    /// The same for any seat; nil for one that does not exist.
    public func pointerFocus(of seat: Seat.ID) -> PointerFocus? { seatNode(seat)?.focus }

    /// Where the first seat's pointer is, in points of the screen; nil before it has moved, and after its screen was
    /// unplugged.
    public var pointerLocation: (screen: Screen.ID, point: Point)? { pointerLocation(of: .first) }

    /// The same for any seat; nil for one that does not exist.
    public func pointerLocation(of seat: Seat.ID) -> (screen: Screen.ID, point: Point)? {
        guard let seat = seatNode(seat), let screen = seat.pointerScreen else { return nil }
        return (screen, seat.pointer)
    }

    /// Injects a position of the pointer of `screen`'s seat, in points of `screen`; `time` in microseconds. With a
    /// button down the event goes to where the button went down. Throws S1 for an unknown screen.
    @discardableResult
    public func pointerMoved(
        to point: Point, on screen: Screen.ID, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        try Self.validate(point: point)
        guard let seat = try node(screen).seat else { throw .unknown(screen) }
        advance(to: time)
        seat.pointerScreen = screen
        seat.pointer = point
        guard seat.buttons.isEmpty else {
            guard let target = seat.grab else { return Routing(outcome: .dropped(.cancelled)) }
            return deliver(.touches, .moved, .pointer, to: target, from: seat, at: point, on: screen)
        }
        var routing = followPointer(of: seat, moved: true)
        if explain { routing.candidates = self.explain(point, on: screen) }
        return routing
    }

    /// Injects a button of a seat's pointer, `code` as in evdev; `time` in microseconds. The first one down finds the
    /// target, and all pointer events go there until the last is up. Throws K1 for an unknown seat, E5 for a button
    /// that is down or up already.
    @discardableResult
    public func pointerButton(
        code: UInt32, pressed: Bool, seat: Seat.ID = .first, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        let held = seat.buttons.firstIndex(of: code)
        guard pressed == (held == nil) else {
            throw .notAllowed(.e5, "button \(code) is \(pressed ? "down" : "up") already; it goes down and up in turn")
        }
        advance(to: time)
        if let held { return releaseButton(code, at: held, of: seat) }
        var candidates: [Routing.Candidate] = []
        var reason = Routing.Reason.cancelled
        if seat.buttons.isEmpty {
            followPointer(of: seat)
            (seat.grab, reason) = pointerTarget(of: seat)
            if explain, let screen = seat.pointerScreen { candidates = self.explain(seat.pointer, on: screen) }
            if let target = seat.grab { keyOnTouch(target.window) }
        }
        seat.buttons.append(code)
        guard let target = seat.grab else {
            followPointer(of: seat)
            return Routing(outcome: .dropped(reason), candidates: candidates)
        }
        var routing = deliver(
            .touches, .began, .button(code), to: target, from: seat, at: seat.pointer, on: seat.pointerScreen)
        routing.candidates = candidates
        return routing
    }

    /// Who takes what begins at the pointer, or why nobody does.
    func pointerTarget(of seat: SeatNode) -> (SeatNode.Target?, Routing.Reason) {
        interactionTarget(at: seat.pointer, on: seat.pointerScreen.flatMap { screenNode($0) })
    }

    private func releaseButton(_ code: UInt32, at index: Int, of seat: SeatNode) -> Routing {
        seat.buttons.remove(at: index)
        var routing = Routing(outcome: .dropped(.cancelled))
        if let target = seat.grab {
            routing = deliver(
                .touches, .ended, .button(code), to: target, from: seat, at: seat.pointer, on: seat.pointerScreen)
        }
        if seat.buttons.isEmpty {
            seat.grab = nil
            followPointer(of: seat)
        }
        return routing
    }
}
