// What fingers, buttons and keys are down, as far as injection goes.

import Geometry
import Wayland
import WindowModel

/// Follows steps without carrying them out, so that a list is known to be possible before it begins.
///
/// It refuses all that the model and the keyboard refuse: touches, buttons, scrolling, gestures, shaking and keys are as
/// here (E1, E3, E5). And it bounds how many touches are down.
package struct InputState: Equatable {
    struct Finger: Equatable {
        let id: Int32
        /// K1: that of the screen; where the screen is gone, the one that it had.
        var seat: Seat.ID
        let screen: Screen.ID
        var point: Point
        var attributes: Event.TouchAttributes
    }

    /// What one seat does beside touching (K1).
    struct Hand: Equatable {
        var buttons: Set<UInt32> = []
        /// Of the keyboard's own.
        var keys: Set<UInt32> = []
        var isScrolling = false
        /// As it was told last.
        var gesture: Event.TransformGesture?
        var isShaking = false
        /// Where the pointer is.
        var pointer: (screen: Screen.ID, point: Point)?

        static func == (a: Hand, b: Hand) -> Bool {
            a.buttons == b.buttons && a.keys == b.keys && a.isScrolling == b.isScrolling && a.gesture == b.gesture
                && a.isShaking == b.isShaking && a.pointer?.screen == b.pointer?.screen
                && a.pointer?.point == b.pointer?.point
        }
    }

    /// Those that are down, in the order in which they began.
    var fingers: [Finger] = []
    private var hands: [Seat.ID: Hand] = [:]
    private let maximumTouches: Int

    package init(limits: Limits) { maximumTouches = limits.touches }

    subscript(seat: Seat.ID) -> Hand {
        get { hands[seat] ?? Hand() }
        // Who does nothing is nobody's entry: what is refused leaves none behind.
        set { hands[seat] = newValue == Hand() ? nil : newValue }
    }

    /// - Throws: E1, E3, E5 or E9 for a step that cannot follow; nothing has changed then.
    mutating func follow(_ step: InputStep, in model: WindowModel) throws(ModelError) {
        switch step {
        case .touch(let update, let screen): try follow(update, screen, model)
        case .touches(let updates, let screen):
            var named: Set<Int32> = []
            var next = self
            for update in updates {
                guard named.insert(update.id).inserted else {
                    throw Self.refusal(.e1, "touch \(update.id) is named twice; a touch takes one step at a time")
                }
                try next.follow(update, screen, model)
            }
            self = next
        case .move(let point, let screen, let delta):
            try Self.check(point)
            try Self.check(delta ?? .zero)
            // In place, for every motion: a hand with a pointer is never nobody's entry.
            if let seat = model.seat(of: screen) { hands[seat, default: Hand()].pointer = (screen, point) }
        case .moveBy(let delta, _): try Self.check(delta)
        case .button(let code, true, let seat):
            guard self[seat].buttons.insert(code).inserted else {
                throw Self.refusal(.e5, "button \(code) is down already")
            }
        case .button(let code, false, let seat):
            guard self[seat].buttons.remove(code) != nil else {
                throw Self.refusal(.e5, "button \(code) is up already")
            }
        case .scroll(let scroll, let phase, let seat):
            try scroll.validate()
            self[seat].isScrolling = try Self.follow(phase, isRunning: self[seat].isScrolling, "scroll")
        case .gesture(let gesture, let phase, let seat): try follow(gesture, phase, seat)
        case .shake(let phase, let seat):
            guard phase == .began || phase == .ended || phase == .cancelled else {
                throw ModelError(
                    kind: .invalidValue, rule: .e3, message: "a shake begins, and ends or is cancelled")
            }
            guard (phase == .began) != self[seat].isShaking else {
                throw Self.refusal(
                    .e3, phase == .began ? "a shake is running; it must end first" : "no shake has begun")
            }
            self[seat].isShaking = phase == .began
        case .remote: break
        case .key(let code, true, _, let seat):
            guard self[seat].keys.insert(code).inserted else {
                throw Self.refusal(.e3, "key \(code) is down already")
            }
        case .key(let code, false, _, let seat): self[seat].keys.remove(code)
        }
    }

    /// The finger of that id on a screen, or of the screen's seat.
    func finger(_ id: Int32, on screen: Screen.ID, in model: WindowModel) -> Finger? {
        let seat = model.seat(of: screen)
        return fingers.first { $0.id == id && (seat == nil ? $0.screen == screen : $0.seat == seat) }
    }

    private mutating func follow(
        _ update: TouchUpdate, _ screen: Screen.ID, _ model: WindowModel
    ) throws(ModelError) {
        try Self.check(update.point)
        try update.attributes.validate()
        let (id, running) = (update.id, finger(update.id, on: screen, in: model))
        if update.phase == .began {
            guard running == nil else { throw Self.refusal(.e1, "touch \(id) is down; it must end first") }
            guard let seat = model.seat(of: screen) else {
                throw ModelError(kind: .unknownScreen, rule: .s1, message: "screen \(screen) is not connected")
            }
            guard fingers.count < maximumTouches else {
                throw Self.refusal(
                    .e1, "limit reached: \(maximumTouches) touches are down at once; one ends before another begins")
            }
            fingers.append(
                Finger(id: id, seat: seat, screen: screen, point: update.point, attributes: update.attributes))
            return
        }
        guard let running, let index = fingers.firstIndex(of: running) else {
            throw Self.refusal(.e1, "touch \(id) is not down; it must begin first")
        }
        guard running.screen == screen else {
            throw Self.refusal(.e1, "touch \(id) began on screen \(running.screen) and stays there")
        }
        if update.phase == .ended || update.phase == .cancelled {
            fingers.remove(at: index)
        } else {
            if update.phase == .moved { fingers[index].point = update.point }
            fingers[index].attributes = update.attributes
        }
    }

    private mutating func follow(
        _ gesture: Event.TransformGesture, _ phase: Event.Phase, _ seat: Seat.ID
    ) throws(ModelError) {
        try gesture.validate()
        let running = self[seat].gesture
        let goesOn = try Self.follow(phase, isRunning: running != nil, "gesture")
        if let running, running.kind != gesture.kind || running.fingers != gesture.fingers {
            throw Self.refusal(
                .e5,
                "a \(running.kind.rawValue) with \(running.fingers) fingers is running; it ends before another begins")
        }
        self[seat].gesture = goesOn ? gesture : nil
    }

    /// - Returns: whether the sequence runs after that phase.
    private static func follow(
        _ phase: Event.Phase?, isRunning: Bool, _ name: String
    ) throws(ModelError) -> Bool {
        guard let phase else { return isRunning }
        guard (phase == .began) != isRunning else {
            throw refusal(.e5, isRunning ? "a \(name) is running; it must end first" : "no \(name) has begun")
        }
        return phase != .ended && phase != .cancelled
    }

    private static func check(_ point: Point) throws(ModelError) {
        guard point.isFinite else {
            throw ModelError(kind: .invalidValue, rule: .e9, message: "the position of an event must be finite")
        }
    }

    private static func refusal(_ rule: Rule, _ message: String) -> ModelError {
        ModelError(kind: .notAllowed, rule: rule, message: message)
    }
}
