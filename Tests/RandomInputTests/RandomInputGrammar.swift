// Which events a client may receive after those before, whatever happens in the server.

import MullionGeometry
import MullionWayland
import WindowModel

/// E9: serials and times of all events that one client reads, from any seat.
struct InputStamps {
    private var lastSerial: UInt32 = 0
    private var lastTime: UInt32 = 0

    mutating func follow(_ serial: UInt32?, _ time: UInt32?) -> String? {
        if let serial {
            guard serial > lastSerial else { return "E9: serial \(serial) after \(lastSerial)" }
            lastSerial = serial
        }
        if let time {
            guard time >= lastTime else { return "E9: time \(time) after \(lastTime)" }
            lastTime = time
        }
        return nil
    }
}

/// Follows all events of one seat that one client reads, in order; each method returns what is wrong, if anything. It
/// knows nothing of windows: only which surfaces are the client's.
struct InputGrammar {
    /// The client's existing surfaces.
    private(set) var surfaces: Set<ObjectID> = []

    private(set) var touches: Set<Int32> = []
    private var isTouchGroupOpen = false

    private var keyboard: ObjectID?
    private(set) var keys: Set<UInt32> = []
    private var awaitsModifiers = false

    private(set) var pointer: ObjectID?
    private(set) var buttons: Set<UInt32> = []
    /// Where the pointer is on the surface that it entered.
    private(set) var place = Point.zero
    private var isPointerGroupOpen = false
    private var hasSource = false

    private(set) var hasGesture = false

    // MARK: Surfaces

    mutating func add(_ surface: ObjectID) { surfaces.insert(surface) }

    /// A surface that its client destroys is left, and not entered again.
    mutating func remove(_ surface: ObjectID) { surfaces.remove(surface) }

    private func isForeign(_ surface: ObjectID) -> String? {
        surfaces.contains(surface) ? nil : "surface \(surface) is not the client's"
    }

    // MARK: Touch

    mutating func down(_ id: Int32, _ surface: ObjectID) -> String? {
        isTouchGroupOpen = true
        guard touches.insert(id).inserted else { return "E1: touch \(id) went down twice" }
        return isForeign(surface)
    }

    mutating func up(_ id: Int32) -> String? {
        isTouchGroupOpen = true
        return touches.remove(id) == nil ? "E2: touch \(id) went up without being down" : nil
    }

    mutating func touchMotion(_ id: Int32) -> String? {
        isTouchGroupOpen = true
        return touches.contains(id) ? nil : "E2: touch \(id) moved without being down"
    }

    mutating func touchFrame() -> String? {
        defer { isTouchGroupOpen = false }
        return isTouchGroupOpen ? nil : "an empty group of touches"
    }

    mutating func cancel() -> String? {
        defer { touches = [] }
        return touches.isEmpty ? "E2: nothing to cancel" : isTouchGroupOpen ? "a cancel within a group" : nil
    }

    // MARK: Keyboard

    mutating func enter(_ surface: ObjectID, _ held: [UInt32]) -> String? {
        guard keyboard == nil else { return "K1: the keyboard enters without having left" }
        (keyboard, keys, awaitsModifiers) = (surface, Set(held), true)
        return isForeign(surface)
    }

    mutating func leave(_ surface: ObjectID) -> String? {
        guard keyboard == surface else { return "K2: the keyboard leaves \(surface), which it has not entered" }
        (keyboard, keys) = (nil, [])
        return awaitsModifiers ? "an enter without modifiers" : nil
    }

    mutating func key(_ code: UInt32, isDown: Bool) -> String? {
        guard keyboard != nil else { return "E3: a key without enter" }
        guard !awaitsModifiers else { return "an enter without modifiers" }
        let isNew = isDown ? keys.insert(code).inserted : keys.remove(code) != nil
        return isNew ? nil : "E3: key \(code) \(isDown ? "down" : "up") twice"
    }

    /// The server repeats keys that are held.
    func keyRepeats(_ code: UInt32) -> String? {
        keyboard != nil && keys.contains(code) ? nil : "E3: key \(code) repeats without being down"
    }

    mutating func modifiers() -> String? {
        awaitsModifiers = false
        return keyboard == nil ? "modifiers without enter" : nil
    }

    // MARK: Pointer

    mutating func pointerEnter(_ surface: ObjectID, _ place: Point) -> String? {
        guard pointer == nil else { return "E5: the pointer enters without having left" }
        (pointer, self.place, isPointerGroupOpen) = (surface, place, true)
        return isForeign(surface)
    }

    mutating func pointerLeave(_ surface: ObjectID) -> String? {
        guard pointer == surface else { return "E5: the pointer leaves \(surface), which it has not entered" }
        (pointer, isPointerGroupOpen) = (nil, true)
        return buttons.isEmpty ? nil : "E5: the pointer leaves with buttons down"
    }

    mutating func motion(_ place: Point) -> String? {
        (self.place, isPointerGroupOpen) = (place, true)
        return pointer == nil ? "E5: motion without enter" : nil
    }

    mutating func button(_ code: UInt32, isDown: Bool) -> String? {
        isPointerGroupOpen = true
        guard pointer != nil else { return "E5: a button without enter" }
        let isNew = isDown ? buttons.insert(code).inserted : buttons.remove(code) != nil
        return isNew ? nil : "E5: button \(code) \(isDown ? "down" : "up") twice"
    }

    mutating func axisSource() -> String? {
        (hasSource, isPointerGroupOpen) = (true, true)
        return pointer == nil ? "E5: scrolling without enter" : nil
    }

    func axis() -> String? {
        guard pointer != nil else { return "E5: scrolling without enter" }
        return hasSource ? nil : "scrolling without its source"
    }

    mutating func frame() -> String? {
        defer { (isPointerGroupOpen, hasSource) = (false, false) }
        return isPointerGroupOpen ? nil : "an empty group of the pointer"
    }

    // MARK: Gestures

    mutating func gestureBegins(on surface: ObjectID) -> String? {
        guard !hasGesture else { return "E5: a gesture begins twice" }
        hasGesture = true
        return isForeign(surface) ?? (pointer == surface ? nil : "E5: a gesture outside the pointer's surface")
    }

    func gestureGoesOn() -> String? { hasGesture ? nil : "E5: a gesture continues without a beginning" }

    mutating func gestureEnds() -> String? {
        defer { hasGesture = false }
        return gestureGoesOn()
    }

    // MARK: Ends

    /// What is wrong once everything was read.
    var unfinished: String? {
        if isTouchGroupOpen { return "a group of touches has no end" }
        if isPointerGroupOpen { return "a group of the pointer has no end" }
        return awaitsModifiers && keyboard != nil ? "an enter without modifiers" : nil
    }

    /// What is still down after everything was released.
    var leftDown: String? {
        touches.isEmpty && keys.isEmpty && buttons.isEmpty && !hasGesture
            ? nil : "left down: touches \(touches), keys \(keys), buttons \(buttons), gesture \(hasGesture)"
    }
}
