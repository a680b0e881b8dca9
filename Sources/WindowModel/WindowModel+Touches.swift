// Touches: the target is found when a touch begins, and kept (E1, E2, E7, K7).

import MullionGeometry

/// A step of one touch, for injecting several at once.
public struct TouchUpdate: Hashable, Sendable {
    /// Unique among the active touches of the screen's seat.
    public var id: Int32
    public var phase: Event.Phase
    /// In points of the screen; ignored for `stationary`.
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
    /// E1: the number of active touches on all seats, including those without a target.
    public var touchCount: Int { input.touchCount }

    /// The same for one seat; 0 for a seat that does not exist.
    public func touchCount(of seat: Seat.ID) -> Int { input[seat].touches.count }

    /// Injects a step of a touch by the seat of `screen`. `point` is in points of `screen` (`stationary` keeps the last
    /// one), `time` in microseconds. `explain` fills `Routing.candidates` (for a touch that begins), at the cost of
    /// visiting every window of the screen. Throws S1 for an unknown screen, E1 for a touch that begins twice, never
    /// began, or has changed its screen, for invalid attributes, and for more touches than `setMaximumTouches` allows.
    @discardableResult
    public func touch(
        id: Int32, phase: Event.Phase, at point: Point, on screen: Screen.ID,
        attributes: Event.TouchAttributes = .finger, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        try touch(
            TouchUpdate(id: id, phase: phase, point: point, attributes: attributes), on: screen, time: time,
            explain: explain)
    }

    /// The same. `found`: the hit test at the point of a touch that begins, if already known.
    @discardableResult
    public func touch(
        _ update: TouchUpdate, on screen: Screen.ID, found: HitTest? = nil, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let (owner, touch) = try input.touch(update, on: screen, of: seat(of: screen))
        let seat = try node(owner)
        beginInput(of: seat, at: time)
        return deliver(touch, update.phase, of: seat, found: found, explain: explain)
    }

    /// Injects steps of several touches on one screen together: their events have the same `group`. A window that
    /// receives one of them also receives its other active touches as `stationary` in the group, so that the group
    /// holds all touches of the window, as UIKit's events do. All or nothing: throws what `touch` throws, and E1 for a
    /// touch that is named twice. Returns the routings of the updates, in order. `found`: the hit tests at the points
    /// of those that begin, in the same order, if already known.
    @discardableResult
    public func touches(
        _ updates: [TouchUpdate], on screen: Screen.ID, found: [HitTest?] = [], time: UInt64, explain: Bool = false
    ) throws(ModelError) -> [Routing] {
        guard let (id, touches) = try input.touches(updates, on: screen, of: self.seat(of: screen)) else { return [] }
        let seat = try node(id)
        beginInput(of: seat, at: time)
        touchGroup = 0
        defer { touchGroup = nil }
        var found = found[...]
        let routings = zip(updates, touches).map { update, touch in
            let hit = update.phase == .began ? found.popFirst() ?? nil : nil
            return deliver(touch, update.phase, of: seat, found: hit, explain: explain)
        }
        for touch in input[seat].touches where !updates.contains(where: { $0.id == touch.id }) {
            guard let target = seat.touchTargets[touch.id],
                routings.contains(where: { $0.hit?.window == target.window.id })
            else { continue }
            deliver(touch, .stationary, to: target, from: seat)
        }
        return routings
    }

    /// Delivers a step that was performed to the receiver of the touch's beginning.
    private func deliver(
        _ touch: SeatInput.Touch, _ phase: Event.Phase, of seat: SeatNode, found: HitTest?, explain: Bool
    ) -> Routing {
        switch phase {
        case .began: return begin(touch, of: seat, found: found, explain: explain)
        case .moved, .stationary:
            guard let target = seat.target(ofTouch: touch.id) else { return Routing(outcome: .dropped(.cancelled)) }
            return deliver(touch, phase, to: target, from: seat)
        case .ended, .cancelled:
            defer { pencilDidLift(touch.id, of: seat) }
            guard let target = seat.removeTarget(ofTouch: touch.id) else {
                return Routing(outcome: .dropped(.cancelled))
            }
            return deliver(touch, phase, to: target, from: seat)
        }
    }

    private func begin(_ touch: SeatInput.Touch, of seat: SeatNode, found: HitTest?, explain: Bool) -> Routing {
        pencilWillLand(touch.id, of: seat)
        let found = stillValid(found, explain: explain) ?? hitTest(touch.point, on: touch.screen, explain: explain)
        let (target, reason) = interactionTarget(found)
        guard let target else { return Routing(outcome: .dropped(reason), candidates: found.candidates) }
        seat.touchTargets.add(target, of: touch.id)
        keyOnTouch(target.window)
        var routing = deliver(touch, .began, to: target, from: seat)
        if explain { routing.candidates = found.candidates }
        return routing
    }

    @discardableResult
    private func deliver(
        _ touch: SeatInput.Touch, _ phase: Event.Phase, to target: SeatNode.Target, from seat: SeatNode
    ) -> Routing {
        deliver(
            .touches, phase, .touch(touch.id), to: target, from: seat, at: touch.point, on: touch.screen,
            attributes: touch.attributes)
    }

    /// The receiver of an interaction that begins where `found` was hit, or why there is none. Nil: at no point.
    func interactionTarget(_ found: HitTest?) -> (SeatNode.Target?, Routing.Reason) {
        guard let found, let target = found.target else { return (nil, found?.reason ?? .noWindow) }
        // E7: the events are dropped, not passed to the window behind.
        guard isIgnoring(target.window) else { return (target, .noWindow) }
        ignoredEvents += 1
        return (nil, .ignoring)
    }

    /// E2: drops these touches' further events; they still have to end.
    func cancelTouches(of seat: SeatNode, where isAffected: (SeatInput.Touch, SeatNode.Target) -> Bool) {
        guard !seat.touchTargets.isEmpty else { return }
        for touch in input[seat].touches {
            guard let target = seat.touchTargets[touch.id], isAffected(touch, target) else { continue }
            _ = seat.touchTargets.remove(touch.id)
            deliver(touch, .cancelled, to: target, from: seat)
        }
    }

    /// E2: cancels touches on a disconnected screen. Usually hiding its windows has done that already.
    func cancelTouches(of seat: SeatNode, on screen: Screen.ID) {
        cancelTouches(of: seat) { touch, _ in touch.screen == screen }
        cancelCarried(of: seat) { touch, _ in touch?.screen == screen }
    }
}
