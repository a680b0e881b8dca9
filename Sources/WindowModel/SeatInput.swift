// The input state of one seat: what is held down, and running sequences.

import MullionGeometry

/// A seat's touches, pointer, buttons, keys and sequences, as a value.
///
/// Only this type determines which step can follow (E1, E3, E5). Every method performs one step, or throws
/// and changes nothing.
public struct SeatInput: Hashable, Sendable {
    /// An active touch of a finger or pencil.
    public struct Touch: Hashable, Sendable {
        public let id: Int32
        public let screen: Screen.ID
        /// In the screen's points.
        public internal(set) var point: Point
        public internal(set) var attributes: Event.TouchAttributes
    }

    /// E1: in the order in which they began, including those without a target.
    public internal(set) var touches: [Touch] = []
    /// E5: the pencils above screens, in the order in which they came. One that touches its screen remains here.
    public internal(set) var pencils: [Touch] = []
    /// Nil until the pointer first moves, and after its screen was unplugged.
    public internal(set) var pointerScreen: Screen.ID?
    /// In the screen's points.
    public internal(set) var pointer = Point.zero
    /// The pressed buttons, in order, by evdev code.
    public internal(set) var buttons: [UInt32] = []
    /// The latest step of the running scroll.
    public internal(set) var scroll: Event.Scroll?
    /// The latest step of the running gesture.
    public internal(set) var gesture: Event.TransformGesture?
    public internal(set) var isShaking = false
    /// The pressed keys, in order, by evdev code. In the model: those that were delivered to the key window (E3).
    public var keys: [UInt32] = []

    public init() {}

    /// Whether any sequence is in progress.
    public var isHolding: Bool {
        !touches.isEmpty || !pencils.isEmpty || !buttons.isEmpty || !keys.isEmpty || scroll != nil || gesture != nil
            || isShaking
    }

    /// Releases everything. The pointer stays where it is.
    mutating func releaseAll() {
        (touches, pencils, buttons, keys) = ([], [], [], [])
        (scroll, gesture, isShaking) = (nil, nil, false)
    }

    // MARK: Cancelling

    /// The detail of a cancelled press of the pointer.
    var cancelledButton: Event.Detail { buttons.first.map { .button($0) } ?? .pointer }

    /// The detail of a cancelled scroll: its latest step without its movement.
    var cancelledScroll: Event.Detail {
        scroll.map { .scroll(Event.Scroll(deltaX: 0, deltaY: 0, source: $0.source)) } ?? .pointer
    }

    /// The detail of a cancelled gesture: its latest step without its movement.
    var cancelledGesture: Event.Detail {
        guard var step = gesture else { return .pointer }
        (step.deltaX, step.deltaY) = (0, 0)
        return .transform(step)
    }

    // MARK: Touches

    /// - Throws: E9 and E1 for invalid numbers, E1 for a touch that begins twice, never began, or has changed its
    ///   screen.
    func check(_ update: TouchUpdate, on screen: Screen.ID) throws(ModelError) {
        try update.point.validate()
        try update.attributes.validate()
        let running = touches.firstIndex { $0.id == update.id }
        guard update.phase != .began else {
            guard running == nil else {
                throw .notAllowed(.e1, "touch \(update.id) is already down; end it before another with its id begins")
            }
            guard let pencil = pencils.first(where: { $0.id == update.id }) else { return }
            guard pencil.screen == screen, update.attributes.tool != .direct else {
                throw .notAllowed(
                    .e1,
                    "\(update.id) is a pencil above screen \(pencil.screen); end its hovering before another touch "
                        + "with its id begins")
            }
            return
        }
        guard let running else {
            throw .touchIsNotDown(update.id)
        }
        guard touches[running].screen == screen else {
            throw .notAllowed(
                .e1, "touch \(update.id) began on screen \(touches[running].screen) and cannot change its screen")
        }
    }

    /// Performs a validated step.
    /// - Returns: the touch after it.
    mutating func apply(_ update: TouchUpdate, on screen: Screen.ID) -> Touch {
        guard let index = touches.firstIndex(where: { $0.id == update.id }) else {
            let touch = Touch(
                id: update.id, screen: screen, point: update.point, attributes: update.attributes.landed)
            touches.append(touch)
            return touch
        }
        if update.phase != .stationary { touches[index].point = update.point }
        touches[index].attributes = update.attributes.landed
        guard update.phase == .ended || update.phase == .cancelled else { return touches[index] }
        let touch = touches.remove(at: index)
        // A pencil is lifted where it was.
        if let above = pencils.firstIndex(where: { $0.id == touch.id }) {
            pencils[above].point = touch.point
            if touch.attributes.tool != .direct { pencils[above].attributes = touch.attributes.lifted }
        }
        return touch
    }

