// Which modifiers are held, latched and locked.

import CXKBCommon

/// The modifiers and the group as wl_keyboard.modifiers sends them.
package struct ModifierState: Hashable, Codable {
    package var depressed: UInt32 = 0
    package var latched: UInt32 = 0
    package var locked: UInt32 = 0
    package var group: UInt32 = 0

    package init(depressed: UInt32 = 0, latched: UInt32 = 0, locked: UInt32 = 0, group: UInt32 = 0) {
        self.depressed = depressed
        self.latched = latched
        self.locked = locked
        self.group = group
    }
}

/// The state of a keyboard with one keymap.
@safe package final class KeyboardState {
    package let keymap: Keymap
    package private(set) var modifiers = ModifierState()
    private let state: OpaquePointer

    package init?(_ keymap: Keymap) {
        guard let state = unsafe xkb_state_new(keymap.pointer) else { return nil }
        self.keymap = keymap
        unsafe self.state = state
    }

    deinit { unsafe xkb_state_unref(state) }

    /// Follows a key (evdev code).
    package func update(key: UInt32, pressed: Bool) {
        unsafe xkb_state_update_key(state, key &+ Keymap.offset, pressed ? XKB_KEY_DOWN : XKB_KEY_UP)
        readModifiers()
    }

    /// Goes on with what was locked at another server, nothing being held.
    package func restore(_ locked: ModifierState) {
        unsafe xkb_state_update_mask(state, 0, 0, locked.locked, 0, 0, locked.group)
        readModifiers()
    }

    private func readModifiers() {
        modifiers = unsafe ModifierState(
            depressed: xkb_state_serialize_mods(state, XKB_STATE_MODS_DEPRESSED),
            latched: xkb_state_serialize_mods(state, XKB_STATE_MODS_LATCHED),
            locked: xkb_state_serialize_mods(state, XKB_STATE_MODS_LOCKED),
            group: xkb_state_serialize_layout(state, XKB_STATE_LAYOUT_EFFECTIVE))
    }

    /// Becomes, when new, what the keyboard would be had it had this keymap all along: locked as `other` is, as far as
    /// the keymap has keys to unlock it again, with its first group, no latches, and these keys down.
    package func follow(_ other: KeyboardState?, held: some Sequence<UInt32>) {
        for symbol in [XKB_KEY_Caps_Lock, XKB_KEY_Num_Lock] {
            guard let other, other.isLocked(xkb_keysym_t(symbol)), let key = lockKey(xkb_keysym_t(symbol)) else {
                continue
            }
            update(key: key, pressed: true)
            update(key: key, pressed: false)
        }
        for key in held { update(key: key, pressed: true) }
    }

    /// Whether what the key of that symbol locks is locked.
    private func isLocked(_ symbol: xkb_keysym_t) -> Bool {
        guard modifiers.locked != 0, let key = lockKey(symbol), let fresh = KeyboardState(keymap) else { return false }
        fresh.update(key: key, pressed: true)
        fresh.update(key: key, pressed: false)
        return modifiers.locked & fresh.modifiers.locked != 0
    }

    private func lockKey(_ symbol: xkb_keysym_t) -> UInt32? {
        keymap.strokes(in: 0)[symbol].flatMap { $0.modifiers.isEmpty ? $0.key : nil }
    }
}
