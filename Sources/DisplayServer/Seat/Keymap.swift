// The keyboard's keymap and state, from xkbcommon.

import CLinux
import CXKBCommon
import Glibc
import Wayland

/// Layout names as in an XKB configuration; empty ones are the system's defaults.
public struct KeyboardLayout: Hashable, Sendable {
    public var rules = ""
    public var model = ""
    public var layout = "us"
    public var variant = ""
    public var options = ""

    public init() {}
}

/// The modifiers and the group as wl_keyboard.modifiers tells them.
struct ModifierState: Hashable {
    var depressed: UInt32 = 0
    var latched: UInt32 = 0
    var locked: UInt32 = 0
    var group: UInt32 = 0
}

/// A compiled keymap, its text in sealed memory for the clients, and the state of the keys.
final class Keymap {
    /// The keymap's text with its terminating NUL.
    let descriptor: OwnedDescriptor
    let size: UInt32
    private let context: OpaquePointer
    private let keymap: OpaquePointer
    private let state: OpaquePointer

    /// - Returns: nil when XKB has no such layout, or memory ran out.
    init?(_ layout: KeyboardLayout) {
        guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return nil }
        self.context = context
        xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        guard let keymap = Self.compile(layout, context) else {
            xkb_context_unref(context)
            return nil
        }
        self.keymap = keymap
        guard let state = xkb_state_new(keymap), let text = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1)
        else {
            xkb_keymap_unref(keymap)
            xkb_context_unref(context)
            return nil
        }
        self.state = state
        let count = strlen(text) + 1
        descriptor = OwnedDescriptor(linux_memfd_create("mullion-keymap", MFD_CLOEXEC | MFD_ALLOW_SEALING))
        size = UInt32(count)
        let written = descriptor.rawValue >= 0 && write(descriptor.rawValue, text, count) == count
        free(text)
        guard written else { return nil }
        _ = linux_fcntl(descriptor.rawValue, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)
    }

    deinit {
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        xkb_context_unref(context)
    }

    private static func compile(_ layout: KeyboardLayout, _ context: OpaquePointer) -> OpaquePointer? {
        layout.rules.withCString { rules in
            layout.model.withCString { model in
                layout.layout.withCString { name in
                    layout.variant.withCString { variant in
                        layout.options.withCString { options in
                            var names = xkb_rule_names(
                                rules: rules, model: model, layout: name, variant: variant, options: options)
                            return xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
                        }
                    }
                }
            }
        }
    }

    /// Follows a key (evdev code) and tells the modifiers as they are then.
    func update(key: UInt32, pressed: Bool) -> ModifierState {
        xkb_state_update_key(state, key + 8, pressed ? XKB_KEY_DOWN : XKB_KEY_UP)
        return modifiers
    }

    var modifiers: ModifierState {
        ModifierState(
            depressed: xkb_state_serialize_mods(state, XKB_STATE_MODS_DEPRESSED),
            latched: xkb_state_serialize_mods(state, XKB_STATE_MODS_LATCHED),
            locked: xkb_state_serialize_mods(state, XKB_STATE_MODS_LOCKED),
            group: xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE))
    }

    /// The key that has this name (`Return`, `a`, `F1` …, as in xkbcommon-keysyms.h without `XKB_KEY_`), and the
    /// modifier keys to hold for it, as evdev codes; nil when the layout has no such key.
    func keys(named name: String) -> KeyStroke? {
        let symbol = xkb_keysym_from_name(name, XKB_KEYSYM_NO_FLAGS)
        let found = symbol == XKB_KEY_NoSymbol ? xkb_keysym_from_name(name, XKB_KEYSYM_CASE_INSENSITIVE) : symbol
        return found == XKB_KEY_NoSymbol ? nil : keys(for: found)
    }

    /// The keys that type a character, nil when the layout has none.
    func keys(for character: Unicode.Scalar) -> KeyStroke? {
        keys(for: xkb_utf32_to_keysym(character == "\n" ? 13 : character.value))
    }

    /// A key, and what must be held while it is pressed.
    struct KeyStroke: Hashable {
        var key: UInt32
        var modifiers: [UInt32]
    }

    private func keys(for symbol: xkb_keysym_t) -> KeyStroke? { strokes[symbol] }

    /// For every symbol of the first group the key with the fewest modifiers, and of several the first.
    private(set) lazy var strokes: [xkb_keysym_t: KeyStroke] = {
        let group: xkb_layout_index_t = 0
        var strokes: [xkb_keysym_t: KeyStroke] = [:]
        for code in xkb_keymap_min_keycode(keymap)...xkb_keymap_max_keycode(keymap) where code >= 8 {
            guard group < xkb_keymap_num_layouts_for_key(keymap, code) else { continue }
            for level in 0..<xkb_keymap_num_levels_for_key(keymap, code, group) {
                var symbols: UnsafePointer<xkb_keysym_t>?
                guard xkb_keymap_key_get_syms_by_level(keymap, code, group, level, &symbols) == 1,
                    let symbol = symbols?.pointee, let held = modifierKeys(code, group, level)
                else { continue }
                if held.count < strokes[symbol]?.modifiers.count ?? .max {
                    strokes[symbol] = KeyStroke(key: code - 8, modifiers: held)
                }
            }
        }
        return strokes
    }()

    /// The modifier keys that select a level: those of Shift and AltGr cover what layouts use for typing.
    private func modifierKeys(_ code: xkb_keycode_t, _ group: xkb_layout_index_t, _ level: xkb_level_index_t)
        -> [UInt32]?
    {
        if level == 0 { return [] }
        var masks = [xkb_mod_mask_t](repeating: 0, count: 16)
        let count = xkb_keymap_key_get_mods_for_level(keymap, code, group, level, &masks, masks.count)
        let known: [(name: String, key: UInt32)] = [("Shift", 42), ("Mod5", 100)]
        let usable = known.compactMap { entry -> (mask: xkb_mod_mask_t, key: UInt32)? in
            let index = xkb_keymap_mod_get_index(keymap, entry.name)
            return index == XKB_MOD_INVALID ? nil : (1 << index, entry.key)
        }
        for mask in masks.prefix(count) {
            let all = usable.reduce(0) { $0 | $1.mask }
            if mask & ~all == 0 { return usable.filter { mask & $0.mask != 0 }.map(\.key) }
        }
        return nil
    }
}
