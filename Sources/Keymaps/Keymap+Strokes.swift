// The keys to press for a symbol.

import CMullionXKBCommon

/// A key and the modifier keys to hold while it is pressed, by evdev code.
package struct KeyStroke: Hashable {
    package var key: UInt32
    package var modifiers: [UInt32]

    package init(key: UInt32, modifiers: [UInt32]) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// What evdev's key codes stand for.
package enum EvdevKeys {
    /// The highest key that all programs can receive: X11's codes, which are evdev's plus 8, end at 255, and browsers
    /// ignore the keys above, too.
    package static let highest: UInt32 = 247

    /// The keys of letters, digits and punctuation, from Escape to Space, and the further ones that keyboards of some
    /// countries have among them.
    package static func isInTypingBlock(_ key: UInt32) -> Bool {
        switch key {
        // The star is on the keypad.
        case 55: false
        // The key beside the left Shift, and those of Japanese keyboards.
        case 1...58, 86, 89, 92...94, 124: true
        default: false
        }
    }
}

/// Which of several ways to type a symbol is chosen: the one that a person would use, the lower first.
private struct StrokeRank: Comparable {
    private let isElsewhere: Bool
    private let modifiers: Int
    /// Shift before the modifiers of further levels.
    private let level: xkb_level_index_t
    private let key: UInt32

    init(_ key: UInt32, modifiers: Int, level: xkb_level_index_t) {
        isElsewhere = !EvdevKeys.isInTypingBlock(key)
        (self.modifiers, self.level, self.key) = (modifiers, level, key)
    }

    static func < (a: StrokeRank, b: StrokeRank) -> Bool {
        if a.isElsewhere != b.isElsewhere { return b.isElsewhere }
        return (a.modifiers, a.level, a.key) < (b.modifiers, b.level, b.key)
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

    /// XKB's name of a symbol.
    static func name(_ symbol: Value) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        unsafe xkb_keysym_get_name(symbol, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The symbol that `typing` finds for the same character: layouts also use others, such as U20AC for EuroSign.
    static func usual(_ symbol: Value) -> Value {
        guard symbol >> 24 == 1, let character = Unicode.Scalar(symbol & 0xff_ffff) else { return symbol }
        return typing(character) ?? symbol
    }
}

extension Keymap {
    /// The difference between XKB's key codes and evdev's.
    static let offset: xkb_keycode_t = 8

    /// The key that has this name and the modifier keys to hold for it; nil when the group has no such key that all
    /// programs can receive.
    package func keys(named name: String, group: UInt32 = 0) -> KeyStroke? {
        KeySymbol.named(name).flatMap { strokes(in: group)[$0] }
    }

    /// The keys that type a character, nil when the group has none.
    func keys(for character: Unicode.Scalar, group: UInt32 = 0) -> KeyStroke? {
        KeySymbol.typing(character).flatMap { strokes(in: group)[$0] }
    }

    func findStrokes(in group: xkb_layout_index_t) -> [xkb_keysym_t: KeyStroke] {
        let holders = modifierKeys
        var found: [xkb_keysym_t: (stroke: KeyStroke, rank: StrokeRank)] = [:]
        forEachKey { code in
            let count = unsafe xkb_keymap_num_layouts_for_key(pointer, code)
            guard count > 0 else { return }
            // A key with fewer groups than the keyboard wraps around to its first one.
            let group = group % count
            for level in unsafe 0..<xkb_keymap_num_levels_for_key(pointer, code, group) {
                guard let symbol = symbol(code, group, level), let held = modifiers(holders, code, group, level)
                else { continue }
                let key = code - Self.offset
                let rank = StrokeRank(key, modifiers: held.count, level: level)
                for name in Set([symbol, KeySymbol.usual(symbol)]) where found[name].map({ rank < $0.rank }) ?? true {
                    found[name] = (KeyStroke(key: key, modifiers: held), rank)
                }
            }
        }
        var strokes = found.mapValues(\.stroke)
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

    /// Calls `body` with XKB's codes of the keys that all programs can receive.
    private func forEachKey(_ body: (xkb_keycode_t) -> Void) {
        let first = max(unsafe xkb_keymap_min_keycode(pointer), Self.offset)
        let last = min(unsafe xkb_keymap_max_keycode(pointer), Self.offset + EvdevKeys.highest)
        guard first <= last else { return }
        for code in first...last { body(code) }
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
