// A keyboard beside the seat's own.

import Keymaps

/// Keys with a keymap of their own: a program's virtual keyboard, or what types characters that the layout lacks.
package final class KeyboardDevice: Equatable {
    enum Kind { case virtual, typing }

    let kind: Kind
    /// Nil until there is one; nothing is pressed before.
    var keymap: KeymapText?
    /// Of a device that types: XKB's names by evdev code.
    package let symbols: [UInt32: String]
    /// Its keys do not change them.
    var modifiers = ModifierState()

    /// A program's virtual keyboard.
    init() {
        kind = .virtual
        symbols = [:]
    }

    /// Types the characters that a keymap was made for.
    /// - Returns: nil without memory or descriptors for the keymap.
    init?(typing made: TypingKeymap) {
        kind = .typing
        symbols = made.symbols
        keymap = made.text
        if keymap == nil { return nil }
    }

    package static func == (a: KeyboardDevice, b: KeyboardDevice) -> Bool { a === b }
}
