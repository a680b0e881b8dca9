// Touches: the target is found when one begins, and kept (E1, E2, E7, K7).

extension WindowModel {
    /// E1: how many touches are down, those that go nowhere included.
    public var touchCount: Int { input.touches.count }

    /// Injects a step of a touch. `point` is in points of `screen`, `time` in microseconds. `explain` fills
    /// `Routing.candidates` (for a touch that begins), at the cost of looking at every window of the screen. Throws S1
    /// for an unknown screen, E1 for a touch that begins twice, never began, or has changed its screen.
    @discardableResult
    public func touch(
        id: Int32, phase: Event.Phase, at point: Point, on screen: Screen.ID, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        try Self.validate(point: point)
        let running = input.touches.firstIndex { $0.id == id }
        if phase == .began {
            guard running == nil else {
                throw .notAllowed("E1", "touch \(id) is down; it must end before another with its id begins")
            }
            let node = try node(screen)
            advance(to: time)
            return beginTouch(id, at: point, on: node, explain: explain)
        }
        guard let running else { throw .notAllowed("E1", "touch \(id) is not down; it must begin first") }
        guard input.touches[running].screen == screen else {
            throw .notAllowed("E1", "touch \(id) began on screen \(input.touches[running].screen) and stays there")
        }
        advance(to: time)
        let target = input.touches[running].target
        if phase == .ended || phase == .cancelled {
            input.touches.remove(at: running)
        } else {
            input.touches[running].point = point
        }
        guard let target else { return Routing(outcome: .dropped(.cancelled)) }
        return deliver(.touches, phase, .touch(id), to: target, at: point, on: screen)
    }

    private func beginTouch(_ id: Int32, at point: Point, on screen: ScreenNode, explain: Bool) -> Routing {
        let candidates = explain ? self.explain(point, on: screen.id) : []
        var touch = Input.Touch(id: id, screen: screen.id, target: nil, point: point)
        let (target, reason) = interactionTarget(at: point, on: screen)
        touch.target = target
        input.touches.append(touch)
        guard let target else { return Routing(outcome: .dropped(reason), candidates: candidates) }
        keyOnTouch(target.window)
        var routing = deliver(.touches, .began, .touch(id), to: target, at: point, on: screen.id)
        routing.candidates = candidates
        return routing
    }

    /// Who takes an interaction that begins at a point, or why nobody does.
    func interactionTarget(at point: Point, on screen: ScreenNode) -> (Input.Target?, Routing.Reason) {
        guard screen.value.isInteractive else { return (nil, .screenNotInteractive) }
        guard let target = hit(point, on: screen)?.target else { return (nil, .noWindow) }
        // E7: the events are ignored, not passed on to what is behind.
        return isIgnoring(target) ? (nil, .ignoring) : (target, .noWindow)
    }

    /// E2: touches on a screen that is gone go nowhere; they still have to end. Usually hiding its windows has
    /// cancelled them.
    func cancelTouches(on screen: Screen.ID) {
        for index in input.touches.indices where input.touches[index].screen == screen {
            guard let target = input.touches[index].target else { continue }
            input.touches[index].target = nil
            let touch = input.touches[index]
            deliver(.touches, .cancelled, .touch(touch.id), to: target, at: touch.point, on: screen)
        }
    }
}
