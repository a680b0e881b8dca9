// Which layout is whose, and changing it.

import Wayland
import WindowModel

extension Keyboard {
    /// Of the layout that is for every application without one of its own; nil when it cannot be compiled.
    var state: KeyboardState? { state(of: configuration.layout) }

    /// Of the client's layout.
    func state(for client: Client) -> KeyboardState? {
        if let known = client.seat.keyboardState { return known }
        client.seat.keyboardState = state(of: layout(for: client))
        return client.seat.keyboardState
    }

    /// Of the layout that the key window's client has.
    var keyWindowState: KeyboardState? {
        let model = server.model
        let application = model.keyWindow.flatMap { model.window($0)?.application }
        return application.flatMap { server.client($0) }.map { state(for: $0) } ?? state
    }

    private func layout(for client: Client) -> KeyboardLayout {
        guard !configuration.applications.isEmpty else { return configuration.layout }
        let name = server.model.application(client.application)?.name ?? ""
        return configuration.applications[name] ?? configuration.applications[client.credentials.processName]
            ?? configuration.layout
    }

    private func state(of layout: KeyboardLayout) -> KeyboardState? {
        if let known = states[layout] { return known }
        guard let made = Keymap(layout).flatMap({ KeyboardState($0) }) else { return nil }
        made.follow(states.values.first, held: heldKeys)
        states[layout] = made
        return made
    }

    /// Changes layouts and repetition; every client learns what concerns it, and what is locked and held stays so.
    /// - Throws: E3 for what cannot be; nothing has changed then.
    func configure(_ new: KeyboardConfiguration) throws(ModelError) {
        try new.checkRepeat()
        // What belongs before the change is told in the old layout.
        server.carryOutEffects()
        var next: [KeyboardLayout: KeyboardState] = [:]
        for layout in new.layouts {
            // The built-in default needs no proof; it is compiled when somebody has a keyboard.
            if layout == KeyboardLayout(), states[layout] == nil { continue }
            if let known = states[layout] {
                next[layout] = known
            } else {
                next[layout] = try makeState(layout)
            }
        }
        configuration = new
        states = next
        for client in server.clientsInOrder { client.seat.keyboardState = nil }
        for client in server.clientsInOrder { tell(client) }
        server.seat.textInputs.grab?.describeKeyboard()
    }

    private func makeState(_ layout: KeyboardLayout) throws(ModelError) -> KeyboardState {
        guard let made = KeyboardState(try layout.keymap()) else {
            throw ModelError(kind: .notAllowed, rule: "E3", message: "there is no memory for another keymap")
        }
        made.follow(states[configuration.layout] ?? states.values.first, held: heldKeys)
        return made
    }

    /// The name of a client decides on its layout.
    func applicationDidChangeName(_ client: Client) {
        guard !configuration.applications.isEmpty else { return }
        client.seat.keyboardState = nil
        tell(client)
    }

    private func tell(_ client: Client) {
        guard !client.seat.keyboards.isEmpty else { return }
        let hasKeyboard = surface?.connection === client
        for keyboard in client.seat.keyboards {
            keyboard.setRepeat(rate: configuration.repeatRate, delay: configuration.repeatDelay)
            if !hasKeyboard { keyboard.set(state(for: client)?.keymap.text) }
        }
        if hasKeyboard { update() }
    }
}

extension DisplayServer {
    /// The keyboard's layouts and repetition.
    public var keyboard: KeyboardConfiguration { seat.keyboard.configuration }

    /// Changes the keyboard for everybody at once, at any time.
    /// - Throws: E3, with what is wrong and what is allowed; nothing has changed then.
    public func setKeyboard(_ configuration: KeyboardConfiguration) throws(ModelError) {
        try seat.keyboard.configure(configuration)
    }
}
