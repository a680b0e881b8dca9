// Keys and texts, as single keys of the key window's layout.

import CXKBCommon
import WindowModel

extension InputPlanner {
    /// A chord, pressed and let go, or one of both.
    func plan(key name: String, _ action: InputEvent.KeyAction) throws(ModelError) -> Plan {
        let chord = try layout().chord(name)
        switch action {
        case .tap: return tap(chord, type: "key")
        case .down:
            let modifiers = chord.modifiers.filter { !state.keys.contains($0) }
            return Plan(
                seat: seat, type: "key",
                steps: (modifiers + [chord.key]).map { .key($0, pressed: true) },
                telling: modifiers.count)
        case .up:
            return Plan(
                seat: seat, type: "key",
                steps: ([chord.key] + chord.modifiers.reversed()).map { .key($0, pressed: false) })
        }
    }

    /// A text: characters of the layout by their keys, others by keymaps that are made for them.
    func type(_ text: String) throws(ModelError) -> Plan {
        // Before the work: every character is a key down and up at least.
        guard text.unicodeScalars.count <= InputInjector.maximumSteps / 2 else { throw InputInjector.tooManySteps }
        let layout = try layout()
        var characters: [TypedCharacter] = []
        var last: Unicode.Scalar?
        for (index, scalar) in text.unicodeScalars.enumerated() {
            defer { last = scalar }
            if scalar == "\n", last == "\r" { continue }
            guard let symbol = KeySymbol.typing(scalar) else {
                let code = String(scalar.value, radix: 16, uppercase: true)
                throw Self.invalid(
                    "E3", "character \(index + 1) of the text, U+\(code), is none that a key can type")
            }
            let stroke = layout.isPlain ? layout.stroke(symbol) : nil
            let isFree = stroke.map { !state.keys.contains($0.key) } == true
            characters.append(TypedCharacter(symbol: symbol, stroke: isFree ? stroke : nil))
        }
        TypedCharacter.bridge(&characters)
        var plan = Plan(seat: seat, type: "type", steps: [])
        var rest = characters[...]
        while let first = rest.first {
            if let stroke = first.stroke {
                let part = tap(stroke, type: "type")
                if plan.steps.isEmpty { plan.telling = part.telling }
                plan.steps += part.steps
                rest.removeFirst()
            } else {
                plan.steps += try typeWithoutLayout(&rest)
            }
        }
        return plan
    }

    /// Types characters with one keymap, as many as there are keys for.
    private func typeWithoutLayout(_ rest: inout ArraySlice<TypedCharacter>) throws(ModelError) -> [InputStep] {
        var keymap = TypingKeymap(avoiding: state.keys)
        let device = KeyboardDevice(.typing)
        var steps: [InputStep] = []
        while let first = rest.first, first.stroke == nil, let code = keymap.key(for: first.symbol) {
            steps += [.type(code, pressed: true, on: device), .type(code, pressed: false, on: device)]
            rest.removeFirst()
        }
        device.keymap = keymap.text
        guard device.keymap != nil, !steps.isEmpty else {
            throw ModelError(
                kind: .notAllowed, rule: "E3", message: "there is no memory, or no free key, for another keymap")
        }
        return steps
    }

    /// Modifiers down, the key down and up, modifiers up; those that are held already stay so.
    private func tap(_ stroke: KeyStroke, type: String) -> Plan {
        let modifiers = stroke.modifiers.filter { !state.keys.contains($0) }
        return Plan(
            seat: seat, type: type,
            steps: modifiers.map { .key($0, pressed: true) }
                + [.key(stroke.key, pressed: true), .key(stroke.key, pressed: false)]
                + modifiers.reversed().map { .key($0, pressed: false) }, telling: modifiers.count)
    }

    private func layout() throws(ModelError) -> ActiveLayout {
        guard let state = seat.keyboard.keyWindowState else {
            throw ModelError(kind: .notAllowed, rule: "E3", message: "there is no such keyboard layout as configured")
        }
        return ActiveLayout(keymap: state.keymap, modifiers: state.modifiers)
    }
}

/// A character of a text.
private struct TypedCharacter {
    var symbol: xkb_keysym_t
    /// Its keys on the layout; nil: by a keymap made for it.
    var stroke: KeyStroke?

    /// Every change of the keymap costs the program, which compiles it: a few characters of the layout between others
    /// are typed like those.
    static func bridge(_ characters: inout [TypedCharacter]) {
        let longest = max(8, characters.count / 64)
        var previous: Int?
        for index in characters.indices where characters[index].stroke == nil {
            if let previous, index - previous - 1 <= longest {
                for between in (previous + 1)..<index { characters[between].stroke = nil }
            }
            previous = index
        }
    }
}

/// A keymap in the group that counts now.
private struct ActiveLayout {
    let keymap: Keymap
    let modifiers: ModifierState

    /// Nothing is locked or latched that would make other characters of the keys.
    var isPlain: Bool { modifiers.locked == 0 && modifiers.latched == 0 }

    func stroke(_ symbol: xkb_keysym_t) -> KeyStroke? { keymap.strokes(in: modifiers.group)[symbol] }

    /// Names that people use, and XKB's for them.
    private static let modifierNames = [
        "ctrl": "Control_L", "control": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "option": "Alt_L",
        "super": "Super_L", "cmd": "Super_L", "meta": "Super_L", "logo": "Super_L", "altgr": "ISO_Level3_Shift",
    ]
    private static let aliases = [
        "enter": "Return", "esc": "Escape", "del": "Delete", "pageup": "Prior", "pagedown": "Next",
        "backspace": "BackSpace",
    ]

    /// "ctrl+shift+Tab": the last part is the key, XKB's name or the character itself.
    func chord(_ text: String) throws(ModelError) -> KeyStroke {
        var parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        // "ctrl++" and "+": the key is the plus sign.
        if parts.count >= 2, parts.suffix(2).allSatisfy(\.isEmpty) { parts = parts.dropLast(2) + ["+"] }
        var held: [UInt32] = []
        for name in parts.dropLast() {
            guard let symbol = Self.modifierNames[name.lowercased()],
                let stroke = keymap.keys(named: symbol, group: modifiers.group)
            else {
                let known = Self.modifierNames.keys.sorted().joined(separator: ", ")
                throw refusal("\"\(name)\" is no modifier; there are \(known)")
            }
            held.append(stroke.key)
        }
        let name = parts.last ?? ""
        guard let stroke = key(name) else {
            throw refusal("the keyboard's layout has no key \"\(name)\"; names are XKB's: a, Return, F1 …")
        }
        return KeyStroke(key: stroke.key, modifiers: held + stroke.modifiers.filter { !held.contains($0) })
    }

    private func key(_ name: String) -> KeyStroke? {
        if name.unicodeScalars.count == 1, let character = name.unicodeScalars.first {
            return keymap.keys(for: character, group: modifiers.group)
        }
        let lower = name.lowercased()
        return keymap.keys(named: Self.modifierNames[lower] ?? Self.aliases[lower] ?? name, group: modifiers.group)
    }

    private func refusal(_ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: "E3", message: message)
    }
}
