// What keys type, for a client: symbols, characters, dead keys and the compose key.

import CMullionXKBCommon
import Glibc
import MullionSystem

/// Translates the keys of one keyboard with the keymap that the server sent.
@safe package final class KeyTranslator {
    /// The modifiers that have a meaning in every layout.
    package enum Modifier: CaseIterable {
        case shift, capsLock, control, alt, numLock, logo

        fileprivate var name: String {
            switch self {
            case .shift: XKB_MOD_NAME_SHIFT
            case .capsLock: XKB_MOD_NAME_CAPS
            case .control: XKB_MOD_NAME_CTRL
            case .alt: XKB_MOD_NAME_ALT
            case .numLock: XKB_MOD_NAME_NUM
            case .logo: XKB_MOD_NAME_LOGO
            }
        }
    }

    /// The symbol and the characters of a key.
    package struct Meaning {
        package let symbol: UInt32
        package let characters: String
        package let plainCharacters: String
    }

    private let context: OpaquePointer
    private let keymap: OpaquePointer
    private let state: OpaquePointer
    /// Nil when the locale has no table of compositions.
    private let compose: OpaquePointer?
    /// The active modifiers.
    package private(set) var modifiers: Set<Modifier> = []

    /// - Parameters:
    ///   - descriptor: the file that wl_keyboard.keymap gave.
    ///   - size: in bytes, including the NUL.
    ///   - locale: whose compositions apply, such as de_DE.UTF-8.
    /// - Returns: nil when the text is no keymap.
    package init?(_ descriptor: OwnedDescriptor, size: Int, locale: String) {
        guard size > 0, let context = unsafe xkb_context_with_data(XKBData.folder) else { return nil }
        // Programs need not hear of locales without compositions.
        unsafe xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
        var text = DescriptorIO.read(descriptor.rawValue, count: size)
        text.append(0)
        let keymap = unsafe text.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe characters.baseAddress.flatMap {
                    unsafe xkb_keymap_new_from_string(
                        context, $0, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)
                }
            }
        }
        guard let keymap = unsafe keymap, let state = unsafe xkb_state_new(keymap) else {
            unsafe xkb_keymap_unref(keymap)
            unsafe xkb_context_unref(context)
            return nil
        }
        unsafe self.context = context
        unsafe self.keymap = keymap
        unsafe self.state = state
        // The C locale has no compositions of its own.
        let names = [locale, "en_US.UTF-8"].filter { !["C", "POSIX", "C.UTF-8"].contains($0) }
        let table = unsafe names.lazy.compactMap {
            unsafe xkb_compose_table_new_from_locale(context, $0, XKB_COMPOSE_COMPILE_NO_FLAGS)
        }.first
        unsafe compose = unsafe table.flatMap { unsafe xkb_compose_state_new($0, XKB_COMPOSE_STATE_NO_FLAGS) }
        unsafe xkb_compose_table_unref(table)
    }

    deinit {
        unsafe xkb_compose_state_unref(compose)
        unsafe xkb_state_unref(state)
        unsafe xkb_keymap_unref(keymap)
        unsafe xkb_context_unref(context)
    }

    /// Follows wl_keyboard.modifiers.
    package func update(_ modifiers: ModifierState) {
        unsafe xkb_state_update_mask(
            state, modifiers.depressed, modifiers.latched, modifiers.locked, 0, 0, modifiers.group)
        self.modifiers = Set(
            Modifier.allCases.filter {
                unsafe xkb_state_mod_name_is_active(state, $0.name, XKB_STATE_MODS_EFFECTIVE) > 0
            })
    }

    /// What a key (evdev code) means with the active modifiers.
    package func meaning(of key: UInt32) -> Meaning {
        let code = key &+ Keymap.offset
        let group = unsafe xkb_state_key_get_layout(state, code)
        var symbols: UnsafePointer<xkb_keysym_t>?
        let count = unsafe xkb_keymap_key_get_syms_by_level(keymap, code, group, 0, &symbols)
        let plain = unsafe count > 0 ? symbols?.pointee ?? 0 : 0
        return unsafe Meaning(
            symbol: xkb_state_key_get_one_sym(state, code),
            characters: Self.text { unsafe xkb_state_key_get_utf8(state, code, $0, $1) },
            plainCharacters: Self.text(of: plain))
    }

    /// The text that pressing the key enters, with dead keys and the compose key applied; empty while a sequence is
    /// incomplete and when it was cancelled.
    package func press(_ symbol: UInt32, _ characters: String) -> String {
        guard let compose = unsafe compose,
            unsafe xkb_compose_state_feed(compose, symbol) == XKB_COMPOSE_FEED_ACCEPTED
        else { return characters }
        switch unsafe xkb_compose_state_get_status(compose) {
        case XKB_COMPOSE_NOTHING: return characters
        case XKB_COMPOSE_COMPOSED:
            defer { unsafe xkb_compose_state_reset(compose) }
            return unsafe Self.text { unsafe xkb_compose_state_get_utf8(compose, $0, $1) }
        case XKB_COMPOSE_CANCELLED:
            unsafe xkb_compose_state_reset(compose)
            return ""
        default: return ""
        }
    }

    /// Forgets an incomplete sequence.
    package func resetComposition() {
        guard let compose = unsafe compose else { return }
        unsafe xkb_compose_state_reset(compose)
    }

    private static func text(of symbol: xkb_keysym_t) -> String {
        unsafe text { unsafe xkb_keysym_to_utf8(symbol, $0, $1) > 0 ? 1 : 0 }
    }

    /// The text that a function of XKB writes, without its NUL.
    private static func text(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard unsafe write(buffer.baseAddress, buffer.count) > 0 else { return "" }
            let bytes = unsafe buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
