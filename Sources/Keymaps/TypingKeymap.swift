// Keymaps for characters that a layout lacks.

import CMullionXKBCommon

/// Assigns each symbol a key that produces it whatever modifiers are held.
package struct TypingKeymap {
    /// Codes of letters, digits and punctuation, because programs give other codes, such as Escape's, a meaning.
    private static let codes = Array(2...13) + Array(16...27) + Array(30...41) + [43] + Array(44...53)
    /// Symbols whose usual code programs may rely on.
    private static let usual: [xkb_keysym_t: UInt32] = [
        xkb_keysym_t(XKB_KEY_Escape): 1, xkb_keysym_t(XKB_KEY_BackSpace): 14, xkb_keysym_t(XKB_KEY_Tab): 15,
        xkb_keysym_t(XKB_KEY_Return): 28, xkb_keysym_t(XKB_KEY_space): 57, xkb_keysym_t(XKB_KEY_Delete): 111,
    ]

    private let taken: Set<UInt32>
    private var free: ArraySlice<UInt32>
    private var keys: [(symbol: xkb_keysym_t, code: UInt32)] = []
    private var codes: [xkb_keysym_t: UInt32] = [:]

    /// - Parameter taken: pressed keys, which are not reassigned.
    package init(avoiding taken: Set<UInt32>) {
        self.taken = taken
        free = Self.codes.map(UInt32.init).filter { !taken.contains($0) }[...]
    }

    /// The key of a symbol, assigned on first use; nil when all keys are in use.
    package mutating func key(for symbol: xkb_keysym_t) -> UInt32? {
        if let code = codes[symbol] { return code }
        let usual = Self.usual[symbol].flatMap { taken.contains($0) ? nil : $0 }
        guard let code = usual ?? free.popFirst() else { return nil }
        codes[symbol] = code
        keys.append((symbol, code))
        return code
    }

    /// Restores a recorded keymap from XKB's symbol names by key code.
    /// - Returns: nil for an invalid name or code.
    package init?(symbols: [UInt32: String]) {
        self.init(avoiding: [])
        for (code, name) in symbols.sorted(by: { $0.key < $1.key }) {
            guard (1...EvdevKeys.highest).contains(code), let symbol = KeySymbol.named(name) else { return nil }
            keys.append((symbol, code))
        }
    }

    /// XKB's symbol names by key code.
    package var symbols: [UInt32: String] {
        Dictionary(keys.map { ($0.code, KeySymbol.name($0.symbol)) }) { first, _ in first }
    }

    /// The keymap of all keys assigned so far; nil when memory ran out.
    package var text: KeymapText? {
        let names = keys.map { "<K\($0.code)> = \($0.code + Keymap.offset);" }
        let symbols = keys.map { "key <K\($0.code)> { type = \"ONE_LEVEL\", [ \(KeySymbol.name($0.symbol)) ] };" }
        // X servers, which get this keymap if they become key meanwhile, refuse one without an interpretation and a
        // virtual modifier, and crash when one without an indicator is replaced. Their programs refuse one without the
        // four usual types. None of these has an effect.
        let text = """
            xkb_keymap {
            xkb_keycodes "typing" {
            minimum = \(Keymap.offset); maximum = \(Keymap.offset + EvdevKeys.highest); indicator 1 = "Caps Lock"; \(names.joined(separator: "\n"))
            };
            xkb_types "typing" { \(Self.types) };
            xkb_compatibility "typing" {
            virtual_modifiers LevelThree;
            interpret Any+AnyOf(none) { action = NoAction(); };
            indicator "Caps Lock" { whichModState = Locked; modifiers = Lock; };
            };
            xkb_symbols "typing" { \(symbols.joined(separator: "\n")) };
            };

            """
        // XKB's default for keymaps that do not specify it.
        return unsafe KeymapText(text, repeatingKeys: KeySet { _ in true })
    }

    private static let types = """
        type "ONE_LEVEL" { modifiers = none; level_name[Level1] = "Any"; };
        type "TWO_LEVEL" {
        modifiers = Shift; map[Shift] = Level2; level_name[Level1] = "Base"; level_name[Level2] = "Shift";
        };
        type "ALPHABETIC" {
        modifiers = Shift + Lock; map[Shift] = Level2; map[Lock] = Level2;
        level_name[Level1] = "Base"; level_name[Level2] = "Caps";
        };
        type "KEYPAD" {
        modifiers = Shift; map[Shift] = Level2; level_name[Level1] = "Base"; level_name[Level2] = "Number";
        };
        """
}
