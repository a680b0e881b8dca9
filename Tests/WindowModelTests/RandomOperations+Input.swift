// Random operations on seats: touches, pointers, keys, shaking and remote control.

import WindowModel

extension RandomRun {
    typealias Person = ReferenceModel.Person

    func addSeat() throws {
        let free = Self.names.filter { name in !reference.seats.contains { $0.screens.contains(name) } }
        let names = free.filter { _ in random.chance(50) }
        guard !names.isEmpty, reference.seats.count < 3 else { return }
        say("add seat \(names)")
        let id = try model.addSeat(name: "seat\(reference.seats.count)", screens: names)
        reference.addSeat(id, names)
    }

    private func person() -> Person { random.pick(reference.seats) ?? reference.seats[0] }

    private func attributes() -> Event.TouchAttributes {
        guard random.chance(30) else { return .finger }
        return Event.TouchAttributes(
            force: Double(random.below(5)) / 4, majorRadius: Double(4 + random.below(3)), minorRadius: 3,
            orientation: Double(random.below(3)) - 1,
            tool: random.chance(50) ? .direct : .pencil(altitude: 1, azimuth: Double(random.below(6))))
    }

    private func check(_ routing: Routing, _ expected: (aim: ReferenceModel.Aim?, reason: Routing.Reason)) throws {
        guard routing.hit?.window == expected.aim?.window, routing.hit?.surface == expected.aim?.surface,
            expected.aim != nil || routing.reason == expected.reason
        else { throw Mismatch("touch went to \(routing), not \(expected)") }
    }

    func check(_ routing: Routing, _ expected: Window.ID?) throws {
        guard routing.hit?.window == expected, (routing.reason == nil) == (expected != nil) else {
            throw Mismatch("\(routing), not \(String(describing: expected))")
        }
    }

    private func newFinger(on screen: Screen.ID) -> TouchUpdate {
        // The same ids on all seats, because ids are per seat.
        var used = reference.seat(screen)?.fingers.map(\.id) ?? []
        // A pencil can land only on the screen that it is above.
        used += reference.seat(screen)?.pencils.filter { $0.screen != screen }.map(\.id) ?? []
        let id = (0...7).first { !used.contains($0) } ?? 8
        var attributes = attributes()
        if let pencil = reference.seat(screen)?.pencils.first(where: { $0.id == id }) {
            attributes.tool = .pencil(Pencil(altitude: 1, roll: 2, end: pencil.attributes.tool.pencil?.end ?? .tip))
        }
        return TouchUpdate(id: id, phase: .began, point: point(on: screen), attributes: attributes)
    }

    private func next(_ finger: ReferenceModel.Finger) -> TouchUpdate {
        let phase: Event.Phase = random.pick([.moved, .moved, .stationary, .ended, .ended, .cancelled]) ?? .ended
        return TouchUpdate(id: finger.id, phase: phase, point: point(on: finger.screen), attributes: attributes())
    }

    /// A touch begins, moves or ends; the routing must agree.
    func touch() throws {
        let seat = person()
        if let finger = random.pick(seat.fingers), random.chance(60) {
            let update = next(finger)
            say("touch \(update)")
            try check(try apply(update, finger.screen), reference.step(seat, update, finger.screen))
            return
        }
        if random.chance(5), let application = random.pick(applications) { return try toggleIgnoring(application) }
        guard let screen = random.pick(reference.screens)?.id, let seat = reference.seat(screen),
            seat.fingers.count < 4
        else { return }
        let update = newFinger(on: screen)
        say("touch \(update) on \(screen)")
        let explained = model.explain(update.point, on: screen)
        let routing = try apply(update, screen)
        let expected = reference.step(seat, update, screen)
        try check(routing, expected)
        let last = explained.last { $0.reason == .ignoring }
        guard (last != nil) == (expected.1 == .ignoring), last == nil || last == explained.last,
            expected.0 == nil || !explained.contains(where: { $0.window == expected.0?.window })
        else { throw Mismatch("H3: \(explained) explains \(expected)") }
    }

