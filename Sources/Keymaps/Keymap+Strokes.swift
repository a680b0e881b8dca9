// The keys to press for a symbol.

import CXKBCommon

/// A key and the modifier keys to hold while it is pressed, by evdev code.
package struct KeyStroke: Hashable {
    package var key: UInt32
    package var modifiers: [UInt32]

    package init(key: UInt32, modifiers: [UInt32]) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// XKB's symbols.
package enum KeySymbol {
    /// A symbol's number, as in xkbcommon-keysyms.h.
    package typealias Value = xkb_keysym_t

    /// The symbol of that name (`Return`, `a`, `F1` …, as in xkbcommon-keysyms.h without `XKB_KEY_`).
    package static func named(_ name: String) -> xkb_keysym_t? {
        let symbol = unsafe xkb_keysym_from_name(name, XKB_KEYSYM_NO_FLAGS)
        let found = unsafe symbol == XKB_KEY_NoSymbol ? xkb_keysym_from_name(name, XKB_KEYSYM_CASE_INSENSITIVE) : symbol
        return found == XKB_KEY_NoSymbol ? nil : found
    }

    /// The symbol that types a character; nil if no key can type it.
    package static func typing(_ character: Unicode.Scalar) -> xkb_keysym_t? {
        let code = character == "\n" ? 13 : character.value
        let symbol = xkb_utf32_to_keysym(code)
        // Only some control characters have a symbol; for the others XKB returns an unnamed one.
        let isUnnamed = code < 0xa0 && symbol > 0xffff
        return symbol == XKB_KEY_NoSymbol || isUnnamed ? nil : symbol
    }
}

extension Keymap {
    /// The difference between XKB's key codes and evdev's.
    static let offset: xkb_keycode_t = 8

    /// The key that has this name and the modifier keys to hold for it; nil when the group has no such key.
    package func keys(named name: String, group: UInt32 = 0) -> KeyStroke? {
        KeySymbol.named(name).flatMap { strokes(in: group)[$0] }
    }

    /// The keys that type a character, nil when the group has none.
    func keys(for character: Unicode.Scalar, group: UInt32 = 0) -> KeyStroke? {
        KeySymbol.typing(character).flatMap { strokes(in: group)[$0] }
    }

    func findStrokes(in group: xkb_layout_index_t) -> [xkb_keysym_t: KeyStroke] {
        let holders = modifierKeys
        var strokes: [xkb_keysym_t: KeyStroke] = [:]
        forEachKey { code in
            let count = unsafe xkb_keymap_num_layouts_for_key(pointer, code)
            guard count > 0 else { return }
            // A key with fewer groups than the keyboard wraps around to its first one.
            let group = group % count
            for level in unsafe 0..<xkb_keymap_num_levels_for_key(pointer, code, group) {
                guard let symbol = symbol(code, group, level), let held = modifiers(holders, code, group, level)
                else { continue }
                if held.count < strokes[symbol]?.modifiers.count ?? .max {
                    strokes[symbol] = KeyStroke(key: code - Self.offset, modifiers: held)
                }
            }
        }
        // Keymaps also have the symbol on a code that no keyboard sends, which may require modifiers.
        for holder in holders where strokes[holder.symbol]?.modifiers.isEmpty != false {
            strokes[holder.symbol] = KeyStroke(key: holder.key, modifiers: [])
        }
        return strokes
    }

    private struct ModifierKey {
        var symbol: xkb_keysym_t
        var mask: xkb_mod_mask_t
        var key: UInt32
    }

    /// The keys that select levels, and the modifiers that each sets.
    private var modifierKeys: [ModifierKey] {
        let wanted: [(symbol: Int32, usual: UInt32)] = [
            (XKB_KEY_Shift_L, 42), (XKB_KEY_ISO_Level3_Shift, 100), (XKB_KEY_ISO_Level5_Shift, 97),
        ]
        return wanted.compactMap { wanted in
            let symbol = xkb_keysym_t(wanted.symbol)
            var found: UInt32?
            forEachKey { code in
                guard self.symbol(code, 0, 0) == symbol else { return }
                if found == nil || code - Self.offset == wanted.usual { found = code - Self.offset }
            }
            guard let found, let state = KeyboardState(self) else { return nil }
            state.update(key: found, pressed: true)
            let mask = state.modifiers.depressed
            return mask == 0 ? nil : ModifierKey(symbol: symbol, mask: mask, key: found)
        }
    }

    private func forEachKey(_ body: (xkb_keycode_t) -> Void) {
        for code in unsafe xkb_keymap_min_keycode(pointer)...xkb_keymap_max_keycode(pointer) where code >= Self.offset {
            body(code)
        }
    }

    private func symbol(
        _ code: xkb_keycode_t, _ group: xkb_layout_index_t, _ level: xkb_level_index_t
    ) -> xkb_keysym_t? {
        var symbols: UnsafePointer<xkb_keysym_t>?
        return unsafe xkb_keymap_key_get_syms_by_level(pointer, code, group, level, &symbols) == 1
            ? symbols?.pointee : nil
    }

    /// The modifier keys that select a level; nil when the modifiers used for typing do not select it.
    private func modifiers(
        _ holders: [ModifierKey], _ code: xkb_keycode_t, _ group: xkb_layout_index_t, _ level: xkb_level_index_t
    ) -> [UInt32]? {
        if level == 0 { return [] }
        var masks = [xkb_mod_mask_t](repeating: 0, count: 16)
        let count = unsafe xkb_keymap_key_get_mods_for_level(pointer, code, group, level, &masks, masks.count)
        let all = holders.reduce(0) { $0 | $1.mask }
        for mask in masks.prefix(count) where mask & ~all == 0 {
            return holders.filter { mask & $0.mask != 0 }.map(\.key)
        }
        return nil
    }
}
