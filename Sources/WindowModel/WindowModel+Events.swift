// Delivering and cancelling: what all kinds of events share (E2, E9, H3).

extension WindowModel {
    /// E9: time never runs backwards, whatever the injector says.
    func advance(to time: UInt64) { input.now = max(input.now, time) }

    func nextSerial() -> UInt64 {
        input.serial += 1
        return input.serial
    }

    /// Records the delivery of an event at a point of a screen, nil: an event without a place.
    @discardableResult
    func deliver(
        _ kind: Event.Kind, _ phase: Event.Phase, _ detail: Event.Detail, to target: Input.Target,
        at point: Point? = nil, on screen: Screen.ID?
    ) -> Routing {
        let location = point.map { self.location(of: $0, on: screen, in: target) } ?? .zero
        record(
            .deliver(
                Event(
                    kind: kind, phase: phase, detail: detail, application: target.window.value.application,
                    window: target.window.id, surface: target.surface, location: location,
                    screenLocation: point ?? .zero, screen: screen, timestamp: input.now, serial: nextSerial())))
        return Routing(
            outcome: .hit(
                Routing.Hit(
                    window: target.window.id, surface: target.surface, location: location,
                    screenLocation: point ?? .zero, screen: screen)))
    }

    /// A point of a screen in the target surface, wherever that is by now (R4). A drag that has left the target's
    /// screen goes on in the global layout.
    func location(of point: Point, on screen: Screen.ID?, in target: Input.Target) -> Point {
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

    /// E2: each target is told once; the rest of its sequence goes nowhere.
    func cancelSequences(where isAffected: (Input.Target) -> Bool) {
        for index in input.touches.indices {
            let touch = input.touches[index]
            guard let target = touch.target, isAffected(target) else { continue }
            input.touches[index].target = nil
            deliver(.touches, .cancelled, .touch(touch.id), to: target, at: touch.point, on: touch.screen)
        }
        let screen = input.pointerScreen
        if let target = input.grab, isAffected(target) {
            input.grab = nil
            let detail = input.buttons.first.map { Event.Detail.button($0) } ?? .pointer
            deliver(.touches, .cancelled, detail, to: target, at: input.pointer, on: screen)
            structureChanged = true
        }
        if let target = input.scroll?.target, isAffected(target) {
            input.scroll?.target = nil
            let none = Event.Scroll(deltaX: 0, deltaY: 0)
            deliver(.scroll, .cancelled, .scroll(none), to: target, at: input.pointer, on: screen)
        }
        if let target = input.gesture?.target, isAffected(target) {
            input.gesture?.target = nil
            let none = Event.TransformGesture()
            deliver(.transform, .cancelled, .transform(none), to: target, at: input.pointer, on: screen)
        }
    }

    /// E7: whether the owner takes no new interaction.
    func isIgnoring(_ target: Input.Target) -> Bool { target.window.application.value.ignoringDepth > 0 }

    /// K7: what a touch or click does to windows of programs that cannot ask to be key.
    func keyOnTouch(_ window: WindowNode) {
        guard policy.keyOnTouch, window.value.keyOnTouch else { return }
        enterFront(window)
        requestKey(window)
    }

    static func validate(point: Point) throws(ModelError) {
        guard point.isFinite else { throw .invalid("E9", "the position of an event must be finite") }
    }
}
