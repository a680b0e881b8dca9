// Plans keys and texts as single keys of the key window's layout.

import MullionKeymaps
import WindowModel

extension InputPlanner {
    /// Plans a chord, pressed, released, or both. A symbol that the layout lacks gets its own keymap.
    func plan(key name: String, _ action: InputEvent.KeyAction) throws(ModelError) -> Plan {
        let chord = try layout().chord(name)
        guard let stroke = chord.stroke else {
            guard action == .tap else {
                throw Self.invalid(
                    .e3, "the layout has no key \"\(name)\"; it can only be tapped, not held")
            }
            if let x11 { return tap(try type([chord.symbol], in: x11), holding: chord.held, type: "key") }
            var rest = [TypedCharacter(symbol: chord.symbol)][...]
            return tap(try typeWithoutLayout(&rest, held: chord.held), holding: chord.held, type: "key")
        }
        switch action {
        case .tap: return tap(stroke, type: "key")
        case .down:
            let modifiers = stroke.modifiers.filter { !state[seat].keys.contains($0) }
            return Plan(
                type: "key", steps: (modifiers + [stroke.key]).map { key($0, pressed: true) },
                explained: modifiers.count)
        case .up:
            return Plan(
                type: "key", steps: ([stroke.key] + stroke.modifiers.reversed()).map { key($0, pressed: false) })
        }
    }

    /// Plans a recorded key.
    func plan(
        code: UInt32, _ action: InputEvent.KeyAction, _ symbols: [UInt32: String]?
    ) throws(ModelError) -> Plan {
        var device: KeyboardDevice?
        var code = code
        if let symbols {
            guard let name = symbols[code] else { throw Self.invalid(.e3, "the keymap has no key \(code)") }
            device = try server.injector.typingDevice(symbols)
            if let x11, let symbol = KeySymbol.named(name) {
                let (own, keys) = try keyboard.extend(x11, with: [symbol])
                (device, code) = (own, keys[symbol] ?? code)
            }
        }
        guard code <= EvdevKeys.highest || x11 == nil else {
            throw Self.invalid(
                .e3, "an X11 program cannot receive key \(code); X11 has keys up to \(EvdevKeys.highest)")
        }
        let phases = action == .tap ? [true, false] : [action == .down]
        return Plan(type: "key", steps: phases.map { .key(code, pressed: $0, from: device, seat: seat) })
    }

    private func key(_ code: UInt32, pressed: Bool) -> InputStep { .key(code, pressed: pressed, seat: seat) }

    /// Plans a text: characters of the layout by their keys, others by keymaps made for them.
    func type(_ text: String) throws(ModelError) -> Plan {
        // Checked first: every character needs at least a press and a release.
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
                    .e3, "character \(index + 1) of the text, U+\(code), cannot be typed with a key")
            }
            let stroke = layout.isPlain ? layout.stroke(symbol) : nil
            let isFree = stroke.map { !state[seat].keys.contains($0.key) } == true
            characters.append(TypedCharacter(symbol: symbol, stroke: isFree ? stroke : nil))
        }
        if let x11 { return try type(characters, in: x11) }
        TypedCharacter.bridge(&characters)
        var plan = Plan(type: "type", steps: [])
        var rest = characters[...]
        while let first = rest.first {
            if let stroke = first.stroke {
                let part = tap(stroke, type: "type")
                if plan.steps.isEmpty { plan.explained = part.explained }
                plan.steps += part.steps
                rest.removeFirst()
            } else {
                plan.steps += try typeWithoutLayout(&rest)
            }
        }
        return plan
    }

    /// Keeps modifiers down on the keyboard of the pointer's seat during all steps of a plan, but for those that are held
    /// already.
    func hold(_ modifiers: [String], during plan: inout Plan) throws(ModelError) {
        guard !modifiers.isEmpty else { return }
        let seat = plan.steps.lazy.compactMap(\.pointerSeat).first ?? seat
        guard let keyboard = server.injector.devices(of: seat).keyboard.keyWindowState else { throw Keyboard.noLayout }
        let layout = ActiveLayout(keymap: keyboard.keymap, modifiers: keyboard.modifiers, extended: nil)
        var keys: [UInt32] = []
        for name in modifiers {
            let key = try layout.modifier(name)
            if !keys.contains(key), !state[seat].keys.contains(key) { keys.append(key) }
        }
        func steps(_ keys: [UInt32], pressed: Bool) -> [InputStep] {
            keys.map { .key($0, pressed: pressed, seat: seat) }
        }
        plan.steps = steps(keys, pressed: true) + plan.steps + steps(keys.reversed(), pressed: false)
        plan.explained += keys.count
        plan.modifiers = keys.count
    }

    /// The names of modifiers.
    package static var modifierNames: [String] { ActiveLayout.modifierNames.keys.sorted() }

    private var keyboard: Keyboard { server.injector.devices(of: seat).keyboard }

    /// The X server that has the keyboard; nil: another client has it.
    private var x11: Client? { keyboard.surface.flatMap { $0.client.isXServer ? $0.client : nil } }

    /// Types characters in a program of an X server, which would read a keymap of its own for some of them too late.
    private func type(_ characters: [TypedCharacter], in x11: Client) throws(ModelError) -> Plan {
        let others = characters.filter { $0.stroke == nil }.map(\.symbol)
        let extended = others.isEmpty ? nil : try keyboard.extend(x11, with: others)
        var plan = Plan(type: "type", steps: [])
        for character in characters {
            var part = Plan(type: "type", steps: [])
            if let stroke = character.stroke {
                part = tap(stroke, type: "type")
            } else if let extended, let code = extended.keys[character.symbol] {
                part.steps = [true, false].map { .key(code, pressed: $0, from: extended.device, seat: seat) }
            }
            if plan.steps.isEmpty { plan.explained = part.explained }
            plan.steps += part.steps
        }
        return plan
    }

    private func type(_ symbols: [KeySymbol.Value], in x11: Client) throws(ModelError) -> [InputStep] {
        try type(symbols.map { TypedCharacter(symbol: $0) }, in: x11).steps
    }

    /// Types characters with one keymap, as many as there are free keys.
    /// - Parameter held: further keys to hold meanwhile.
    private func typeWithoutLayout(
        _ rest: inout ArraySlice<TypedCharacter>, held: [UInt32] = []
    ) throws(ModelError) -> [InputStep] {
        var keymap = TypingKeymap(avoiding: Set(state[seat].keys).union(held))
        var codes: [UInt32] = []
        while let first = rest.first, first.stroke == nil, let code = keymap.key(for: first.symbol) {
            codes.append(code)
            rest.removeFirst()
        }
        guard !codes.isEmpty, let device = KeyboardDevice(typing: keymap) else {
            throw ModelError(
                kind: .notAllowed, rule: .e3, message: "no memory or no free key is left for another keymap")
        }
        return codes.flatMap { code in
            [true, false].map { .key(code, pressed: $0, from: device, seat: seat) }
        }
    }

    /// Presses modifiers, presses and releases the key, releases modifiers; modifiers already held stay pressed.
    private func tap(_ stroke: KeyStroke, type: String) -> Plan {
        tap(
            [key(stroke.key, pressed: true), key(stroke.key, pressed: false)], holding: stroke.modifiers, type: type)
    }

    private func tap(_ steps: [InputStep], holding all: [UInt32], type: String) -> Plan {
        let modifiers = all.filter { !state[seat].keys.contains($0) }
        return Plan(
            type: type,
            steps: modifiers.map { key($0, pressed: true) } + steps
                + modifiers.reversed().map { key($0, pressed: false) }, explained: modifiers.count)
    }

    private func layout() throws(ModelError) -> ActiveLayout {
        guard let state = keyboard.keyWindowState else { throw Keyboard.noLayout }
        return ActiveLayout(
            keymap: state.keymap, modifiers: state.modifiers, extended: x11?.seat(keyboard.seat).extended?.keymap)
    }
}

