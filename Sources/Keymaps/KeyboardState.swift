// The modifiers and the group of a keyboard.

import CMullionXKBCommon

/// Modifiers and group, as in wl_keyboard.modifiers.
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

    /// Updates the state after a key event (evdev code).
    package func update(key: UInt32, pressed: Bool) {
        unsafe xkb_state_update_key(state, key &+ Keymap.offset, pressed ? XKB_KEY_DOWN : XKB_KEY_UP)
        readModifiers()
    }

    /// Restores the locks of another server; no key is held.
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

    /// Initialises a new state from that of another keymap: takes over Caps Lock and Num Lock if this keymap has keys
    /// to release them, and presses the held keys. The group is the first one, and nothing is latched.
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

    /// Whether the modifier that the symbol's key locks is locked.
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
