// Cancels all input in progress.

extension WindowModel {
    /// E2: cancels all touches, buttons and gestures of every seat, and the keys that are down. They can then begin
    /// again. `time` in microseconds.
    public func cancelInput(time: UInt64) {
        for seat in seatNodes where input[seat].isHolding {
            advance(to: time)
            structureChanged = true
            cancelTouches(of: seat) { _, _ in true }
            cancelPencils(of: seat) { _ in true }
            cancelCarried(of: seat) { _, _ in true }
            let down = input[seat]
            let running: [(Event.Kind, Event.Detail, SeatNode.Target?)] = [
                (.touches, down.cancelledButton, seat.grab), (.scroll, down.cancelledScroll, seat.scroll),
                (.transform, down.cancelledGesture, seat.gesture),
            ]
            (seat.grab, seat.scroll, seat.gesture) = (nil, nil, nil)
            for (kind, detail, target) in running {
                guard let target else { continue }
                deliver(kind, .cancelled, detail, to: target, from: seat, at: down.pointer, on: down.pointerScreen)
            }
            cancelPresses(of: seat)
            input[seat].releaseAll()
        }
    }
}