    private func apply(_ update: TouchUpdate, _ screen: Screen.ID) throws -> Routing {
        try model.touch(
            id: update.id, phase: update.phase, at: update.point, on: screen, attributes: update.attributes, time: time)
    }

    /// Several simultaneous touches.
    func touches() throws {
        guard let screen = random.pick(reference.screens)?.id, let seat = reference.seat(screen) else { return }
        var updates: [TouchUpdate] = []
        for finger in seat.fingers where finger.screen == screen && random.chance(60) { updates.append(next(finger)) }
        if seat.fingers.count < 4 { updates.insert(newFinger(on: screen), at: random.below(updates.count + 1)) }
        say("touches \(updates) on \(screen)")
        let routings = try model.touches(updates, on: screen, time: time)
        for (routing, expected) in zip(routings, reference.steps(seat, updates, screen)) {
            try check(routing, expected)
        }
    }

    private func toggleIgnoring(_ application: Application.ID) throws {
        if reference.ignoring[application, default: 0] > 0 {
            say("end ignoring \(application)")
            try model.endIgnoringInteractionEvents(application)
            reference.ignoring[application, default: 0] -= 1
        } else {
            say("begin ignoring \(application)")
            try model.beginIgnoringInteractionEvents(application)
            reference.ignoring[application, default: 0] += 1
        }
    }

    func press() throws {
        let seat = person()
        let code = UInt32(random.below(3))
        let down = !seat.pressed.contains(code)
        say("press \(code) \(down) of \(seat.id)")
        try check(
            try model.press(key: code, pressed: down, seat: seat.id, time: time), reference.press(seat, code, down))
    }

    /// The pointer moves, clicks, scrolls or pinches.
    func pointer() throws {
        let seat = person()
        let choice = random.below(6)
        say("pointer \(choice) of \(seat.id)")
        switch choice {
        case 0, 1, 2:
            guard let screen = random.pick(reference.screens)?.id, let seat = reference.seat(screen) else { return }
            let point = self.point(on: screen)
            say("to \(point) on \(screen)")
            try model.pointerMoved(to: point, on: screen, time: time)
            reference.move(seat, screen, point)
        case 3:
            let code = UInt32(272 + random.below(2))
            let isDown = seat.buttons.contains(code)
            let routing = try model.pointerButton(code: code, pressed: !isDown, seat: seat.id, time: time)
            try check(routing, reference.button(seat, code))
        case 4:
            let step = Event.Scroll(deltaX: 0, deltaY: 1, source: .finger)
            let rest = Event.Detail.scroll(Event.Scroll(deltaX: 0, deltaY: 0, source: .finger))
            let phase = random.chance(20) ? nil : self.phase(seat.scroll != nil)
            let routing = try model.scroll(step, phase: phase, seat: seat.id, time: time)
            try check(routing, reference.sequence(seat, &seat.scroll, .scroll, phase, .scroll(step), rest: rest))
        default:
            var gesture = Event.TransformGesture(scale: 2, deltaX: 3)
            if case .transform(let running) = seat.gesture?.rest { gesture.kind = running.kind }
            var rest = gesture
            rest.deltaX = 0
            let phase = self.phase(seat.gesture != nil)
            let routing = try model.transformGesture(gesture, phase: phase, seat: seat.id, time: time)
            let expected = reference.sequence(
                seat, &seat.gesture, .transform, phase, .transform(gesture), rest: .transform(rest))
            try check(routing, expected)
        }
    }

    private func phase(_ isRunning: Bool) -> Event.Phase {
        isRunning ? random.pick([.moved, .moved, .ended, .cancelled]) ?? .ended : .began
    }

