// The pointer: motion, buttons with their implicit grab, scrolling and gestures (E5, E7, K7).

extension WindowModel {
    /// What the pointer was over when effects were last drained, or the pointer last moved.
    public var pointerFocus: PointerFocus? { input.focus }

    /// Where the pointer is, in points of the screen; nil before it has moved, and after its screen was unplugged.
    public var pointerLocation: (screen: Screen.ID, point: Point)? {
        input.pointerScreen.map { ($0, input.pointer) }
    }

    /// Injects a pointer position in points of `screen`; `time` in microseconds. With a button down the event goes to
    /// where the button went down. Throws S1 for an unknown screen.
    @discardableResult
    public func pointerMoved(
        to point: Point, on screen: Screen.ID, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        try Self.validate(point: point)
        let node = try node(screen)
        advance(to: time)
        input.pointerScreen = screen
        input.pointer = point
        let candidates = explain ? self.explain(point, on: screen) : []
        guard input.buttons.isEmpty else {
            guard let target = input.grab else {
                return Routing(outcome: .dropped(.cancelled), candidates: candidates)
            }
            return deliver(.touches, .moved, .pointer, to: target, at: point, on: screen)
        }
        guard let target = refreshPointerFocus() else {
            let reason: Routing.Reason = node.value.isInteractive ? .noWindow : .screenNotInteractive
            return Routing(outcome: .dropped(reason), candidates: candidates)
        }
        var routing = deliver(.hover, .moved, .pointer, to: target, at: point, on: screen)
        routing.candidates = candidates
        return routing
    }

    /// Injects a pointer button, `code` as in evdev; `time` in microseconds. The first one down finds the target, and
    /// all pointer events go there until the last is up. Throws E5 for a button that is down or up already.
    @discardableResult
    public func pointerButton(
        code: UInt32, pressed: Bool, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let held = input.buttons.firstIndex(of: code)
        guard pressed == (held == nil) else {
            throw .notAllowed("E5", "button \(code) is \(pressed ? "down" : "up") already; it goes down and up in turn")
        }
        advance(to: time)
        if let held { return releaseButton(code, at: held) }
        var candidates: [Routing.Candidate] = []
        var reason = Routing.Reason.cancelled
        if input.buttons.isEmpty {
            refreshPointerFocus()
            (input.grab, reason) = newPointerTarget()
            if explain, let screen = input.pointerScreen { candidates = self.explain(input.pointer, on: screen) }
            if let target = input.grab { keyOnTouch(target.window) }
        }
        input.buttons.append(code)
        guard let target = input.grab else {
            return Routing(outcome: .dropped(reason), candidates: candidates)
        }
        var routing = deliver(
            .touches, .began, .button(code), to: target, at: input.pointer, on: input.pointerScreen)
        routing.candidates = candidates
        return routing
    }

    /// Injects scrolling where the pointer is; `time` in microseconds. With a phase the events from began to ended
    /// stay with the window where they began (E5); nil: a step of its own, like a wheel's click.
    @discardableResult
    public func scroll(_ scroll: Event.Scroll, phase: Event.Phase?, time: UInt64) throws(ModelError) -> Routing {
        guard scroll.deltaX.isFinite, scroll.deltaY.isFinite else {
            throw .invalid("E5", "scroll deltas must be finite")
        }
        return try sequence(\.scroll, .scroll, phase, .scroll(scroll), time: time)
    }

    /// Injects a step of a gesture where the pointer is, like `scroll` with a phase (E5).
    @discardableResult
    public func transformGesture(
        _ gesture: Event.TransformGesture, phase: Event.Phase, time: UInt64
    ) throws(ModelError) -> Routing {
        guard gesture.scale.isFinite, gesture.rotation.isFinite, gesture.deltaX.isFinite, gesture.deltaY.isFinite
        else { throw .invalid("E5", "the numbers of a gesture must be finite") }
        return try sequence(\.gesture, .transform, phase, .transform(gesture), time: time)
    }

    /// Brings the focus in line with what is under the pointer now, and records a change.
    @discardableResult
    func refreshPointerFocus() -> Input.Target? {
        // A grab keeps the focus where it is.
        if !input.buttons.isEmpty, let grab = input.grab { return grab }
        let target = input.buttons.isEmpty ? pointerTarget() : nil
        guard target?.window.id != input.focus?.window || target?.surface != input.focus?.surface else {
            return target
        }
        input.focus = nil
        if let target, let screen = input.pointerScreen {
            input.focus = PointerFocus(
                application: target.window.value.application, window: target.window.id, surface: target.surface,
                location: location(of: input.pointer, on: screen, in: target), screen: screen,
                serial: nextSerial())
        }
        record(.pointerFocus(input.focus))
        return target
    }

    private func pointerTarget() -> Input.Target? {
        guard let screen = input.pointerScreen.flatMap({ screenNode($0) }), screen.value.isInteractive else {
            return nil
        }
        return hit(input.pointer, on: screen)?.target
    }

    /// Who takes what begins at the pointer.
    private func newPointerTarget() -> (Input.Target?, Routing.Reason) {
        guard let screen = input.pointerScreen.flatMap({ screenNode($0) }) else { return (nil, .noWindow) }
        return interactionTarget(at: input.pointer, on: screen)
    }

    private func releaseButton(_ code: UInt32, at index: Int) -> Routing {
        input.buttons.remove(at: index)
        let target = input.grab
        var routing = Routing(outcome: .dropped(.cancelled))
        if let target {
            routing = deliver(
                .touches, .ended, .button(code), to: target, at: input.pointer, on: input.pointerScreen)
        }
        if input.buttons.isEmpty {
            input.grab = nil
            refreshPointerFocus()
        }
        return routing
    }

    private func sequence(
        _ path: WritableKeyPath<Input, Input.Sequence?>, _ kind: Event.Kind, _ phase: Event.Phase?,
        _ detail: Event.Detail, time: UInt64
    ) throws(ModelError) -> Routing {
        let running = input[keyPath: path]
        switch phase {
        case nil: break
        case .began:
            guard running == nil else {
                throw .notAllowed("E5", "such a sequence is running; it must end before another begins")
            }
        default:
            guard running != nil else { throw .notAllowed("E5", "no such sequence is running; it must begin first") }
        }
        advance(to: time)
        var target = running?.target
        var reason = Routing.Reason.cancelled
        if phase == nil || phase == .began {
            if input.buttons.isEmpty { (target, reason) = newPointerTarget() } else { target = input.grab }
        }
        if phase == .began { input[keyPath: path] = Input.Sequence(target: target) }
        if phase == .ended || phase == .cancelled { input[keyPath: path] = nil }
        guard let target else { return Routing(outcome: .dropped(reason)) }
        return deliver(kind, phase ?? .moved, detail, to: target, at: input.pointer, on: input.pointerScreen)
    }
}
