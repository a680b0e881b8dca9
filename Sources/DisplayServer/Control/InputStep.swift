// Single steps of input: what events are planned into, and what is recorded.

import WindowModel

/// One call of the model.
enum InputStep: Equatable {
    case touch(TouchUpdate, Screen.ID)
    /// As one.
    case touches([TouchUpdate], Screen.ID)
    /// With the relative motion in points; nil: from where the pointer is.
    case move(Point, Screen.ID, delta: Point? = nil)
    /// By so many points of the global layout.
    case moveBy(Point, seat: SeatID = .first)
    case button(UInt32, pressed: Bool, seat: SeatID = .first)
    case scroll(Event.Scroll, Event.Phase?, seat: SeatID = .first)
    case gesture(Event.TransformGesture, Event.Phase, seat: SeatID = .first)
    case shake(Event.Phase, seat: SeatID = .first)
    case remote(Event.RemoteCommand, seat: SeatID = .first)
    /// By its evdev code; on a keymap that was made for some characters, or on the layout.
    case key(UInt32, pressed: Bool, on: TypedKeys? = nil, seat: SeatID = .first)
}

/// A keymap that was made for characters that the layout lacks, and the device that has it.
final class TypedKeys: Equatable {
    let device: KeyboardDevice
    /// XKB's names by evdev code.
    let symbols: [UInt32: String]

    /// - Returns: nil without memory or descriptors for the keymap.
    init?(_ keymap: TypingKeymap) {
        device = KeyboardDevice(.typing)
        device.keymap = keymap.text
        symbols = keymap.symbols
        if device.keymap == nil { return nil }
    }

    static func == (a: TypedKeys, b: TypedKeys) -> Bool { a === b }
}
