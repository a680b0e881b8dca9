// Running sequences of events, as seen by one receiver.

import MullionWayland
import WindowModel

/// The touches, presses and gestures whose beginning was sent. A sequence that was already running when the client
/// requested its type is not sent at all.
struct EventSequences: Codable {
    fileprivate enum Name: Equatable, Codable {
        case touch(Int32), press(UInt32), pointer, shake, scroll, hover, transform
    }

    fileprivate struct Sequence: Codable {
        var window: Window.ID
        /// The seat's number.
        var seat: UInt32
        var kind: Event.Kind
        var name: Name
        /// For the pointer's touch: the pressed buttons, by evdev code.
        var buttons: [UInt32] = []
    }

    private var running: [Sequence] = []

    /// The phase with which to send the event, and the pressed buttons (bit 0: the primary one).
    /// - Returns: nil when the event must not be sent.
    mutating func follow(_ event: Event, in window: Window.ID) -> (phase: Event.Phase, buttons: UInt32)? {
        let name = Name(event)
        let index = running.firstIndex {
            $0.window == window && $0.seat == event.seat.rawValue && $0.kind == event.kind && $0.name == name
        }
        if case .button(let code) = event.detail, event.phase != .cancelled {
            return follow(button: code, event, in: window, at: index)
        }
        switch event.phase {
        case .began:
            if index == nil { begin(event, in: window, name) }
            return (.began, 0)
        case .moved, .stationary:
            if let index { return (event.phase, running[index].mask) }
            // A wheel's click is a single step.
            if event.kind == .scroll { return (event.phase, 0) }
            // The pointer was in the window before the type was requested.
            guard event.kind == .hover else { return nil }
            begin(event, in: window, name)
            return (.began, 0)
        case .ended, .cancelled:
            guard let index else { return nil }
            running.remove(at: index)
            return (event.phase, 0)
        }
    }

    /// The pointer's touch lasts from the first button pressed to the last one released.
    private mutating func follow(
        button code: UInt32, _ event: Event, in window: Window.ID, at index: Int?
    ) -> (phase: Event.Phase, buttons: UInt32)? {
        let isDown = event.phase == .began
        guard let index else {
            guard isDown else { return nil }
            begin(event, in: window, .pointer, buttons: [code])
            return (.began, Self.mask([code]))
        }
        if isDown {
            running[index].buttons.append(code)
        } else {
            running[index].buttons.removeAll { $0 == code }
            if running[index].buttons.isEmpty {
                running.remove(at: index)
                return (.ended, 0)
            }
        }
        return (.stationary, running[index].mask)
    }

    /// Forgets the sequences of a window.
    mutating func removeAll(of window: Window.ID, where predicate: (Event.Kind) -> Bool) {
        running.removeAll { $0.window == window && predicate($0.kind) }
    }

    private mutating func begin(_ event: Event, in window: Window.ID, _ name: Name, buttons: [UInt32] = []) {
        running.append(
            Sequence(window: window, seat: event.seat.rawValue, kind: event.kind, name: name, buttons: buttons))
    }

    /// UIKit's buttonMask; codes beyond those of mice have no bit.
    fileprivate static func mask(_ buttons: [UInt32]) -> UInt32 {
        let first: UInt32 = 0x110
        return buttons.reduce(0) { mask, code in code < first ? mask : mask | 1 << (code - first) }
    }
}

extension EventSequences.Sequence {
    fileprivate var mask: UInt32 { EventSequences.mask(buttons) }
}

extension EventSequences.Name {
    fileprivate init(_ event: Event) {
        switch event.detail {
        case .touch(let id): self = .touch(id)
        case .key(let code): self = .press(code)
        case .pointer: self = event.kind == .hover ? .hover : .pointer
        case .button: self = .pointer
        case .scroll: self = .scroll
        case .transform: self = .transform
        case .shake, .remoteControl: self = .shake
        }
    }
}
