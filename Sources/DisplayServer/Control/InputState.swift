// What fingers and buttons are down, as far as injection goes.

import WindowModel

/// One call of the model.
enum InputStep: Equatable {
    case touch(Int32, Event.Phase, Point, Screen.ID)
    /// With the relative motion in points; nil: from where the pointer is.
    case move(Point, Screen.ID, delta: Point? = nil)
    /// By so many points of the global layout.
    case moveBy(Point)
    case button(UInt32, pressed: Bool)
    case scroll(Event.Scroll, Event.Phase?)
    case key(UInt32, pressed: Bool)
    /// A key of a keymap that was made for the character.
    case type(UInt32, pressed: Bool, on: KeyboardDevice)
}

/// Follows steps without carrying them out, so that a list is known to be possible before it begins.
///
/// It refuses all that the model and the keyboard refuse: touches, buttons, scrolling and keys are as here (E3).
struct InputState {
    struct Touch: Equatable {
        var screen: Screen.ID
        var point: Point
    }

    var touches: [Int32: Touch] = [:]
    var buttons: Set<UInt32> = []
    var keys: Set<UInt32> = []
    var isScrolling = false
    /// Where the pointer is.
    var pointer: Touch?

    /// - Throws: E1, E3 or E5 for a step that cannot follow.
    mutating func follow(_ step: InputStep) throws(ModelError) {
        switch step {
        case .touch(let id, let phase, let point, let screen): try follow(id, phase, point, screen)
        case .move(let point, let screen, let delta):
            try Self.check(point)
            try Self.check(delta ?? .zero)
            pointer = Touch(screen: screen, point: point)
        case .moveBy(let delta): try Self.check(delta)
        case .button(let code, true):
            guard buttons.insert(code).inserted else { throw Self.refusal("E5", "button \(code) is down already") }
        case .button(let code, false):
            guard buttons.remove(code) != nil else { throw Self.refusal("E5", "button \(code) is up already") }
        case .scroll(let scroll, let phase): try follow(scroll, phase)
        case .key(let code, true), .type(let code, true, _):
            guard keys.insert(code).inserted else { throw Self.refusal("E3", "key \(code) is down already") }
        case .key(let code, false), .type(let code, false, _): keys.remove(code)
        }
    }

    private mutating func follow(
        _ id: Int32, _ phase: Event.Phase, _ point: Point, _ screen: Screen.ID
    ) throws(ModelError) {
        try Self.check(point)
        let running = touches[id]
        if phase == .began {
            guard running == nil else { throw Self.refusal("E1", "touch \(id) is down; it must end first") }
        } else {
            guard let running else { throw Self.refusal("E1", "touch \(id) is not down; it must begin first") }
            guard running.screen == screen else {
                throw Self.refusal("E1", "touch \(id) began on screen \(running.screen) and stays there")
            }
        }
        let isOver = phase == .ended || phase == .cancelled
        touches[id] = isOver ? nil : Touch(screen: screen, point: point)
    }

    private mutating func follow(_ scroll: Event.Scroll, _ phase: Event.Phase?) throws(ModelError) {
        guard scroll.deltaX.isFinite, scroll.deltaY.isFinite else {
            throw ModelError(kind: .invalidValue, rule: "E5", message: "scroll deltas must be finite")
        }
        guard let phase else { return }
        guard (phase == .began) != isScrolling else {
            throw Self.refusal("E5", isScrolling ? "a scroll is running; it must end first" : "no scroll has begun")
        }
        isScrolling = phase == .began || phase == .moved
    }

    private static func check(_ point: Point) throws(ModelError) {
        guard point.isFinite else {
            throw ModelError(kind: .invalidValue, rule: "E9", message: "the position of an event must be finite")
        }
    }

    private static func refusal(_ rule: String, _ message: String) -> ModelError {
        ModelError(kind: .notAllowed, rule: rule, message: message)
    }
}
