// Delivers and cancels events: the code shared by all kinds (E2, E9, H3).

import MullionGeometry

extension WindowModel {
    /// E9: time never runs backwards, whatever the injector passes.
    func advance(to time: UInt64) { now = max(now, time) }

    /// Called for every valid step of input.
    func beginInput(of seat: SeatNode, at time: UInt64) {
        advance(to: time)
        seat.inputCount &+= 1
    }

    /// How many steps of input a seat has had, delivered or not: while the number is the same, its user was away. 0 for
    /// a seat that does not exist.
    public func inputCount(of seat: Seat.ID) -> UInt64 { seatNode(seat)?.inputCount ?? 0 }

    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// Records the delivery of an event at a point of a screen; nil for an event without a position.
    @discardableResult
    func deliver(
        _ kind: Event.Kind, _ phase: Event.Phase, _ detail: Event.Detail, to target: SeatNode.Target,
        from seat: SeatNode, at point: Point? = nil, on screen: Screen.ID?, attributes: Event.TouchAttributes? = nil
    ) -> Routing {
        let location = point.map { self.location(of: $0, on: screen, in: target) } ?? .zero
        let serial = nextSerial()
        record(
            .deliver(
                Event(
                    kind: kind, phase: phase, detail: detail, seat: seat.id,
                    application: target.window.value.application, window: target.window.id, surface: target.surface,
                    location: location, screenLocation: point ?? .zero, screen: screen, touchAttributes: attributes,
                    timestamp: now, serial: serial,
                    group: kind == .touches && attributes != nil ? group(serial) : serial)))
        return Routing(
            outcome: .hit(
                Routing.Hit(
                    window: target.window.id, surface: target.surface, location: location,
                    screenLocation: point ?? .zero, screen: screen)))
    }

    /// The group of a touch with this serial.
    private func group(_ serial: UInt64) -> UInt64 {
        guard let group = touchGroup else { return serial }
        if group == 0 { touchGroup = serial }
        return group == 0 ? serial : group
    }

    /// Converts a point of a screen to the target surface, wherever that is now (R4). A drag that has left the target's
    /// screen continues in the global layout.
    func location(of point: Point, on screen: Screen.ID?, in target: SeatNode.Target) -> Point {
        var point = point
        if let own = target.window.screen, own.id != screen, let other = screen.flatMap({ screenNode($0) }) {
            point = point + other.value.position - own.value.position
        }
        let inWindow = (target.window.fromScreen?.apply(to: point) ?? point).withoutDust
        guard let surface = target.surface.flatMap({ surfaces.index($0) }) else { return inWindow }
        return inWindow - surfaces.offset(of: surface)
    }

    /// E2: ends all sequences of a window.
    func cancelSequences(in window: WindowNode) {
        cancelSequences { $0.window === window }
    }

    /// E2: ends all sequences on a surface and what is under it.
    func cancelSequences(inTree index: UInt32) {
        cancelSequences { target in
            guard let surface = target.surface.flatMap({ self.surfaces.index($0) }) else { return false }
            return self.surfaces.isInside(surface, index)
        }
    }

    /// E2: cancels each target once and drops the rest of its sequence. Presses and shaking end when the window resigns
    /// key.
    func cancelSequences(where isAffected: (SeatNode.Target) -> Bool) {
        for seat in seatNodes {
            cancelTouches(of: seat) { _, target in isAffected(target) }
            cancelPencils(of: seat, where: isAffected)
            cancelPointer(of: seat, where: isAffected)
        }
    }

    /// E2: hands a touch, or the pointer's press if nil, to a drag of a window. It does not end with that, nor when the
    /// window moves to another screen, but with its own screen, its application, or the right to receive input. What an
    /// earlier drag has taken, and what is still down, is cancelled. Does nothing if it has no target any more.
    public func carry(touch: Int32?, of id: Seat.ID) {
        guard let seat = seatNode(id) else { return }
        let taken = if let touch { seat.touchTargets.remove(touch) } else { seat.grab }
        guard let target = taken else { return }
        if touch == nil { seat.grab = nil }
        cancelCarried(of: seat) { _, _ in true }
        seat.carried = (touch, target)
    }

    /// E2: cancels what a drag of a window has taken.
    /// - Parameter isAffected: is passed the touch, or nil for the pointer's press, and the target.
    func cancelCarried(of seat: SeatNode, where isAffected: (SeatInput.Touch?, SeatNode.Target) -> Bool) {
        guard let (id, target) = seat.carried else { return }
        let touch = input[seat].touches.first { $0.id == id }
        guard isAffected(touch, target) else { return }
        seat.carried = nil
        structureChanged = true
        deliver(
            .touches, .cancelled, touch.map { .touch($0.id) } ?? input[seat].cancelledButton, to: target, from: seat,
            at: touch?.point ?? input[seat].pointer, on: touch?.screen ?? input[seat].pointerScreen,
            attributes: touch?.attributes)
    }

    /// E2: a pointer whose screen is gone has no position, and its sequences in windows of other screens end too.
    func losePointer(of seat: SeatNode, on screen: Screen.ID) {
        guard input[seat].pointerScreen == screen else { return }
        cancelPointer(of: seat) { _ in true }
        cancelCarried(of: seat) { touch, _ in touch == nil }
        input[seat].pointerScreen = nil
        structureChanged = true
    }

    private func cancelPointer(of seat: SeatNode, where isAffected: (SeatNode.Target) -> Bool) {
        func cancel(_ kind: Event.Kind, _ detail: Event.Detail, _ target: SeatNode.Target) {
            let (pointer, screen) = (input[seat].pointer, input[seat].pointerScreen)
            deliver(kind, .cancelled, detail, to: target, from: seat, at: pointer, on: screen)
        }
        if let target = seat.grab, isAffected(target) {
            seat.grab = nil
            cancel(.touches, input[seat].cancelledButton, target)
            structureChanged = true
        }
        if let target = seat.hover, isAffected(target) {
            seat.hover = nil
            cancel(.hover, .pointer, target)
            structureChanged = true
        }
        if let target = seat.scroll, isAffected(target) {
            seat.scroll = nil
            cancel(.scroll, input[seat].cancelledScroll, target)
        }
        if let target = seat.gesture, isAffected(target) {
            seat.gesture = nil
            cancel(.transform, input[seat].cancelledGesture, target)
        }
    }

    /// E7: whether the window's application accepts no new interaction.
    func isIgnoring(_ window: WindowNode) -> Bool { window.application.value.ignoringDepth > 0 }

    /// K7: applies a touch or click to windows of programs that cannot ask to become key.
    func keyOnTouch(_ window: WindowNode) {
        guard policy.keyOnTouch, window.value.keyOnTouch else { return }
        enterFront(window)
        requestKey(window)
    }
}
