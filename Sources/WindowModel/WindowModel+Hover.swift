// Hovering: which window and surface the pointer is over (E5, E7).

extension WindowModel {
    /// Updates hover and focus to what is now under the pointer: first the window it left is notified, then the focus
    /// changes, then the window it entered is notified.
    /// - Parameter moved: whether the pointer moved, which is reported to the window it stays in.
    /// - Parameter found: the hit test at the pointer, if already known.
    @discardableResult
    func followPointer(of seat: SeatNode, moved: Bool = false, found: HitTest? = nil) -> Routing {
        // During a grab nothing changes.
        guard seat.pressTarget == nil else { return Routing(outcome: .dropped(.cancelled)) }
        let (pointer, pointerScreen) = (input[seat].pointer, input[seat].pointerScreen)
        guard let screen = pointerScreen.flatMap({ screenNode($0) }), screen.value.isInteractive else {
            leaveWindow(of: seat)
            focus(nil, of: seat)
            return Routing(outcome: .dropped(pointerScreen == nil ? .noWindow : .screenNotInteractive))
        }
        // A pressed button without a target keeps the pointer from entering any window.
        let isFree = input[seat].buttons.isEmpty
        let target = isFree ? found.map { $0.target } ?? hit(pointer, on: screen)?.target : nil
        if seat.hover?.window !== target?.window { leaveWindow(of: seat) }
        let isInside = seat.hover != nil
        // E7: the pointer cannot enter, but stays where it is already inside.
        let isBlocked = !isInside && target.map { isIgnoring($0.window) } == true
        focus(isBlocked ? nil : target, of: seat)
        guard let target else {
            return Routing(
                outcome: .dropped(screen.bounds.contains(pointer) ? restriction ?? .noWindow : .outsideScreen))
        }
        guard !isBlocked else {
            if moved { ignoredEvents += 1 }
            return Routing(outcome: .dropped(.ignoring))
        }
        seat.hover = target
        guard moved || !isInside else { return Routing(outcome: .dropped(.noWindow)) }
        return deliver(
            .hover, isInside ? .moved : .began, .pointer, to: target, from: seat, at: pointer, on: screen.id)
    }

    private func leaveWindow(of seat: SeatNode) {
        guard let target = seat.hover else { return }
        seat.hover = nil
        let (pointer, screen) = (input[seat].pointer, input[seat].pointerScreen)
        deliver(.hover, .ended, .pointer, to: target, from: seat, at: pointer, on: screen)
    }

    private func focus(_ target: SeatNode.Target?, of seat: SeatNode) {
        guard target?.window.id != seat.focus?.window || target?.surface != seat.focus?.surface else { return }
        seat.focus = nil
        if let target, let screen = input[seat].pointerScreen {
            seat.focus = PointerFocus(
                seat: seat.id, application: target.window.value.application, window: target.window.id,
                surface: target.surface, location: location(of: input[seat].pointer, on: screen, in: target),
                screen: screen, serial: nextSerial())
        }
        record(.pointerFocus(seat.focus, seat: seat.id))
    }
}
