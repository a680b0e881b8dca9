// Scrolling and gestures: at the pointer, and where they began (E5, E7).

extension WindowModel {
    /// Injects scrolling where a seat's pointer is; `time` in microseconds. With a phase the events from began to ended
    /// stay with the window where they began (E5); nil: a step of its own, like a wheel's click. `explain` fills
    /// `Routing.candidates` of what begins. Throws K1 for an unknown seat, E5 for deltas that are not finite and for a
    /// phase that cannot follow.
    @discardableResult
    public func scroll(
        _ scroll: Event.Scroll, phase: Event.Phase?, seat: Seat.ID = .first, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        try scroll.validate()
        try Self.check(phase, isRunning: seat.scroll != nil, "scroll")
        advance(to: time)
        let rest = Event.Detail.scroll(Event.Scroll(deltaX: 0, deltaY: 0, source: scroll.source))
        return step(\.scroll, .scroll, phase, .scroll(scroll), rest: rest, of: seat, explain: explain)
    }

    /// Injects a step of a gesture where a seat's pointer is, like `scroll` with a phase (E5). Throws K1 and E5 as that
    /// does, and E5 for numbers that cannot be and for a gesture that changes its kind or its fingers.
    @discardableResult
    public func transformGesture(
        _ gesture: Event.TransformGesture, phase: Event.Phase, seat: Seat.ID = .first, time: UInt64,
        explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        try gesture.validate()
        try Self.check(phase, isRunning: seat.gesture != nil, "gesture")
        if case .transform(let running) = seat.gesture?.rest {
            guard running.kind == gesture.kind, running.fingers == gesture.fingers else {
                throw .notAllowed(
                    .e5,
                    "a \(running.kind.rawValue) with \(running.fingers) fingers is running; it ends before another "
                        + "gesture begins")
            }
        }
        advance(to: time)
        var rest = gesture
        (rest.deltaX, rest.deltaY) = (0, 0)
        return step(
            \.gesture, .transform, phase, .transform(gesture), rest: .transform(rest), of: seat, explain: explain)
    }

    private static func check(_ phase: Event.Phase?, isRunning: Bool, _ name: String) throws(ModelError) {
        guard let phase else { return }
        guard phase != .began || !isRunning else {
            throw .notAllowed(.e5, "a \(name) is running; it must end before another begins")
        }
        guard phase == .began || isRunning else {
            throw .notAllowed(.e5, "no \(name) is running; it must begin first")
        }
    }

    /// A step that was checked. `rest`: what a cancellation says.
    private func step(
        _ path: ReferenceWritableKeyPath<SeatNode, SeatNode.Sequence?>, _ kind: Event.Kind, _ phase: Event.Phase?,
        _ detail: Event.Detail, rest: Event.Detail, of seat: SeatNode, explain: Bool
    ) -> Routing {
        var target = seat[keyPath: path]?.target
        var reason = Routing.Reason.cancelled
        var candidates: [Routing.Candidate] = []
        if phase == nil || phase == .began {
            if seat.buttons.isEmpty {
                (target, reason) = pointerTarget(of: seat)
                if explain, let screen = seat.pointerScreen { candidates = self.explain(seat.pointer, on: screen) }
            } else {
                target = seat.grab
            }
        }
        switch phase {
        case nil: break
        case .ended, .cancelled: seat[keyPath: path] = nil
        default: seat[keyPath: path] = SeatNode.Sequence(target: target, rest: rest)
        }
        guard let target else { return Routing(outcome: .dropped(reason), candidates: candidates) }
        var routing = deliver(
            kind, phase ?? .moved, detail, to: target, from: seat, at: seat.pointer, on: seat.pointerScreen)
        routing.candidates = candidates
        return routing
    }
}
