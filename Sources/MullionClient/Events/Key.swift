// Keys and the characters that they type.

import MullionKeymaps

/// The active modifier keys, with UIKit's numbers (UIKeyModifierFlags).
public struct KeyModifierFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Caps Lock is on.
    public static let alphaShift = KeyModifierFlags(rawValue: 1 << 16)
    /// Shift.
    public static let shift = KeyModifierFlags(rawValue: 1 << 17)
    /// Control.
    public static let control = KeyModifierFlags(rawValue: 1 << 18)
    /// Alt.
    public static let alternate = KeyModifierFlags(rawValue: 1 << 19)
    /// The key with the logo (Super).
    public static let command = KeyModifierFlags(rawValue: 1 << 20)
    /// Num Lock is on.
    public static let numericPad = KeyModifierFlags(rawValue: 1 << 21)
}

/// A key with its meaning in the keyboard's current layout (UIKit: UIKey).
public struct Key: Hashable, Sendable {
    /// The evdev code, such as 30 for the key that is A on a US keyboard.
    public let keyCode: UInt32
    /// The XKB symbol, such as 0xff0d for the return key; 0 when the layout has none.
    public let keysym: UInt32
    /// The characters that it types with the active modifiers, empty for keys such as the arrows; dead keys and the
    /// compose key are not applied (see `KeyEvent.text`).
    public let characters: String
    /// The characters that it types when no modifier is active.
    public let charactersIgnoringModifiers: String
    /// The active modifiers.
    public let modifierFlags: KeyModifierFlags
}

/// A key was pressed or released, or repeats.
public struct KeyEvent: Sendable {
    /// The window with keyboard focus.
    public let window: Window
    /// The key and its characters.
    public let key: Key
    /// The text that it enters, with dead keys and the compose key applied; "\n" for the return key, "\t" for the
    /// tabulator. Empty while a sequence is incomplete, when a key is released, with Control or Super, and for keys that
    /// enter none, such as backspace.
    public let text: String
    /// Whether the key is down. A repeating key is down: check `isRepeat` for actions that must happen once.
    public let isPressed: Bool
    /// Whether this is a repetition of a key held down.
    public let isRepeat: Bool
    /// Seconds of the server's clock.
    public let timestamp: Double

    /// The evdev code, such as 30 for the key that is A on a US keyboard.
    public var keyCode: UInt32 { key.keyCode }
    /// The active modifiers.
    public var modifierFlags: KeyModifierFlags { key.modifierFlags }
}

extension KeyModifierFlags {
    init(_ modifiers: Set<KeyTranslator.Modifier>) {
        self = []
        for modifier in modifiers {
            switch modifier {
            case .capsLock: insert(.alphaShift)
            case .shift: insert(.shift)
            case .control: insert(.control)
            case .alt: insert(.alternate)
            case .logo: insert(.command)
            case .numLock: insert(.numericPad)
            }
        }
    }
}
