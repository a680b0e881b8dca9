// From events as people ask for them to single steps.

import WindowModel

/// Breaks events into steps, following what each leaves behind for the next.
struct InputPlanner {
    let server: DisplayServer
    /// K1: by the seats' indices.
    var states: [InputState]
    /// Whose event is planned.
    var seat: ServerSeat

    init(server: DisplayServer, states: [InputState]) {
        self.server = server
        self.states = states
        seat = server.seat
    }

    var state: InputState {
        get { states[seat.index] }
        set { states[seat.index] = newValue }
    }

    struct Plan {
        /// Who does it.
        let seat: ServerSeat
        var type: String
        var steps: [InputStep]
        /// The step whose routing explains the whole.
        var telling = 0
    }

    mutating func plan(_ event: InputEvent) throws(ModelError) -> Plan {
        seat = seat(of: event)
        var plan = Plan(seat: seat, type: event.type, steps: [])
        switch event {
        case .touch(let id, let phase, let place):
            let running = phase == .began ? nil : state.touches[id]
            guard let point = place.point ?? running?.point else {
                throw Self.invalid("E1", "touch \(id) needs x and y")
            }
            plan.steps = [.touch(id, phase, point, try screen(place.screen, or: running?.screen))]
        case .tap(let id, let place):
            let (point, screen) = (place.point ?? .zero, try screen(place.screen, or: nil))
            plan.steps = [.touch(id, .began, point, screen), .touch(id, .ended, point, screen)]
        case .hover(let place, let delta):
            if let point = place.point {
                plan.steps = [.move(point, try screen(place.screen, or: nil), delta: delta)]
            } else {
                _ = try screen(nil, or: nil)
                plan.steps = [.moveBy(delta ?? .zero)]
            }
        case .click(let button, let place):
            plan.steps = [
                .move(place.point ?? .zero, try screen(place.screen, or: nil)), .button(button, pressed: true),
                .button(button, pressed: false),
            ]
            plan.telling = 1
        case .button(let code, let pressed): plan.steps = [.button(code, pressed: pressed)]
        case .drag(let drag): plan = try self.plan(drag)
        case .scroll(let scroll, let phase, let place):
            if let point = place.point {
                plan.steps = [.move(point, try screen(place.screen, or: pointerScreen))]
                plan.telling = 1
            } else if place.screen != nil {
                throw Self.invalid("E5", "a scroll on a screen needs x and y")
            }
            plan.steps.append(.scroll(scroll, phase))
        case .key(let name, let action): plan = try self.plan(key: name, action)
        case .text(let text): plan = try type(text)
        }
        for step in plan.steps {
            try checkScreen(of: step)
            try state.follow(step)
        }
        return plan
    }

    private func plan(_ drag: InputEvent.Drag) throws(ModelError) -> Plan {
        let screen = try screen(drag.screen, or: nil)
        let points = (1...drag.steps).map { step in
            let part = Double(step) / Double(drag.steps)
            return Point(
                x: drag.from.x + (drag.to.x - drag.from.x) * part, y: drag.from.y + (drag.to.y - drag.from.y) * part)
        }
        switch drag.means {
        case .touch:
            let id = drag.id
            let moves = points.map { InputStep.touch(id, .moved, $0, screen) }
            return Plan(
                seat: seat, type: "drag",
                steps: [.touch(id, .began, drag.from, screen)] + moves + [.touch(id, .ended, drag.to, screen)])
        case .pointer:
            let moves = points.map { InputStep.move($0, screen) }
            return Plan(
                seat: seat, type: "drag",
                steps: [.move(drag.from, screen), .button(drag.button, pressed: true)] + moves
                    + [.button(drag.button, pressed: false)], telling: 1)
        }
    }

    // MARK: Screens

    /// Where the pointer is, unless that was unplugged.
    private var pointerScreen: Screen.ID? {
        state.pointer.flatMap { server.model.screen($0.screen)?.id }
    }

    /// What begins does so on a screen that is there; only the rest of a running touch goes on where none is (E2).
    private func checkScreen(of step: InputStep) throws(ModelError) {
        switch step {
        case .touch(_, .began, _, let screen), .move(_, let screen, _):
            guard server.model.screen(screen) != nil else {
                throw ModelError(kind: .unknownScreen, rule: "S1", message: "screen \(screen) is not connected")
            }
        case .touch, .moveBy, .button, .scroll, .key, .type: return
        }
    }

    /// The named screen, where something runs already, or the main screen.
    private func screen(_ reference: ScreenReference?, or running: Screen.ID?) throws(ModelError) -> Screen.ID {
        guard let reference else {
            guard let screen = running ?? server.model.mainScreen else {
                throw ModelError(kind: .unknownScreen, rule: "S2", message: "there is no screen to act on")
            }
            return screen
        }
        // A touch may have to end on a screen that is unplugged.
        if let running, reference.text == "\(running)" { return running }
        return try server.screen(reference.text).id
    }

    static func invalid(_ rule: String, _ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: rule, message: message)
    }
}