    /// Shaking, remote control, and rarely a new seat.
    func others() throws {
        if random.chance(5) { return try addSeat() }
        if random.chance(30) { return try lockOrReserve() }
        let seat = person()
        if random.chance(50) {
            let phase: Event.Phase = seat.shake == nil ? .began : random.chance(70) ? .ended : .cancelled
            say("shake \(phase) of \(seat.id)")
            return try check(try model.shake(phase, seat: seat.id, time: time), reference.shake(seat, phase))
        }
        if random.chance(40), let application = random.pick(applications) {
            if reference.receivers.contains(application), random.chance(70) {
                say("end receiving \(application)")
                try model.endReceivingRemoteControlEvents(application)
                reference.receivers.removeAll { $0 == application }
            } else {
                say("begin receiving \(application)")
                try model.beginReceivingRemoteControlEvents(application)
                if !reference.receivers.contains(application) { reference.receivers.append(application) }
            }
            return
        }
        let command = random.pick(Event.RemoteCommand.allCases) ?? .play
        say("remote \(command) of \(seat.id)")
        let routing = try model.remoteControl(command, seat: seat.id, time: time)
        let expected = reference.remote(seat, command)
        let reason = reference.receivers.isEmpty ? nil : reference.restriction
        guard routing.receivers == expected, routing.reason == (expected.isEmpty ? reason ?? .notReceiving : nil)
        else {
            throw Mismatch("E4: \(routing), not \(expected)")
        }
    }

    /// Releases everything and ends all sequences; then nothing may be open (E1, E2, E3).
    func letGo() throws {
        say("let go")
        for seat in reference.seats {
            for finger in seat.fingers {
                let update = TouchUpdate(id: finger.id, phase: .ended, point: finger.point)
                try check(try apply(update, finger.screen), reference.step(seat, update, finger.screen))
            }
            for code in seat.pressed {
                let routing = try model.press(key: code, pressed: false, seat: seat.id, time: time)
                try check(routing, reference.press(seat, code, false))
            }
            for code in seat.buttons {
                let routing = try model.pointerButton(code: code, pressed: false, seat: seat.id, time: time)
                try check(routing, reference.button(seat, code))
            }
            if let run = seat.scroll, case .scroll(let step) = run.rest {
                let routing = try model.scroll(step, phase: .ended, seat: seat.id, time: time)
                try check(
                    routing, reference.sequence(seat, &seat.scroll, .scroll, .ended, .scroll(step), rest: run.rest))
            }
            if let run = seat.gesture, case .transform(let gesture) = run.rest {
                let routing = try model.transformGesture(gesture, phase: .ended, seat: seat.id, time: time)
                let expected = reference.sequence(
                    seat, &seat.gesture, .transform, .ended, .transform(gesture), rest: run.rest)
                try check(routing, expected)
            }
            try liftPencils(of: seat)
            if seat.shake != nil {
                try check(try model.shake(.ended, seat: seat.id, time: time), reference.shake(seat, .ended))
            }
        }
        try compare()
        try ledger.checkAtRest()
    }

    /// Throws the first difference between the seats.
    func compareSeats() throws {
        for seat in reference.seats {
            if model.keyWindow(of: seat.id) != seat.key {
                throw Mismatch("key of \(seat.id) is \(String(describing: model.keyWindow(of: seat.id)))")
            }
            if model.pressedKeys(of: seat.id) != seat.pressed {
                throw Mismatch("keys of \(seat.id) are \(model.pressedKeys(of: seat.id))")
            }
            if seat.grab == nil {
                let focus = model.pointerFocus(of: seat.id)
                // E7: it does not enter windows of programs that ignore interaction.
                let under = seat.hover == nil ? nil : reference.under(seat)
                if focus?.window != under?.window || focus?.surface != under?.surface {
                    throw Mismatch("the pointer of \(seat.id) is over \(String(describing: focus))")
                }
            }
            try ledger.compare(seat)
        }
        if model.ignoredEvents != reference.ignored { throw Mismatch("E7: \(model.ignoredEvents) events were blocked") }
        if model.touchCount != reference.seats.reduce(0, { $0 + $1.fingers.count }) { throw Mismatch("touches") }
    }
}
