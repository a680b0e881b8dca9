// Performs single steps of input; all input enters the model here.

import MullionGeometry
import WindowModel

extension InputInjector {
    /// The keyboard, pointer and pop-ups of a seat (K1).
    func devices(of seat: Seat.ID) -> ServerSeat { server.seat(seat) ?? server.seat }

    /// Restores the keymaps that were replaced for typing.
    func endTyping() {
        for seat in server.model.seats { devices(of: seat).keyboard.endTyping() }
    }

    /// Performs a single step for a seat now (E9), even during a client's request.
    /// - Throws: why it is impossible; nothing has happened then.
    @discardableResult
    func perform(_ step: InputStep, by seat: ServerSeat) throws(ModelError) -> Routing {
        var result = Routing(dropped: .cancelled)
        try perform(step.by(seat.id)) { result = $0 }
        return result
    }

    /// Performs one step of a plan.
    func perform(_ index: Int, of plan: InputPlanner.Plan, into report: inout Report) throws(ModelError) {
        let step = plan.steps[index]
        var routings: [Routing] = []
        try perform(step, explain: index == plan.explained) { routings.append($0) }
        // H3: a modifier that is received does not make a click a hit.
        guard plan.own.contains(index) else { return }
        var isDelivered = false
        for routing in routings {
            if let window = routing.hit?.window, let application = server.model.window(window)?.application {
                if !report.receivers.contains(application) { report.receivers.append(application) }
                isDelivered = true
            }
            for application in routing.receivers {
                if !report.receivers.contains(application) { report.receivers.append(application) }
                isDelivered = true
            }
        }
        if isDelivered { report.delivered += 1 }
        guard index == plan.explained else { return }
        report.routings = routings
        if case .touches(let updates, _) = step { report.touches = updates.map(\.id) }
    }

    /// Performs a step.
    /// - Parameter answer: called with the routing, or with one for each of several touches; a closure, so that motion
    ///   allocates nothing.
    func perform(
        _ step: InputStep, explain: Bool = false, _ answer: (Routing) -> Void = { _ in }
    ) throws(ModelError) {
        // E9: deliver earlier effects first, because pointer and keyboard focus depend on them; deliver the effects of
        // a step before the next one.
        server.deliverEffects()
        deliveries.removeAll(keepingCapacity: true)
        isPerforming = true
        var first: Routing?
        var others: [Routing] = []
        defer { isPerforming = false }
        try inject(step, explain: explain) { if first == nil { first = $0 } else { others.append($0) } }
        // H3: whether anything was sent is known now.
        if let first { report(first, of: step, 0, explain, answer) }
        for index in others.indices { report(others[index], of: step, index + 1, explain, answer) }
        server.counters.injectedStep()
    }

    private func report(
        _ routing: Routing, of step: InputStep, _ index: Int, _ explain: Bool, _ answer: (Routing) -> Void
    ) {
        var routing = routing
        if let hit = routing.hit, isUnreceived(step, index, in: hit.window),
            let application = server.model.window(hit.window)?.application
        {
            routing.outcome = .dropped(.notReceiving)
            if explain {
                routing.candidates.append(
                    Routing.Candidate(application: application, window: hit.window, reason: .notReceiving))
            }
        }
        server.counters.routed(routing)
        answer(routing)
    }

    /// Whether a window was hit by a step, or by one of its touches, but its client received no event.
    private func isUnreceived(_ step: InputStep, _ index: Int, in window: Window.ID) -> Bool {
        let (kind, touch) = step.event(index)
        var isKnown = false
        for delivery in deliveries
        where delivery.window == window && (kind == nil || delivery.kind == kind) && delivery.touch == touch {
            if delivery.isReceived { return false }
            isKnown = true
        }
        return isKnown
    }

    /// Called when an event was delivered.
    func didDeliver(_ event: Event, isReceived: Bool) {
        guard isPerforming else { return }
        var touch: Int32?
        if case .touch(let id) = event.detail { touch = id }
        deliveries.append(Delivery(kind: event.kind, window: event.window, touch: touch, isReceived: isReceived))
    }

    // MARK: Kinds of steps