/// A character of a text.
private struct TypedCharacter {
    var symbol: KeySymbol.Value
    /// Its keys on the layout; nil: uses a keymap made for it.
    var stroke: KeyStroke?

    init(symbol: KeySymbol.Value, stroke: KeyStroke? = nil) {
        self.symbol = symbol
        self.stroke = stroke
    }

    /// Every change of the keymap makes the program compile one, so a few characters of the layout between others are
    /// typed with the same keymap.
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

/// A keymap and its active group.
private struct ActiveLayout {
    let keymap: Keymap
    let modifiers: ModifierState
    /// What an X server has instead of it.
    let extended: KeymapExtension?

    /// Whether no lock or latch changes the characters of the keys.
    var isPlain: Bool { modifiers.locked == 0 && modifiers.latched == 0 }

    func stroke(_ symbol: KeySymbol.Value) -> KeyStroke? {
        let found = keymap.strokes(in: modifiers.group)[symbol]
        // Another symbol may have been given to the key.
        return found.map { extended?.contains($0.key) == true } == true ? nil : found
    }

    /// Common names, and XKB's for them.
    static let modifierNames = [
        "ctrl": "Control_L", "control": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "option": "Alt_L",
        "super": "Super_L", "cmd": "Super_L", "meta": "Super_L", "logo": "Super_L", "altgr": "ISO_Level3_Shift",
    ]
    private static let aliases = [
        "enter": "Return", "esc": "Escape", "del": "Delete", "pageup": "Prior", "pagedown": "Next",
        "backspace": "BackSpace",
    ]

    /// The modifiers to hold, and the keys of the symbol with them; nil if the layout lacks it.
    struct Chord {
        var held: [UInt32]
        var symbol: KeySymbol.Value
        var stroke: KeyStroke?
    }

    /// Parses "ctrl+shift+Tab": the last part is the key, XKB's name or the character itself.
    func chord(_ text: String) throws(ModelError) -> Chord {
        var parts = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        // In "ctrl++" and "+" the key is the plus sign.
        if parts.count >= 2, parts.suffix(2).allSatisfy(\.isEmpty) { parts = parts.dropLast(2) + ["+"] }
        var held: [UInt32] = []
        for name in parts.dropLast() { held.append(try modifier(name)) }
        let name = parts.last ?? ""
        guard let symbol = Self.symbol(name) else {
            throw refusal("\"\(name)\" is not a key; use XKB's name, such as a, Return or F1, or the character itself")
        }
        let found = stroke(symbol).map { stroke in
            KeyStroke(key: stroke.key, modifiers: held + stroke.modifiers.filter { !held.contains($0) })
        }
        return Chord(held: held, symbol: symbol, stroke: found)
    }

    /// The key of a modifier.
    func modifier(_ name: String) throws(ModelError) -> UInt32 {
        guard let symbol = Self.modifierNames[name.lowercased()],
            let stroke = keymap.keys(named: symbol, group: modifiers.group)
        else {
            let known = InputPlanner.modifierNames.joined(separator: ", ")
            throw refusal("\"\(name)\" is not a modifier; use one of \(known)")
        }
        return stroke.key
    }

    private static func symbol(_ name: String) -> KeySymbol.Value? {
        if name.unicodeScalars.count == 1, let character = name.unicodeScalars.first {
            return KeySymbol.typing(character)
        }
        let lower = name.lowercased()
        return KeySymbol.named(modifierNames[lower] ?? aliases[lower] ?? name)
    }

    private func refusal(_ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: .e3, message: message)
    }
}
