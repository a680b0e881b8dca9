// A layout's keymap with further symbols, for the programs of an X server.

import CMullionXKBCommon

/// A layout's keymap that gives further symbols to the keys for programs and media, and to keys that hardly any keyboard
/// has.
///
/// The programs of an X server look a key up when they read it, which can be after many further keys and keymaps. So no
/// key of the layout changes its meaning, and the keys of further symbols keep theirs.
package struct KeymapExtension {
    private let keymap: Keymap
    /// XKB's codes of the keys without a further symbol, the next one last.
    private var free: [xkb_keycode_t]
    /// By symbol, evdev codes.
    private var codes: [xkb_keysym_t: UInt32] = [:]

    package init(_ keymap: Keymap) {
        self.keymap = keymap
        let all = (Keymap.offset + 1)...(Keymap.offset + EvdevKeys.highest)
        let named = all.filter { unsafe xkb_keymap_key_get_name(keymap.pointer, $0) != nil }
        // Chromium goes back and forward with these keys, whatever their symbols.
        let browsing: ClosedRange<UInt32> = 158...159
        let special = named.filter { keymap.use(of: $0) == .special && !browsing.contains($0 - Keymap.offset) }
        let first = special.filter { Self.first.contains($0 - Keymap.offset) }
        // Browsers know more of the other keys for programs and media by their codes, so those are the last.
        free = special.filter { !Self.first.contains($0 - Keymap.offset) }
        free += named.filter { keymap.use(of: $0) == .none } + first.reversed()
    }

    /// The keys for programs, from KEY_POWER to KEY_ROTATE_DISPLAY, by evdev code, which get the first symbols: Wine
    /// lets only keys type that had a symbol and a virtual key when it started. It has few virtual keys to spare, and
    /// gives them to the lowest codes.
    private static let first: ClosedRange<UInt32> = 116...153

    /// The number of further symbols that it has room for.
    package var room: Int { free.count }

    /// Whether a key (evdev code) has a further symbol.
    package func contains(_ code: UInt32) -> Bool { codes.values.contains(code) }

    /// The key (evdev code) of a further symbol, assigned on first use; nil when all keys are in use.
    package mutating func key(for symbol: KeySymbol.Value) -> UInt32? {
        if let code = codes[symbol] { return code }
        guard let code = free.popLast() else { return nil }
        codes[symbol] = code - Keymap.offset
        return code - Keymap.offset
    }

    /// XKB's names of the further symbols, by evdev code.
    package var symbols: [UInt32: String] {
        Dictionary(codes.map { ($0.value, KeySymbol.name($0.key)) }) { first, _ in first }
    }

    /// The whole keymap; nil when memory ran out.
    package var text: KeymapText? {
        var bytes = Array(keymap.text.bytes.dropLast())
        // The last two sections that end are the symbols, and the keymap.
        guard let end = bytes.lastIndex(of: UInt8(ascii: "}")),
            let place = bytes[..<end].lastIndex(of: UInt8(ascii: "}"))
        else { return nil }
        let keys = codes.sorted { $0.value < $1.value }.map { symbol, code in
            let text = unsafe xkb_keymap_key_get_name(keymap.pointer, code + Keymap.offset)
            let key = unsafe text.map { unsafe String(cString: $0) } ?? ""
            let name = KeySymbol.name(symbol)
            // This type uses Shift and Caps Lock up, which would capitalize the symbol otherwise.
            return "replace key <\(key)> { type = \"ALPHABETIC\", [ \(name), \(name) ] };\n"
        }
        bytes.insert(contentsOf: Array(keys.joined().utf8), at: place)
        return unsafe KeymapText(String(decoding: bytes, as: UTF8.self), repeatingKeys: keymap.text.repeatingKeys)
    }
}

extension Keymap {
    fileprivate enum KeyUse {
        /// It has no symbol.
        case none
        /// It has only symbols for programs, media and machines, whose names begin with XF86.
        case special
        case other
    }

    /// What a key, by XKB's code, is used for.
    fileprivate func use(of code: xkb_keycode_t) -> KeyUse {
        var use = KeyUse.none
        for group in unsafe 0..<xkb_keymap_num_layouts_for_key(pointer, code) {
            for level in unsafe 0..<xkb_keymap_num_levels_for_key(pointer, code, group) {
                var symbols: UnsafePointer<xkb_keysym_t>?
                let count = unsafe xkb_keymap_key_get_syms_by_level(pointer, code, group, level, &symbols)
                for index in 0..<Int(count) {
                    guard let symbol = unsafe symbols?[index], symbol >> 16 == 0x1008 else { return .other }
                    use = .special
                }
            }
        }
        return use
    }
}
