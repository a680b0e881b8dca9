// Letting go of everything that is held.

extension WindowModel {
    /// E2: cancels all that fingers, buttons and gestures do on any seat; keys that are down are cancelled too. What was
    /// held is not held any more, and can begin anew. `time` in microseconds.
    public func cancelInput(time: UInt64) {
        for seat in seatNodes where seat.holdsSomething {
            advance(to: time)
            structureChanged = true
            cancelTouches(of: seat) { _ in true }
            seat.touches = []
            let running: [(Event.Kind, Event.Detail, SeatNode.Target?)] = [
                (.touches, seat.buttons.first.map { .button($0) } ?? .pointer, seat.grab),
                (.scroll, seat.scroll?.rest ?? .pointer, seat.scroll?.target),
                (.transform, seat.gesture?.rest ?? .pointer, seat.gesture?.target),
            ]
            (seat.grab, seat.buttons, seat.scroll, seat.gesture) = (nil, [], nil, nil)
            for (kind, detail, target) in running {
                guard let target else { continue }
                deliver(kind, .cancelled, detail, to: target, from: seat, at: seat.pointer, on: seat.pointerScreen)
            }
            cancelPresses(of: seat)
            seat.shake = nil
        }
    }
}

extension SeatNode {
    /// Whether something began that has not ended.
    fileprivate var holdsSomething: Bool {
        !touches.isEmpty || !buttons.isEmpty || !keys.isEmpty || scroll != nil || gesture != nil || shake != nil
    }
}
