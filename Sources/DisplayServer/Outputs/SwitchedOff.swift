// Screens that are switched off, and atomic changes to several screens.

import WindowModel

/// A screen that is plugged in but switched off. For clients it is unplugged: its protocol objects are inert (S9) and
/// its windows wait for it (S8). It keeps its name and all properties until it is switched on or unplugged.
struct SwitchedOffScreen: Codable {
    /// Its last state. The id is not used again.
    let screen: Screen
    let isConfigured: Bool
    let provokesRaces: Bool

    /// The names in the state that is handed over.
    private enum CodingKeys: String, CodingKey {
        case screen, isConfigured
        case provokesRaces = "provokesRaces"
    }
}

/// The requested state of a plugged-in screen.
package struct ScreenSetting {
    /// The current state.
    let screen: Screen
    /// Whether it should be on.
    var isEnabled: Bool
    var properties: ScreenDescription

    package init(screen: Screen, isEnabled: Bool, properties: ScreenDescription) {
        self.screen = screen
        self.isEnabled = isEnabled
        self.properties = properties
    }
}

extension DisplayServer {
    /// All plugged-in screens: the connected ones in order (S2), then those that are switched off.
    package var pluggedScreens: [(screen: Screen, isEnabled: Bool)] {
        model.screens.compactMap { model.screen($0) }.map { ($0, true) } + switchedOff.map { ($0.screen, false) }
    }

    /// The plugged-in screen of that name, or with that id. Throws S1 when there is none.
    package func pluggedScreen(_ text: String) throws(ModelError) -> (screen: Screen, isEnabled: Bool) {
        do {
            return (try screen(text), true)
        } catch {
            guard let off = switchedOff.first(where: { $0.screen.name == text }) else { throw error }
            return (off.screen, false)
        }
    }

    /// Switches a connected screen off. Throws S1 for any other.
    public func switchOff(_ id: Screen.ID) throws(ModelError) {
        guard let screen = model.screen(id) else { throw Self.unknown("\(id)") }
        try apply([ScreenSetting(screen: screen, isEnabled: false, properties: screen.properties)])
        settle()
    }

    /// Switches a screen on again with its previous properties. Throws S1 unless the name is that of a screen that is
    /// off.
    public func switchOn(_ name: String) throws(ModelError) {
        guard let screen = switchedOff.first(where: { $0.screen.name == name })?.screen else {
            throw Self.unknown(name)
        }
        try apply([ScreenSetting(screen: screen, isEnabled: true, properties: screen.properties)])
        settle()
    }

    /// Unplugs a screen that is switched off.
    package func forgetSwitchedOff(_ name: String) {
        switchedOff.removeAll { $0.screen.name == name }
        outputManagement.setNeedsUpdate()
    }

    /// The name of a switched-off screen stays reserved.
    func checkNotSwitchedOff(_ name: String, kind: ModelError.Kind = .notAllowed) throws(ModelError) {
        guard switchedOff.contains(where: { $0.screen.name == name }) else { return }
        throw ModelError(
            kind: kind, rule: .s1, message: "screen \(name) is plugged in and switched off; switch it on or unplug it")
    }

    /// Whether `apply` would be accepted.
    func check(_ settings: [ScreenSetting]) throws(ModelError) {
        for setting in settings {
            let screen = setting.screen
            if model.screen(screen.id) != nil {
                try check(setting.properties, for: screen.id)
                continue
            }
            guard switchedOff.contains(where: { $0.screen.id == screen.id }) else { throw Self.unknown(screen.name) }
            guard setting.isEnabled || setting.properties == screen.properties else {
                throw ModelError(
                    kind: .notAllowed, rule: .s1,
                    message: "screen \(screen.name) is switched off; it can only be changed as it is switched on")
            }
            try setting.properties.checked()
        }
    }

    /// Changes several screens atomically. `duration` is that of rotations (R1), in microseconds. Notifications are
    /// sent when the turn settles.
    package func apply(_ settings: [ScreenSetting], duration: UInt64? = nil) throws(ModelError) {
        try check(settings)
        for setting in settings {
            if model.screen(setting.screen.id) != nil {
                try change(setting.screen.id, to: setting.properties, duration: duration)
            } else if let index = switchedOff.firstIndex(where: { $0.screen.id == setting.screen.id }),
                setting.isEnabled
            {
                let off = switchedOff.remove(at: index)
                _ = try add(setting.properties, isConfigured: off.isConfigured, provokesRaces: off.provokesRaces)
            }
        }
        // Switch screens on before switching others off: with `orphans = "main"` windows need a screen to move to (S8).
        for setting in settings where !setting.isEnabled {
            guard let screen = model.screen(setting.screen.id), let output = output(of: screen.id) else { continue }
            switchedOff.append(
                SwitchedOffScreen(
                    screen: screen, isConfigured: output.isConfigured, provokesRaces: output.provokesRaces))
            try model.disconnect(screen.id)
        }
    }

    private static func unknown(_ name: String) -> ModelError {
        ModelError(kind: .unknownScreen, rule: .s1, message: "screen \(name) is not plugged in")
    }
}
