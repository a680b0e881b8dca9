// Injecting input: the one way by which events get into the model.

import WindowModel

/// Plans events as a whole, then carries them out; nothing happens when one of them is impossible.
final class InputInjector {
    /// Bounds what one call may do before others get their turn.
    static let maximumSteps = 10_000

    static let tooManySteps = ModelError(
        kind: .invalidValue, rule: "E9",
        message: "these are more than \(maximumSteps) single steps; inject them in parts")

    private unowned let server: DisplayServer
    /// K1: by the seats' indices.
    private var states: [InputState] = []
    /// What is injected step by step, one after the other.
    lazy var paced = PacedInjections(server, self)

    /// What became of one event.
    struct Report {
        var type: String
        /// H3; nil when it had no step (an empty text).
        var routing: Routing?
        var steps: Int
        var delivered: Int
    }

    /// Why a list of events was refused, and which of them.
    struct Refusal: Error {
        var index: Int
        var reason: ModelError
    }

    init(_ server: DisplayServer) { self.server = server }

    /// Injects events in their order, at this moment (E9).
    func inject(_ events: [InputEvent]) throws(Refusal) -> [Report] {
        let plans = try plan(events)
        // A typed character's keymap is for its keys only.
        defer { for seat in server.seats { seat.keyboard.endTyping() } }
        var reports: [Report] = []
        for (index, plan) in plans.enumerated() {
            do {
                reports.append(try carryOut(plan))
            } catch {
                throw Refusal(index: index, reason: error)
            }
        }
        return reports
    }

    /// What a list of events consists of; nothing of it is carried out yet.
    func plan(_ events: [InputEvent]) throws(Refusal) -> [InputPlanner.Plan] {
        // What changed before this belongs before it.
        server.carryOutEffects()
        makeStates()
        for seat in server.seats {
            states[seat.index].keys = Set(seat.keyboard.heldKeys)
            if let (screen, point) = seat.pointer.location {
                states[seat.index].pointer = InputState.Touch(screen: screen, point: point)
            }
        }
        var planner = InputPlanner(server: server, states: states)
        var plans: [InputPlanner.Plan] = []
        var steps = 0
        for (index, event) in events.enumerated() {
            do {
                plans.append(try planner.plan(event))
            } catch {
                throw Refusal(index: index, reason: error)
            }
            steps += plans[index].steps.count
            guard steps <= Self.maximumSteps else {
                throw Refusal(index: index, reason: Self.tooManySteps)
            }
        }
        return plans
    }

    /// Seats may have come.
    private func makeStates() {
        while states.count < server.seats.count { states.append(InputState()) }
    }

    /// What is down, as far as injection goes, by the seats' indices.
    var held: [InputState] {
        makeStates()
        return server.seats.map { seat in
            var held = states[seat.index]
            held.keys = Set(seat.keyboard.heldKeys)
            return held
        }
    }

    /// Lets go of everything that was not held then: what began is not left to those who come next.
    func letGo(except held: [InputState]) {
        makeStates()
        for seat in server.seats {
            letGo(of: seat, except: held.indices.contains(seat.index) ? held[seat.index] : InputState())
        }
    }

    private func letGo(of seat: ServerSeat, except held: InputState) {
        let state = states[seat.index]
        var steps = state.touches.filter { held.touches[$0.key] == nil }.sorted { $0.key < $1.key }
            .map { InputStep.touch($0.key, .cancelled, $0.value.point, $0.value.screen) }
        steps += state.buttons.subtracting(held.buttons).sorted().map { .button($0, pressed: false) }
        // A key stays down in the keyboard when key passes on, and is cancelled in the model.
        steps += seat.keyboard.heldKeys.filter { !held.keys.contains($0) }.map { .key($0, pressed: false) }
        if state.isScrolling, !held.isScrolling {
            steps.append(.scroll(Event.Scroll(deltaX: 0, deltaY: 0), .cancelled))
        }
        for step in steps {
            server.ignore { () throws(ModelError) in _ = try carryOut(step, by: seat, explain: false) }
        }
    }

    /// Carries out a single step at this moment (E9), also from within a client's request.
    /// - Throws: what makes it impossible; nothing has happened then.
    func perform(_ step: InputStep, by seat: ServerSeat) throws(ModelError) -> Routing {
        server.carryOutEffects()
        return try carryOut(step, by: seat, explain: false)
    }

    private func carryOut(_ plan: InputPlanner.Plan) throws(ModelError) -> Report {
        var report = Report(type: plan.type, steps: plan.steps.count, delivered: 0)
        for index in plan.steps.indices { try carryOut(index, of: plan, into: &report) }
        return report
    }

    /// Carries out one step of a plan.
    func carryOut(_ index: Int, of plan: InputPlanner.Plan, into report: inout Report) throws(ModelError) {
        let routing = try carryOut(plan.steps[index], by: plan.seat, explain: index == plan.telling)
        if routing.hit != nil { report.delivered += 1 }
        if index == plan.telling { report.routing = routing }
    }

    private func carryOut(_ step: InputStep, by seat: ServerSeat, explain: Bool) throws(ModelError) -> Routing {
        let model = server.model
        let now = server.clock.now
        makeStates()
        try states[seat.index].follow(step)
        switch step {
        case .touch(let id, let phase, let point, let screen):
            if phase == .began { pressBegins(at: point, on: screen) }
            return try model.touch(id: id, phase: phase, at: point, on: screen, time: now, explain: explain)
        case .move(let point, let screen, let delta):
            return try move(seat, to: point, on: screen, by: delta, at: now, explain: explain)
        case .moveBy(let delta):
            let place = try seat.pointer.place(movedBy: delta)
            return try move(seat, to: place.point, on: place.screen, by: delta, at: now, explain: explain)
        case .button(let code, let pressed):
            // Further buttons go where the first went down.
            if pressed, states[seat.index].buttons.count == 1, let pointer = seat.pointer.location {
                pressBegins(at: pointer.point, on: pointer.screen)
            }
            return try model.pointerButton(code: code, pressed: pressed, seat: seat.id, time: now, explain: explain)
        case .scroll(let scroll, let phase): return try model.scroll(scroll, phase: phase, seat: seat.id, time: now)
        case .key(let code, let pressed): return try seat.keyboard.press(key: code, pressed: pressed)
        case .type(let code, let pressed, let device):
            return try seat.keyboard.press(key: code, pressed: pressed, from: device)
        }
    }

    /// Moves the pointer as far as a lock or confinement lets it; who looks at relative motion is told of all of it.
    private func move(
        _ seat: ServerSeat, to point: Point, on screen: Screen.ID, by delta: Point?, at now: UInt64, explain: Bool
    ) throws(ModelError) -> Routing {
        // Who has the pointer, and whether it is held, is decided by what came before.
        server.carryOutEffects()
        let pointer = seat.pointer
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