    // MARK: Pointer

    /// - Throws: E9 for a point that is not finite.
    public mutating func movePointer(to point: Point, on screen: Screen.ID) throws(ModelError) {
        try point.validate()
        pointerScreen = screen
        pointer = point
    }

    /// - Throws: E5 for a button that is already down or up.
    public mutating func setButton(_ code: UInt32, pressed: Bool) throws(ModelError) {
        try checkButton(code, pressed: pressed)
        if pressed { buttons.append(code) } else { buttons.removeAll { $0 == code } }
    }

    /// - Throws: E5 for a button that is already down or up.
    public func checkButton(_ code: UInt32, pressed: Bool) throws(ModelError) {
        guard pressed != buttons.contains(code) else {
            throw .notAllowed(.e5, "button \(code) is already \(pressed ? "down" : "up")")
        }
    }

    // MARK: Sequences

    /// - Throws: E5 for deltas that are not finite and for an invalid phase.
    public mutating func scroll(_ step: Event.Scroll, _ phase: Event.Phase?) throws(ModelError) {
        try step.validate()
        guard let phase else { return }
        try Self.check(phase, isRunning: scroll != nil, "scroll")
        scroll = Self.ends(phase) ? nil : step
    }

    /// - Throws: E5 for invalid numbers, for an invalid phase, and for a gesture that changes its kind or number of
    ///   fingers.
    public mutating func transform(_ step: Event.TransformGesture, _ phase: Event.Phase) throws(ModelError) {
        try step.validate()
        try Self.check(phase, isRunning: gesture != nil, "gesture")
        if let running = gesture, running.kind != step.kind || running.fingers != step.fingers {
            throw .notAllowed(
                .e5,
                "a \(running.kind.rawValue) with \(running.fingers) fingers is running; end it before another "
                    + "gesture begins")
        }
        gesture = Self.ends(phase) ? nil : step
    }

    /// - Throws: E3 for an invalid phase, and for any other than a beginning, an end or a cancellation.
    public mutating func shake(_ phase: Event.Phase) throws(ModelError) {
        guard phase != .moved, phase != .stationary else {
            throw .invalid(.e3, "\(phase) is not a phase of a shake; use began, ended or cancelled")
        }
        guard (phase == .began) != isShaking else {
            throw .notAllowed(
                .e3, isShaking ? "a shake is running; end it first" : "no shake is running; begin one first")
        }
        isShaking = phase == .began
    }

    private static func check(_ phase: Event.Phase, isRunning: Bool, _ name: String) throws(ModelError) {
        guard phase != .began || !isRunning else {
            throw .notAllowed(.e5, "a \(name) is running; end it before another begins")
        }
        guard phase == .began || isRunning else {
            throw .notAllowed(.e5, "no \(name) is running; begin one first")
        }
    }

    static func ends(_ phase: Event.Phase) -> Bool { phase == .ended || phase == .cancelled }

    // MARK: Keys

    /// - Throws: E3 for a key that is already down. Releasing a key that is up is allowed: key may have passed on since
    ///   its press.
    public mutating func setKey(_ code: UInt32, pressed: Bool) throws(ModelError) {
        try checkKey(code, pressed: pressed)
        if pressed { keys.append(code) } else { keys.removeAll { $0 == code } }
    }

    /// - Throws: E3 for a key that is already down.
    public func checkKey(_ code: UInt32, pressed: Bool) throws(ModelError) {
        if pressed, keys.contains(code) { throw .keyIsDown(code) }
    }
}

extension Point {
    /// - Throws: E9 for a point that is not finite.
    public func validate() throws(ModelError) {
        guard isFinite else { throw .invalid(.e9, "the position of an event must be finite") }
    }
}

extension ModelError {
    /// E1: no such touch has begun.
    public static func touchIsNotDown(_ id: Int32) -> ModelError {
        .notAllowed(.e1, "touch \(id) is not down; begin it first")
    }

    /// E3: the key is already down.
    public static func keyIsDown(_ code: UInt32) -> ModelError {
        .notAllowed(.e3, "key \(code) is already down; release it first")
    }
}
