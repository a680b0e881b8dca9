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
    private var state = InputState()

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
        // What changed before this belongs before it.
        server.settle()
        state.keys = Set(server.model.pressedKeys)
        var planner = InputPlanner(server: server, state: state)
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

    private func carryOut(_ plan: InputPlanner.Plan) throws(ModelError) -> Report {
        var report = Report(type: plan.type, steps: plan.steps.count, delivered: 0)
        for (index, step) in plan.steps.enumerated() {
            let routing = try carryOut(step, explain: index == plan.telling)
            if routing.hit != nil { report.delivered += 1 }
            if index == plan.telling { report.routing = routing }
        }
        return report
    }

    private func carryOut(_ step: InputStep, explain: Bool) throws(ModelError) -> Routing {
        let model = server.model
        let now = server.clock.now
        try state.follow(step)
        switch step {
        case .touch(let id, let phase, let point, let screen):
            if phase == .began { pressBegins(at: point, on: screen) }
            return try model.touch(id: id, phase: phase, at: point, on: screen, time: now, explain: explain)
        case .move(let point, let screen):
            return try model.pointerMoved(to: point, on: screen, time: now, explain: explain)
        case .button(let code, let pressed):
            // Further buttons go where the first went down.
            if pressed, state.buttons.count == 1, let pointer = state.pointer {
                pressBegins(at: pointer.point, on: pointer.screen)
            }
            return try model.pointerButton(code: code, pressed: pressed, time: now, explain: explain)
        case .scroll(let scroll, let phase): return try model.scroll(scroll, phase: phase, time: now)
        case .key(let code, let pressed): return try model.press(key: code, pressed: pressed, time: now)
        }
    }

    /// Pop-ups that grabbed close when a press begins outside them, before the press is told.
    private func pressBegins(at point: Point, on screen: Screen.ID) {
        guard server.model.screen(screen)?.isInteractive == true else { return }
        server.settle()
        let surface = server.model.hitTest(point, on: screen)?.surface
        server.popupGrabs.pressBegins(on: surface.flatMap { server.surfaces[$0] })
    }
}
