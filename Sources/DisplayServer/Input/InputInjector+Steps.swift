// Carrying out single steps.

import Geometry
import WindowModel

extension InputInjector {
    /// Keyboard, pointer and pop-ups of a seat (K1).
    func devices(of seat: Seat.ID) -> ServerSeat { server.seat(seat) ?? server.seat }

    /// Puts the keymaps back that texts were typed without.
    func endTyping() {
        for seat in server.model.seats { devices(of: seat).keyboard.endTyping() }
    }

    /// Carries out a single step of a seat at this moment (E9), also from within a client's request.
    /// - Throws: what makes it impossible; nothing has happened then.
    func perform(_ step: InputStep, by seat: ServerSeat) throws(ModelError) -> Routing {
        server.carryOutEffects()
        return try carryOut(step.by(seat.id), explain: false).first ?? Routing(dropped: .cancelled)
    }

    /// Carries out one step of a plan.
    func carryOut(_ index: Int, of plan: InputPlanner.Plan, into report: inout Report) throws(ModelError) {
        let step = plan.steps[index]
        let routings = try carryOut(step, explain: index == plan.telling)
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
        guard index == plan.telling else { return }
        report.routings = routings
        if case .touches(let updates, _) = step { report.touches = updates.map(\.id) }
    }

    /// - Returns: who took it; of several touches for each.
    func carryOut(_ step: InputStep, explain: Bool) throws(ModelError) -> [Routing] {
        let routings = try route(step, explain: explain)
        server.counters.injected(routings)
        return routings
    }

    private func route(_ step: InputStep, explain: Bool) throws(ModelError) -> [Routing] {
        try state.follow(step, in: server.model)
        onStep?(step)
        // E9: what it leads to is told before what the next one does.
        defer { server.carryOutEffects() }
        let model = server.model
        let now = server.clock.now
        switch step {
        case .touch(let update, let screen):
            if update.phase == .began { pressBegins(at: update.point, on: screen) }
            return [
                try model.touch(
                    id: update.id, phase: update.phase, at: update.point, on: screen, attributes: update.attributes,
                    time: now, explain: explain)
            ]
        case .touches(let updates, let screen):
            for update in updates where update.phase == .began { pressBegins(at: update.point, on: screen) }
            return try model.touches(updates, on: screen, time: now, explain: explain)
        case .move(let point, let screen, let delta):
            return [try move(to: point, on: screen, by: delta, at: now, explain: explain)]
        case .moveBy(let delta, let seat):
            let place = try devices(of: seat).pointer.place(movedBy: delta)
            return [try move(to: place.point, on: place.screen, by: delta, at: now, explain: explain)]
        case .button(let code, let pressed, let seat):
            // Further buttons go where the first went down.
            if pressed, state[seat].buttons.count == 1, let pointer = model.pointerLocation(of: seat) {
                pressBegins(at: pointer.point, on: pointer.screen)
            }
            return [try model.pointerButton(code: code, pressed: pressed, seat: seat, time: now, explain: explain)]
        case .scroll(let scroll, let phase, let seat):
            return [try model.scroll(scroll, phase: phase, seat: seat, time: now, explain: explain)]
        case .gesture(let gesture, let phase, let seat):
            return [try model.transformGesture(gesture, phase: phase, seat: seat, time: now, explain: explain)]
        case .shake(let phase, let seat): return [try model.shake(phase, seat: seat, time: now, explain: explain)]
        case .remote(let command, let seat):
            return [try model.remoteControl(command, seat: seat, time: now, explain: explain)]
        case .key(let code, let pressed, let typed, let seat):
            return [
                try devices(of: seat).keyboard.press(
                    key: code, pressed: pressed, from: typed?.device, explain: explain)
            ]
        }
    }

    /// Moves the pointer as far as a lock or confinement lets it; who looks at relative motion is told of all of it.
    private func move(
        to point: Point, on screen: Screen.ID, by delta: Point?, at now: UInt64, explain: Bool
    ) throws(ModelError) -> Routing {
        // Who has the pointer, and whether it is held, is decided by what came before.
        server.carryOutEffects()
        let pointer = devices(of: server.model.seat(of: screen) ?? .first).pointer
        if let delta = delta ?? pointer.delta(to: point, on: screen) { pointer.moved(by: delta, at: now) }
        let place = pointer.held(point, on: screen)
        let routing = try server.model.pointerMoved(to: place.point, on: place.screen, time: now, explain: explain)
        server.carryOutEffects()
        pointer.endFrame()
        return routing
    }

    /// Pop-ups that grabbed close when a press begins outside them, before the press is told.
    private func pressBegins(at point: Point, on screen: Screen.ID) {
        guard server.model.screen(screen)?.isInteractive == true else { return }
        server.carryOutEffects()
        let surface = server.model.hitTest(point, on: screen)?.surface
        server.seat(of: screen)?.popupGrabs.pressBegins(on: surface.flatMap { server.surfaces[$0] })
    }
}
