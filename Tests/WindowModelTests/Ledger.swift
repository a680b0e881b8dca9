// Checks the events that applications receive: every sequence that begins ends or is cancelled, once (E1, E2, E3).

import WindowModel

struct Ledger {
    private enum What: Hashable {
        case touch(Int32)
        case pencil(Int32)
        case key(UInt32)
        case button(UInt32)
        case hover, scroll, gesture, shake
    }

    private struct Open: Hashable {
        let seat: Seat.ID
        let what: What
    }

    private var open: [Open: Window.ID] = [:]

    /// Throws when the event cannot follow the earlier events of its window.
    mutating func follow(_ event: Event) throws {
        guard let window = event.window, let what = what(event) else { return }
        let account = Open(seat: event.seat, what: what)
        // A wheel's click is a single step; drags are tracked by their buttons.
        if event.phase == .began {
            guard open.updateValue(window, forKey: account) == nil else { throw Mismatch("E2: began twice: \(event)") }
            return
        }
        if what == .scroll, event.phase == .moved { return }
        guard open[account] == window else { throw Mismatch("E2: \(event) did not begin there") }
        guard event.phase == .ended || event.phase == .cancelled else { return }
        open[account] = nil
        // E5: one cancellation covers all buttons of the drag.
        if case .button = what, event.phase == .cancelled {
            open = open.filter { other, _ in
                if case .button = other.what { other.seat != event.seat } else { true }
            }
        }
    }

    private func what(_ event: Event) -> What? {
        switch event.detail {
        case .touch(let id): event.kind == .hover ? .pencil(id) : .touch(id)
        case .key(let code): .key(code)
        case .button(let code): .button(code)
        case .pointer: event.kind == .hover ? .hover : nil
        case .scroll: .scroll
        case .transform: .gesture
        case .shake: .shake
        case .remoteControl: nil
        }
    }

    /// Throws when any sequence is open, apart from hovering.
    func checkAtRest() throws {
        let left = open.filter { $0.key.what != .hover }
        guard left.isEmpty else { throw Mismatch("E2: left open: \(left)") }
    }

    /// Throws unless the open sequences are those of the seat.
    func compare(_ seat: ReferenceModel.Person) throws {
        var expected: [What: Window.ID] = [:]
        for finger in seat.fingers { expected[.touch(finger.id)] = finger.aim?.window }
        for pencil in seat.pencils { expected[.pencil(pencil.id)] = pencil.aim?.window }
        for code in seat.pressed { expected[.key(code)] = seat.key }
        if let grab = seat.grab { for code in seat.buttons { expected[.button(code)] = grab.window } }
        expected[.hover] = seat.hover?.window
        expected[.scroll] = seat.scroll?.aim?.window
        expected[.gesture] = seat.gesture?.aim?.window
        expected[.shake] = seat.shake?.aim?.window
        let now = open.filter { $0.key.seat == seat.id }
        guard now.count == expected.count, now.allSatisfy({ expected[$0.key.what] == $0.value }) else {
            throw Mismatch("E2: open is \(now), not \(expected)")
        }
    }
}
