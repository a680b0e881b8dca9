// Keys and shaking: only for the key window (E3).

extension WindowModel {
    /// E3: the keys pressed in the first seat's key window, by evdev code.
    public var pressedKeys: [UInt32] { input[.first].keys }

    /// The same for any seat; none for one that does not exist.
    public func pressedKeys(of seat: Seat.ID) -> [UInt32] { input[seat].keys }

    /// Injects a key of a seat's keyboard, `key` as in evdev; `time` in microseconds. A release goes to the window that
    /// received the press, unless that has resigned key: it was sent *cancelled* then. `explain` fills
    /// `Routing.candidates` when the key is not delivered. Throws K1 for an unknown seat, E3 for a key that is already
    /// down.
    @discardableResult
    public func press(
        key code: UInt32, pressed: Bool, seat: Seat.ID = .first, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        try input[seat].checkKey(code, pressed: pressed)
        beginInput(of: seat, at: time)
        guard let key = seat.key else {
            // A key is counted once, when it goes down.
            return pressed ? dropPress(of: seat, explain: explain) : Routing(dropped: restriction ?? .noKeyWindow)
        }
        guard pressed || input[seat].keys.contains(code) else { return Routing(outcome: .dropped(.cancelled)) }
        try input[seat].setKey(code, pressed: pressed)
        return deliver(.presses, pressed ? .began : .ended, .key(code), to: target(key), from: seat, on: key.screen?.id)
    }

    /// Injects the beginning, end or cancellation of a shake; `time` in microseconds. A shake ends in the key window
    /// where it began, or is cancelled when that resigns key (E2). Throws K1 for an unknown seat, E3 for any other or
    /// out-of-order phase.
    @discardableResult
    public func shake(
        _ phase: Event.Phase, seat: Seat.ID = .first, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        try input[seat].shake(phase)
        beginInput(of: seat, at: time)
        let target = phase == .began ? seat.key.map { self.target($0) } : seat.shake
        seat.shake = phase == .began ? target : nil
        guard let target else {
            return phase == .began
                ? dropPress(of: seat, explain: explain) : Routing(outcome: .dropped(.cancelled))
        }
        return deliver(.motion, phase, .shake, to: target, from: seat, on: target.window.screen?.id)
    }

    /// E3: called before the key window resigns: cancels its pressed keys and its shake.
    func cancelPresses(of seat: SeatNode) {
        guard let key = seat.key else { return }
        let keys = input[seat].keys
        input[seat].keys = []
        for code in keys {
            deliver(.presses, .cancelled, .key(code), to: target(key), from: seat, on: key.screen?.id)
        }
        if let target = seat.shake {
            seat.shake = nil
            deliver(.motion, .cancelled, .shake, to: target, from: seat, on: key.screen?.id)
        }
    }

    private func target(_ window: WindowNode) -> SeatNode.Target {
        SeatNode.Target(window: window, surface: window.value.root)
    }

    private func dropPress(of seat: SeatNode, explain: Bool) -> Routing {
        droppedPresses += 1
        let reason = restriction ?? .noKeyWindow
        guard explain else { return Routing(outcome: .dropped(reason)) }
        let windows = windowNodes.values.filter { $0.screen?.seat === seat }.sortedBackToFront().reversed()
        return Routing(
            outcome: .dropped(reason),
            candidates: windows.map {
                Routing.Candidate(
                    application: $0.value.application, window: $0.id,
                    reason: !$0.value.isVisible ? .hidden : admits($0) ? .noKeyWindow : reason)
            })
    }
}
