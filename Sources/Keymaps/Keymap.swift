// Compiled keymaps, from xkbcommon.

import CMullionXKBCommon
import Glibc

/// A compiled keymap and its text; immutable.
@safe package final class Keymap {
    package let text: KeymapText
    private let context: OpaquePointer
    /// For `KeyboardState` and key lookup.
    let pointer: OpaquePointer
    /// By group; computed on first use.
    private var strokes: [UInt32: [xkb_keysym_t: KeyStroke]] = [:]

    /// - Returns: nil when XKB does not know the layout, or memory ran out.
    package convenience init?(_ layout: KeyboardLayout) {
        unsafe self.init { context in
            unsafe layout.rules.withCString { rules in
                unsafe layout.model.withCString { model in
                    unsafe layout.layout.withCString { name in
                        unsafe layout.variant.withCString { variant in
                            unsafe layout.options.withCString { options in
                                var names = unsafe xkb_rule_names(
                                    rules: rules, model: model, layout: name, variant: variant, options: options)
                                return unsafe xkb_keymap_new_from_names(context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
                            }
                        }
                    }
                }
            }
        }
    }

    private init?(_ compile: (OpaquePointer) -> OpaquePointer?) {
        guard let context = unsafe xkb_context_with_data(XKBData.folder) else { return nil }
        unsafe xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        guard let keymap = unsafe compile(context) else {
            unsafe xkb_context_unref(context)
            return nil
        }
        let whole = unsafe xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1)
        defer { unsafe free(whole) }
        let repeatingKeys = KeySet { unsafe xkb_keymap_key_repeats(keymap, $0 + Self.offset) != 0 }
        guard let whole = unsafe whole, let text = unsafe KeymapText(whole, repeatingKeys: repeatingKeys) else {
            unsafe xkb_keymap_unref(keymap)
            unsafe xkb_context_unref(context)
            return nil
        }
        unsafe self.context = context
        unsafe pointer = keymap
        self.text = text
    }

    deinit {
        unsafe xkb_keymap_unref(pointer)
        unsafe xkb_context_unref(context)
    }

    /// For every symbol of a group, the key that a person would press: of the typing block if possible, with the fewest
    /// modifiers.
    package func strokes(in group: UInt32) -> [xkb_keysym_t: KeyStroke] {
        if let found = strokes[group] { return found }
        let found = findStrokes(in: group)
        strokes[group] = found
        return found
    }
}
