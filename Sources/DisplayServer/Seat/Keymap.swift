// Compiled keymaps, from xkbcommon.

import CXKBCommon
import Glibc
import Wayland

/// A compiled keymap and its text; it never changes.
final class Keymap {
    let text: KeymapText
    private let context: OpaquePointer
    /// For `KeyboardState`, and for looking keys up.
    let pointer: OpaquePointer
    /// By group, found when first wanted.
    private var strokes: [UInt32: [xkb_keysym_t: KeyStroke]] = [:]

    /// - Returns: nil when XKB has no such layout, or memory ran out.
    convenience init?(_ layout: KeyboardLayout) {
        self.init { context in
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
    }

    private init?(_ compile: (OpaquePointer) -> OpaquePointer?) {
        guard let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return nil }
        xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        guard let keymap = compile(context) else {
            xkb_context_unref(context)
            return nil
        }
        let whole = xkb_keymap_get_as_string(keymap, XKB_KEYMAP_FORMAT_TEXT_V1)
        defer { free(whole) }
        let repeatingKeys = KeySet { xkb_keymap_key_repeats(keymap, $0 + Self.offset) != 0 }
        guard let whole, let text = KeymapText(whole, repeatingKeys: repeatingKeys) else {
            xkb_keymap_unref(keymap)
            xkb_context_unref(context)
            return nil
        }
        self.context = context
        pointer = keymap
        self.text = text
    }

    deinit {
        xkb_keymap_unref(pointer)
        xkb_context_unref(context)
    }

    /// For every symbol of a group the key with the fewest modifiers, and of several the first.
    func strokes(in group: UInt32) -> [xkb_keysym_t: KeyStroke] {
        if let found = strokes[group] { return found }
        let found = findStrokes(in: group)
        strokes[group] = found
        return found
    }
}
