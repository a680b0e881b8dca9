// Screens that are switched off: plugged in, but unplugged as far as applications can tell.

extension WindowModel {
    /// All plugged-in screens: the connected ones in order (S2), then the switched-off ones in the order in which that
    /// was done.
    public var pluggedScreens: [Screen] { screenNodes.map(\.value) + switchedOff }

    /// The plugged-in screen of that name, connected or switched off.
    public func pluggedScreen(named name: String) -> Screen? {
        screen(named: name) ?? switchedOff.first { $0.name == name }
    }

    /// Switches a connected screen off: it is disconnected (S6, S8), but keeps its name and properties until it is
    /// switched on again or unplugged. Throws S1 for a screen that is not connected.
    public func switchOff(_ id: Screen.ID) throws(ModelError) {
        var screen = try node(id).value
        try disconnect(id)
        screen.isEnabled = false
        screen.mirroredScreen = nil
        switchedOff.append(screen)
    }

    /// Connects a switched-off screen again, under a new id (S1), with its previous properties or other ones. Throws S1
    /// unless a screen of that name is switched off, and like `connect` for invalid properties.
    @discardableResult
    public func switchOn(_ name: String, with properties: ScreenDescription? = nil) throws(ModelError) -> Screen.ID {
        guard let index = switchedOff.firstIndex(where: { $0.name == name }) else {
            guard screen(named: name) == nil else { throw .notAllowed(.s1, "screen \(name) is not switched off") }
            throw .unknown(screenNamed: name)
        }
        let screen = switchedOff.remove(at: index)
        do {
            return try connect(properties ?? screen.properties)
        } catch {
            switchedOff.insert(screen, at: index)
            throw error
        }
    }

    /// Unplugs a screen, connected or switched off. Throws S1 if no screen of that name is plugged in.
    public func unplug(_ name: String) throws(ModelError) {
        if let screen = screen(named: name) { return try disconnect(screen.id) }
        guard let index = switchedOff.firstIndex(where: { $0.name == name }) else {
            throw .unknown(screenNamed: name)
        }
        switchedOff.remove(at: index)
    }

    /// S1: names are unique among plugged-in screens.
    func checkUnused(_ name: String) throws(ModelError) {
        guard let other = pluggedScreen(named: name) else { return }
        guard !other.isEnabled else {
            throw .invalid(.s1, "a screen named \(name) is already plugged in; use another name")
        }
        throw .switchedOff(name)
    }
}
