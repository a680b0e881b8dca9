// Touches: the target is found when one begins, and kept (E1, E2, E7, K7).

import Geometry

/// One touch's step, for several at one moment.
public struct TouchUpdate: Hashable, Sendable {
    /// Unique among the touches that are down on the screen's seat.
    public var id: Int32
    public var phase: Event.Phase
    /// In points of the screen; not looked at for `stationary`.
    public var point: Point
    public var attributes: Event.TouchAttributes

    public init(id: Int32, phase: Event.Phase, point: Point, attributes: Event.TouchAttributes = .finger) {
        self.id = id
        self.phase = phase
        self.point = point
        self.attributes = attributes
    }
}

extension WindowModel {
    /// E1: how many touches are down on all seats, those that go nowhere included.
    public var touchCount: Int { seatNodes.reduce(0) { $0 + $1.touches.count } }

    /// The same for one seat; 0 for a seat that does not exist.
    public func touchCount(of seat: Seat.ID) -> Int { seatNode(seat)?.touches.count ?? 0 }

    /// Injects a step of a touch by the seat of `screen`. `point` is in points of `screen` (`stationary` keeps the last
    /// one), `time` in microseconds. `explain` fills `Routing.candidates` (for a touch that begins), at the cost of
    /// looking at every window of the screen. Throws S1 for an unknown screen, E1 for a touch that begins twice, never
    /// began, or has changed its screen, and for attributes that cannot be.
    @discardableResult
    public func touch(
        id: Int32, phase: Event.Phase, at point: Point, on screen: Screen.ID,
        attributes: Event.TouchAttributes = .finger, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let update = TouchUpdate(id: id, phase: phase, point: point, attributes: attributes)
        let seat = try touchSeat(id, phase, screen)
        try check(update, of: seat, on: screen)
        advance(to: time)
        return carryOut(update, of: seat, on: screen, explain: explain)
    }

    /// Injects steps of several touches on one screen as one: their events have the same `group`, and in each window
    /// that gets one of them, its touches that are down and not among the updates are told as `stationary` in the group
    /// too, so that it holds all touches of the window as UIKit's events do. All or nothing: throws what `touch` throws,
    /// and E1 for a touch that is named twice. The answers are those to the updates, in their order.
    @discardableResult
    public func touches(
        _ updates: [TouchUpdate], on screen: Screen.ID, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> [Routing] {
        var named: Set<Int32> = []
        for update in updates {
            guard named.insert(update.id).inserted else {
                throw .notAllowed(.e1, "touch \(update.id) is named twice; a touch takes one step at a time")
            }
            try check(update, of: try touchSeat(update.id, update.phase, screen), on: screen)
        }
        guard let first = updates.first else { return [] }
        let seat = try touchSeat(first.id, first.phase, screen)
        advance(to: time)
        touchGroup = 0
        defer { touchGroup = nil }
        let routings = updates.map { carryOut($0, of: seat, on: screen, explain: explain) }
        for touch in seat.touches where !named.contains(touch.id) {
            guard let target = touch.target, routings.contains(where: { $0.hit?.window == target.window.id }) else {
                continue
            }
            deliver(touch, .stationary, to: target, from: seat)
        }
        return routings
    }

    /// The seat whose touch on a screen is meant. A touch whose screen was unplugged still has to end.
    private func touchSeat(_ id: Int32, _ phase: Event.Phase, _ screen: Screen.ID) throws(ModelError) -> SeatNode {
        if let seat = screenNode(screen)?.seat { return seat }
        let holder = seatNodes.first { seat in seat.touches.contains { $0.id == id && $0.screen == screen } }
        guard phase != .began, let holder else { throw .unknown(screen) }
        return holder
    }

    private func check(_ update: TouchUpdate, of seat: SeatNode, on screen: Screen.ID) throws(ModelError) {
        try Self.validate(point: update.point)
        try update.attributes.validate()
        let running = seat.touches.firstIndex { $0.id == update.id }
        if update.phase == .began {
            guard running == nil else {
                throw .notAllowed(.e1, "touch \(update.id) is down; it must end before another with its id begins")
            }
            return
        }
        guard let running else {
            throw .notAllowed(.e1, "touch \(update.id) is not down; it must begin first")
        }
        guard seat.touches[running].screen == screen else {
            throw .notAllowed(
                .e1, "touch \(update.id) began on screen \(seat.touches[running].screen) and stays there")
        }
    }

    /// A step that was checked.
    private func carryOut(_ update: TouchUpdate, of seat: SeatNode, on screen: Screen.ID, explain: Bool) -> Routing {
        guard let running = seat.touches.firstIndex(where: { $0.id == update.id }) else {
            return begin(update, of: seat, on: screen, explain: explain)
        }
        if update.phase != .stationary { seat.touches[running].point = update.point }
        seat.touches[running].attributes = update.attributes
        let touch = seat.touches[running]
        if update.phase == .ended || update.phase == .cancelled { seat.touches.remove(at: running) }
        guard let target = touch.target else { return Routing(outcome: .dropped(.cancelled)) }
        return deliver(touch, update.phase, to: target, from: seat)
    }

    private func begin(_ update: TouchUpdate, of seat: SeatNode, on screen: Screen.ID, explain: Bool) -> Routing {
        let candidates = explain ? self.explain(update.point, on: screen) : []
        let (target, reason) = interactionTarget(at: update.point, on: screenNode(screen))
        let touch = SeatNode.Touch(
            id: update.id, screen: screen, target: target, point: update.point, attributes: update.attributes)
        seat.touches.append(touch)
        guard let target else { return Routing(outcome: .dropped(reason), candidates: candidates) }
        keyOnTouch(target.window)
        var routing = deliver(touch, .began, to: target, from: seat)
        routing.candidates = candidates
        return routing
    }

    @discardableResult
    private func deliver(
        _ touch: SeatNode.Touch, _ phase: Event.Phase, to target: SeatNode.Target, from seat: SeatNode
    ) -> Routing {
        deliver(
            .touches, phase, .touch(touch.id), to: target, from: seat, at: touch.point, on: touch.screen,
            attributes: touch.attributes)
    }

    /// Who takes an interaction that begins at a point, or why nobody does.
    func interactionTarget(at point: Point, on screen: ScreenNode?) -> (SeatNode.Target?, Routing.Reason) {
        guard let screen else { return (nil, .noWindow) }
        guard screen.value.isInteractive else { return (nil, .screenNotInteractive) }
        guard let target = hit(point, on: screen)?.target else { return (nil, .noWindow) }
        // E7: the events are ignored, not passed on to what is behind.
        return isIgnoring(target.window) ? (nil, .ignoring) : (target, .noWindow)
    }

    /// E2: these touches go nowhere from now on; they still have to end.
    func cancelTouches(of seat: SeatNode, where isAffected: (SeatNode.Touch) -> Bool) {
        for index in seat.touches.indices {
            let touch = seat.touches[index]
            guard let target = touch.target, isAffected(touch) else { continue }
            seat.touches[index].target = nil
            deliver(touch, .cancelled, to: target, from: seat)
        }
    }

    /// E2: touches on a screen that is gone. Usually hiding its windows has cancelled them.
    func cancelTouches(of seat: SeatNode, on screen: Screen.ID) {
        cancelTouches(of: seat) { $0.screen == screen }
    }
}