    private func inject(_ step: InputStep, explain: Bool, _ answer: (Routing) -> Void) throws(ModelError) {
        defer { server.deliverEffects() }
        let model = server.model
        let now = server.clock.now
        switch step {
        case .touch(let update, let screen):
            var found: HitTest?
            if update.phase == .began, hasPopups(on: screen) {
                try model.input.check(update, on: screen, of: model.seat(of: screen))
                found = pressWillBegin(at: update.point, on: screen, explain: explain)
            }
            answer(try model.touch(update, on: screen, found: found, time: now, explain: explain))
        case .touches(let updates, let screen):
            var found: [HitTest?] = []
            if hasPopups(on: screen) {
                var trial = model.input
                try trial.touches(updates, on: screen, of: model.seat(of: screen))
                found = updates.filter { $0.phase == .began }.map {
                    pressWillBegin(at: $0.point, on: screen, explain: explain)
                }
            }
            let routings = try model.touches(updates, on: screen, found: found, time: now, explain: explain)
            for routing in routings { answer(routing) }
        case .pencil(let update, let screen):
            answer(try model.pencil(update, on: screen, time: now, explain: explain))
        case .move(let point, let screen, let delta):
            return answer(try move(step, to: point, on: screen, by: delta, at: now, explain: explain))
        case .moveBy(let delta, let seat):
            try delta.validate()
            let place = try devices(of: seat).pointer.place(movedBy: delta)
            return answer(try move(step, to: place.point, on: place.screen, by: delta, at: now, explain: explain))
        case .button(let code, let pressed, let seat):
            var found: HitTest?
            // Further buttons go where the first was pressed.
            if pressed, model.input[seat].buttons.isEmpty, let pointer = model.pointerLocation(of: seat),
                hasPopups(on: pointer.screen)
            {
                found = pressWillBegin(at: pointer.point, on: pointer.screen, explain: explain)
            }
            answer(
                try model.pointerButton(
                    code: code, pressed: pressed, seat: seat, found: found, time: now, explain: explain))
        case .scroll(let scroll, let phase, let seat):
            answer(try model.scroll(scroll, phase: phase, seat: seat, time: now, explain: explain))
        case .gesture(let gesture, let phase, let seat):
            answer(try model.transformGesture(gesture, phase: phase, seat: seat, time: now, explain: explain))
        case .shake(let phase, let seat): answer(try model.shake(phase, seat: seat, time: now, explain: explain))
        case .remote(let command, let seat):
            answer(try model.remoteControl(command, seat: seat, time: now, explain: explain))
        case .key(let code, let pressed, let device, let seat):
            let keyboard = devices(of: seat).keyboard
            try keyboard.check(key: code, pressed: pressed, from: device)
            // Record the key before it is pressed, because pressing it delivers effects. A virtual keyboard's keymap
            // cannot be injected again.
            if device?.kind != .virtual { onStep?(step) }
            return answer(try keyboard.press(key: code, pressed: pressed, from: device, explain: explain))
        }
        onStep?(step)
    }

    /// Moves the pointer as far as a lock or confinement allows; relative motion is reported in full.
    private func move(
        _ step: InputStep, to point: Point, on screen: Screen.ID, by delta: Point?, at now: UInt64, explain: Bool
    ) throws(ModelError) -> Routing {
        try delta?.validate()
        let pointer = devices(of: server.model.seat(of: screen) ?? .first).pointer
        let relative = delta ?? pointer.delta(to: point, on: screen)
        pointer.isStill = relative == nil && pointer.location != nil
        defer { pointer.isStill = false }
        let place = pointer.held(point, on: screen)
        let routing = try server.model.pointerMoved(to: place.point, on: place.screen, time: now, explain: explain)
        onStep?(step)
        // Reported to the surface that had the pointer before.
        if let relative { pointer.moved(by: relative, at: now) }
        // Motion belongs to the same frame as relative motion.
        server.deliverEffects()
        pointer.endFrame()
        return routing
    }

    // MARK: Grabs

    private func hasPopups(on screen: Screen.ID) -> Bool {
        server.seat(of: screen)?.grabs.hasPopups == true
    }

    /// Closes grabbing pop-ups when a press begins outside them, before the press is delivered.
    /// - Returns: the surface on which the press begins.
    private func pressWillBegin(at point: Point, on screen: Screen.ID, explain: Bool) -> HitTest? {
        guard server.model.screen(screen)?.isInteractive == true else { return nil }
        let found = server.model.hitTest(point, on: screen, explain: explain)
        server.seat(of: screen)?.grabs.pressWillBegin(on: found.hit?.surface.flatMap { server.surfaces[$0] })
        return found
    }
}
