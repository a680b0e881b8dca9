// The layouts of applications, and changing them.

import MullionKeymaps
import MullionWayland
import WindowModel

extension Keyboard {
    static let noLayout = ModelError(
        kind: .notAllowed, rule: .e3,
        message: "the configured keyboard layout cannot be compiled; if XKB's data is not installed, mullionctl doctor "
            + "server names its package")
    private static let noMemory = ModelError(
        kind: .notAllowed, rule: .e3, message: "no memory is left for another keymap")

    /// The state of the layout for all applications without their own; nil when it cannot be compiled.
    var state: KeyboardState? { state(of: configuration.layout) }

    /// The state of the client's layout.
    func state(for client: Client) -> KeyboardState? {
        let part = client.seat(seat)
        if let known = part.keyboardState { return known }
        part.keyboardState = state(of: layout(for: client))
        return part.keyboardState
    }

    /// The state of the layout of the key window's client.
    var keyWindowState: KeyboardState? {
        let model = server.model
        let application = model.keyWindow(of: seat.id).flatMap { model.window($0)?.application }
        return application.flatMap { server.client($0) }.map { state(for: $0) } ?? state
    }

    private func layout(for client: Client) -> KeyboardLayout {
        guard !configuration.applications.isEmpty else { return configuration.layout }
        let name = server.model.application(client.application)?.name ?? ""
        return configuration.layout(of: name) ?? configuration.layout(of: client.processName) ?? configuration.layout
    }

    private func state(of layout: KeyboardLayout) -> KeyboardState? {
        if let known = states[layout] { return known }
        guard let made = (keymapElsewhere(layout) ?? Keymap(layout)).flatMap({ KeyboardState($0) }) else {
            server.logOnce(.warning, "keyboards have no keys: \(Self.noLayout.message)")
            return nil
        }
        made.follow(states.values.first, held: heldKeys)
        states[layout] = made
        return made
    }

    /// The layout's keymap, if another seat has already compiled it.
    private func keymapElsewhere(_ layout: KeyboardLayout) -> Keymap? {
        server.seats.lazy.compactMap { $0.keyboard.states[layout]?.keymap }.first
    }

    /// Restores what was locked at another server.
    func restore(_ locked: ModifierState, of layout: KeyboardLayout) { state(of: layout)?.restore(locked) }

    /// The device and the keys that type symbols in the programs of an X server, whose layout lacks them. Nothing is
    /// sent before the device is used.
    /// - Throws: E3 for more symbols than a keymap can have.
    func extend(
        _ client: Client, with symbols: [KeySymbol.Value]
    ) throws(ModelError) -> (device: KeyboardDevice, keys: [KeySymbol.Value: UInt32]) {
        guard let layout = state(for: client)?.keymap else { throw Self.noLayout }
        let part = client.seat(seat)
        func keys(in extended: inout KeymapExtension) -> [KeySymbol.Value: UInt32]? {
            var keys: [KeySymbol.Value: UInt32] = [:]
            for symbol in symbols {
                guard let key = extended.key(for: symbol) else { return nil }
                keys[symbol] = key
            }
            return keys
        }
        var extended = part.extended?.keymap ?? KeymapExtension(layout)
        let room = extended.room
        if let keys = keys(in: &extended) {
            if extended.room == room, let device = part.extended?.device { return (device, keys) }
            return (try device(extended, of: part), keys)
        }
        extended = KeymapExtension(layout)
        let most = extended.room
        guard let keys = keys(in: &extended) else {
            throw ModelError(
                kind: .notAllowed, rule: .e3,
                message: "an X11 program can receive at most \(most) different characters at once that its layout "
                    + "lacks; type the text in parts")
        }
        return (try device(extended, of: part), keys)
    }

    private func device(_ extended: KeymapExtension, of part: ClientSeat) throws(ModelError) -> KeyboardDevice {
        guard let device = KeyboardDevice(typing: extended) else { throw Self.noMemory }
        part.extended = (extended, device)
        return device
    }

    /// Changes layouts and repetition. Clients are notified of what concerns them; locks and held keys stay as they
    /// are.
    /// - Throws: E3 for an invalid configuration; nothing has changed then.
    func configure(
        _ new: KeyboardConfiguration, _ compiled: CompiledLayouts = CompiledLayouts()
    ) throws(ModelError) {
        try new.checkRepeat()
        // Send earlier effects in the old layout.
        server.deliverEffects()
        var next: [KeyboardLayout: KeyboardState] = [:]
        for layout in new.layouts {
            // The built-in default need not be checked; it is compiled when a client first gets the keyboard. If there
            // are states already, their locks are passed on to it now.
            if layout == KeyboardLayout(), states.isEmpty { continue }
            if let known = states[layout] {
                next[layout] = known
            } else {
                next[layout] = try makeState(layout, compiled)
            }
        }
        configuration = new
        states = next
        for client in server.clientsInOrder { client.seat(seat).keyboardState = nil }
        for client in server.clientsInOrder { sendKeymap(to: client) }
        seat.grabs.inputMethod?.describeKeyboard()
    }

    private func makeState(
        _ layout: KeyboardLayout, _ compiled: CompiledLayouts
    ) throws(ModelError) -> KeyboardState {
        let keymap = if let known = keymapElsewhere(layout) { known } else { try layout.compiled(compiled) }
        guard let made = KeyboardState(keymap) else { throw Self.noMemory }
        made.follow(states[configuration.layout] ?? states.values.first, held: heldKeys)
        return made
    }

    /// Called when a client's name changes, because it determines the layout.
    func applicationDidChangeName(_ client: Client) {
        guard !configuration.applications.isEmpty else { return }
        client.seat(seat).keyboardState = nil
        sendKeymap(to: client)
    }

    private func sendKeymap(to client: Client) {
        guard !client.seat(seat).keyboards.isEmpty else { return }
        let hasKeyboard = surface?.connection === client
        for keyboard in client.seat(seat).keyboards {
            keyboard.setRepeat(rate: configuration.repeatRate, delay: configuration.repeatDelay)
            if !hasKeyboard { keyboard.set(state(for: client)?.keymap.text) }
        }
        guard hasKeyboard else { return }
        repetition.stop()
        update()
    }
}
