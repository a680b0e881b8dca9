// Pencils above a screen: which windows and surfaces they are over (E5, E7).

extension WindowModel {
    /// Injects a step of a pencil that is above `screen` without touching it: it comes (began), moves, or goes (ended).
    /// Its buttons, angles and distance are attributes. Meanwhile a touch of its id can begin and end; then the pencil
    /// is above the screen again. `point` is in points of `screen` (`stationary` keeps the last one), `time` in
    /// microseconds. Throws S1 for an unknown screen, E5 for anything but a pencil, and for a step out of order, E1 and
    /// E9 for invalid numbers.
    @discardableResult
    public func pencil(
        _ update: TouchUpdate, on screen: Screen.ID, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        guard let seat = try node(screen).seat else { throw .unknown(screen) }
        let pencil = try input.pencil(update, on: screen, of: seat.id)
        beginInput(of: seat, at: time)
        guard !SeatInput.ends(update.phase) else { return leave(pencil, of: seat, .ended) }
        guard explain else { return follow(pencil, of: seat, moved: true) }
        let found = hitTest(pencil.point, on: screen, explain: true)
        var routing = follow(pencil, of: seat, moved: true, found: found)
        routing.candidates = found.candidates
        return routing
    }

    /// Called when what is under the pencils may have changed.
    func followPencils(of seat: SeatNode) {
        for pencil in input[seat].pencils where !isDown(pencil, of: seat) { follow(pencil, of: seat, moved: false) }
    }

    private func isDown(_ pencil: SeatInput.Touch, of seat: SeatNode) -> Bool {
        input[seat].touches.contains { $0.id == pencil.id }
    }

    /// Notifies the window under the pencil, as `followPointer` does for the pointer.
    @discardableResult
    private func follow(
        _ pencil: SeatInput.Touch, of seat: SeatNode, moved: Bool, found: HitTest? = nil
    ) -> Routing {
        guard let screen = screenNode(pencil.screen), screen.value.isInteractive else {
            leave(pencil, of: seat, .ended)
            return Routing(outcome: .dropped(.screenNotInteractive))
        }
        let target = found.map { $0.target } ?? hit(pencil.point, on: screen)?.target
        if seat.pencilTargets[pencil.id]?.window !== target?.window { leave(pencil, of: seat, .ended) }
        guard let target else {
            return Routing(outcome: .dropped(screen.bounds.contains(pencil.point) ? .noWindow : .outsideScreen))
        }
        let old = seat.pencilTargets.remove(pencil.id)
        // E7: a pencil cannot enter, but stays where it is already.
        guard old != nil || !isIgnoring(target.window) else {
            if moved { ignoredEvents += 1 }
            return Routing(outcome: .dropped(.ignoring))
        }
        seat.pencilTargets.add(target, of: pencil.id)
        guard moved || old == nil || old?.surface != target.surface else {
            return Routing(outcome: .dropped(.noWindow))
        }
        return deliver(pencil, old == nil ? .began : .moved, to: target, from: seat)
    }

    /// Ends the hovering in the window that was last notified of it.
    @discardableResult
    private func leave(_ pencil: SeatInput.Touch, of seat: SeatNode, _ phase: Event.Phase) -> Routing {
        guard let target = seat.pencilTargets.remove(pencil.id) else { return Routing(outcome: .dropped(.cancelled)) }
        return deliver(pencil, phase, to: target, from: seat)
    }

    private func deliver(
        _ pencil: SeatInput.Touch, _ phase: Event.Phase, to target: SeatNode.Target, from seat: SeatNode
    ) -> Routing {
        deliver(
            .hover, phase, .touch(pencil.id), to: target, from: seat, at: pencil.point, on: pencil.screen,
            attributes: pencil.attributes)
    }

    // MARK: Touches

    /// Called before a touch begins: if it is a pencil, that no longer hovers in a window.
    func pencilWillLand(_ id: Int32, of seat: SeatNode) {
        guard let pencil = input[seat].pencils.first(where: { $0.id == id }) else { return }
        leave(pencil, of: seat, .ended)
    }

    /// Called after a touch has ended: if it was a pencil, that hovers again.
    func pencilDidLift(_ id: Int32, of seat: SeatNode) {
        guard let pencil = input[seat].pencils.first(where: { $0.id == id }) else { return }
        follow(pencil, of: seat, moved: true)
    }

    // MARK: Cancelling

    /// E2: the windows are notified; a pencil remains above its screen, and can enter others.
    func cancelPencils(of seat: SeatNode, where isAffected: (SeatNode.Target) -> Bool) {
        guard !seat.pencilTargets.isEmpty else { return }
        for pencil in input[seat].pencils {
            guard let target = seat.pencilTargets[pencil.id], isAffected(target) else { continue }
            leave(pencil, of: seat, .cancelled)
            structureChanged = true
        }
    }

    /// E2: the pencils above a screen that is gone are gone too.
    func losePencils(of seat: SeatNode, on screen: Screen.ID) {
        for pencil in input[seat].pencils where pencil.screen == screen { leave(pencil, of: seat, .cancelled) }
        input[seat].pencils.removeAll { $0.screen == screen }
    }
}
