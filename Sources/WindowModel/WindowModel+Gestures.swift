// Scrolling and gestures: at the pointer, or where they began (E5, E7).

extension WindowModel {
    /// Injects scrolling at a seat's pointer; `time` in microseconds. With a phase, the events from began to ended stay
    /// with the window where they began (E5); with nil, it is a single step, like a wheel's click. `explain` fills
    /// `Routing.candidates` when a sequence begins. Throws K1 for an unknown seat, E5 for deltas that are not finite
    /// and for an invalid phase.
    @discardableResult
    public func scroll(
        _ scroll: Event.Scroll, phase: Event.Phase?, seat: Seat.ID = .first, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        try input[seat].scroll(scroll, phase)
        beginInput(of: seat, at: time)
        return step(\.scroll, .scroll, phase, .scroll(scroll), of: seat, explain: explain)
    }

    /// Injects a step of a gesture at a seat's pointer, like `scroll` with a phase (E5). Throws K1 and E5 like
    /// `scroll`, and E5 for impossible numbers and for a gesture that changes its kind or number of fingers.
    @discardableResult
    public func transformGesture(
        _ gesture: Event.TransformGesture, phase: Event.Phase, seat: Seat.ID = .first, time: UInt64,
        explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        try input[seat].transform(gesture, phase)
        beginInput(of: seat, at: time)
        return step(\.gesture, .transform, phase, .transform(gesture), of: seat, explain: explain)
    }

    /// Routes a validated step.
    private func step(
        _ path: ReferenceWritableKeyPath<SeatNode, SeatNode.Target?>, _ kind: Event.Kind, _ phase: Event.Phase?,
        _ detail: Event.Detail, of seat: SeatNode, explain: Bool
    ) -> Routing {
        var target = seat[keyPath: path]
        var reason = Routing.Reason.cancelled
        var candidates: [Routing.Candidate] = []
        if phase == nil || phase == .began {
            if input[seat].buttons.isEmpty {
                let found = hitTestPointer(of: seat, explain: explain)
                (target, reason) = interactionTarget(found)
                candidates = found?.candidates ?? []
            } else {
                target = seat.pressTarget
            }
        }
        switch phase {
        case nil: break
        case .ended, .cancelled: seat[keyPath: path] = nil
        case .began, .moved, .stationary: seat[keyPath: path] = target
        }
        guard let target else { return Routing(outcome: .dropped(reason), candidates: candidates) }
        let (pointer, screen) = (input[seat].pointer, input[seat].pointerScreen)
        var routing = deliver(kind, phase ?? .moved, detail, to: target, from: seat, at: pointer, on: screen)
        routing.candidates = candidates
        return routing
    }
}
