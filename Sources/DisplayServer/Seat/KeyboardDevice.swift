// A keyboard beside the seat's own.

import Keymaps

/// Keys with a keymap of their own: a program's virtual keyboard, or what types characters that the layout lacks.
final class KeyboardDevice: Equatable {
    enum Kind { case virtual, typing }

    let kind: Kind
    /// Nil until there is one; nothing is pressed before.
    var keymap: KeymapText?
    /// Its keys do not change them.
    var modifiers = ModifierState()

    init(_ kind: Kind) { self.kind = kind }

    static func == (a: KeyboardDevice, b: KeyboardDevice) -> Bool { a === b }
}
