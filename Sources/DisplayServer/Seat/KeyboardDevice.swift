// Keyboards in addition to the seat's own.

import MullionKeymaps

/// Keys with their own keymap: those of a program's virtual keyboard, or those that type characters that the layout
/// lacks.
package final class KeyboardDevice: Equatable {
    enum Kind {
        /// A program's.
        case virtual
        /// Types characters that the layout lacks.
        case typing
        /// Types them in the programs of an X server, with a keymap that has the layout's keys, too.
        case `extension`
    }

    let kind: Kind
    /// Nil until it is set; no key is pressed before.
    var keymap: KeymapText?
    /// For a device that types: XKB's symbol names of the keys that it adds, by evdev code.
    package let symbols: [UInt32: String]
    /// The device's own keys do not change them.
    var modifiers = ModifierState()

    /// Creates a program's virtual keyboard.
    init() {
        kind = .virtual
        symbols = [:]
    }

    /// Creates a device that types the characters of a keymap.
    /// - Returns: nil when there is no memory or descriptor for the keymap.
    init?(typing made: TypingKeymap) {
        kind = .typing
        symbols = made.symbols
        keymap = made.text
        if keymap == nil { return nil }
    }

    /// Creates a device that types the further symbols of a keymap.
    /// - Returns: nil when there is no memory or descriptor for the keymap.
    init?(typing made: KeymapExtension) {
        kind = .extension
        symbols = made.symbols
        keymap = made.text
        if keymap == nil { return nil }
    }

    package static func == (a: KeyboardDevice, b: KeyboardDevice) -> Bool { a === b }
}
