// Plans requested events as single steps.

import WindowModel

/// Splits events into steps, tracking the state that each leaves for the next.
package struct InputPlanner {
    let server: DisplayServer
    var state: InputState
    /// The seat named by the event being planned.
    private(set) var namedSeat: Seat.ID?

    package struct Plan {
        var type: String
        var steps: [InputStep]
        /// The step whose routing explains the event.
        var explained = 0
        /// How many keys of modifiers are pressed before the event's own steps, and released after them.
        var modifiers = 0
        /// The event's own steps.
        var own: Range<Int> { modifiers..<steps.count - modifiers }
        /// How a drag waits for a program to begin drag and drop; nil: it does not.
        var drop: DropWait?
    }

    package init(server: DisplayServer, state: InputState) {
        self.server = server
        self.state = state
    }

    /// K1: the seat whose keys, pointer or remote control is used.
    var seat: Seat.ID { namedSeat ?? .first }

    package mutating func plan(_ request: InputRequest) throws(ModelError) -> Plan {
        namedSeat = try request.seat.map { (name) throws(ModelError) in try server.seat(named: name).id }
        var plan = try steps(of: located(request))
        try hold(request.modifiers, during: &plan)
        for step in plan.steps { try state.follow(step, in: server.model) }
        return plan
    }

    /// The event in its screen's points.
    private func located(_ request: InputRequest) throws(ModelError) -> InputEvent {
        guard let id = request.window else { return request.event }
        let screen = try server.model.screenOfPoints(in: id)
        return try request.event.located(on: screen) { (point) throws(ModelError) in
            try server.model.convert(point, from: .window(id), to: .screen(screen))
        }
    }

    private func steps(of event: InputEvent) throws(ModelError) -> Plan {
        var plan = Plan(type: event.type, steps: [])
        switch event {
        case .touch(let id, let phase, let place, let measures):
            let finger = InputEvent.Finger(id: id, phase: phase, point: place.point, measures: measures)
            let screen = try screen(place.screen, of: [finger])
            plan.steps = [.touch(try update(finger, on: screen), screen)]
        case .touches(let fingers, let reference): plan.steps = [try touches(fingers, on: reference)]
        case .tap(let id, let place, let measures):
            let screen = try screen(place.screen, or: nil)
            plan.steps = try [Event.Phase.began, .ended].map { (phase) throws(ModelError) -> InputStep in
                let finger = InputEvent.Finger(id: id, phase: phase, point: place.point ?? .zero, measures: measures)
                return .touch(try update(finger, on: screen), screen)
            }
        case .hover(let place, let delta):
            if let point = place.point {
                plan.steps = [.move(point, try screen(place.screen, or: nil), delta: delta)]
            } else {
                _ = try screen(nil, or: nil)
                plan.steps = [.moveBy(delta ?? .zero, seat: seat)]
            }
        case .pencil(let id, let phase, let place, let measures):
            plan.steps = [try pencil(id, phase, place, measures)]
        case .click(let button, let place, let count):
            let screen = try screen(place.screen, or: nil)
            let seat = self.seat(of: screen)
            let presses = (0..<count).flatMap { _ in
                [true, false].map { InputStep.button(button, pressed: $0, seat: seat) }
            }
            plan.steps = [.move(place.point ?? .zero, screen)] + presses
            plan.explained = 1
        case .button(let code, let pressed): plan.steps = [.button(code, pressed: pressed, seat: seat)]
        case .drag(let drag): plan = try self.plan(drag)
        case .scroll(let scroll, let phase, let place):
            let (move, seat) = try self.move(to: place, "scroll")
            plan.steps = move + [.scroll(scroll, phase, seat: seat)]
            plan.explained = move.count
        case .gesture(let gesture): plan = try self.plan(gesture)
        case .shake(let phase):
            plan.steps = (phase.map { [$0] } ?? [.began, .ended]).map { .shake($0, seat: seat) }
        case .remote(let command): plan.steps = [.remote(command, seat: seat)]
        case .key(let name, let action): plan = try self.plan(key: name, action)
        case .code(let code, let action, let keymap): plan = try self.plan(code: code, action, keymap)
        case .text(let text): plan = try type(text)
        }
        return plan
    }

    /// The steps that move the pointer to a position, if one is named, and the pointer's seat.
    func move(
        to place: InputEvent.Place, _ name: String
    ) throws(ModelError) -> (steps: [InputStep], seat: Seat.ID) {
        guard let point = place.point else {
            guard place.screen == nil else { throw Self.invalid(.e5, "a \(name) on a screen needs x and y") }
            return ([], seat)
        }
        let screen = try screen(place.screen, or: pointerScreen)
        return ([.move(point, screen)], seat(of: screen))
    }

    // MARK: Seats and screens

    /// K1: a screen's seat, which has been checked against the named one.
    func seat(of screen: Screen.ID) -> Seat.ID { server.model.seat(of: screen) ?? seat }

    /// The pointer's screen, unless it was unplugged.
    private var pointerScreen: Screen.ID? {
        state[seat].pointerScreen.flatMap { server.model.screen($0)?.id }
    }

    /// The named screen, the one of a running sequence, or the seat's first one.
    func screen(_ reference: ScreenReference?, or running: Screen.ID?) throws(ModelError) -> Screen.ID {
        guard let reference else {
            guard let screen = running ?? firstScreen else {
                throw ModelError(kind: .unknownScreen, rule: .s2, message: "no screen is connected")
            }
            return screen
        }
        // A touch can end on a screen that was unplugged.
        if let running, reference.text == "\(running)" { return running }
        let screen = try server.screen(reference.text)
        if let namedSeat, let own = server.model.seat(of: screen.id), own != namedSeat {
            let names = [own, namedSeat].map { server.model.seat($0)?.name ?? "" }
            throw Self.invalid(.k1, "screen \(screen.name) belongs to seat \(names[0]), not to \(names[1])")
        }
        return screen.id
    }

    private var firstScreen: Screen.ID? {
        guard let namedSeat else { return server.model.mainScreen }
        return server.model.screens.first { server.model.seat(of: $0) == namedSeat }
    }

    static func invalid(_ rule: Rule, _ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: rule, message: message)
    }
}
