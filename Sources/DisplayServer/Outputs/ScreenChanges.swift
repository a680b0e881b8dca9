// Atomic changes to several screens, which may switch some of them off and on.

import WindowModel

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
    /// Switches a connected screen off: for clients it is unplugged, its protocol objects are inert (S9) and its windows
    /// wait for it (S8). Throws S1 for a screen that is not connected.
    public func switchOff(_ id: Screen.ID) throws(ModelError) {
        try model.switchOff(id)
        deliverAndFlush()
    }

    /// Switches a screen on again with its previous properties. Throws S1 unless a screen of that name is switched
    /// off.
    public func switchOn(_ name: String) throws(ModelError) {
        serveScreen(try model.switchOn(name))
        deliverAndFlush()
    }

    /// Whether `apply` would be accepted.
    func check(_ settings: [ScreenSetting]) throws(ModelError) {
        for setting in settings {
            let screen = setting.screen
            if model.screen(screen.id) != nil {
                try check(setting.properties, for: screen.id)
                continue
            }
            guard model.pluggedScreen(named: screen.name)?.id == screen.id else {
                throw .unknown(screenNamed: screen.name)
            }
            guard setting.isEnabled || setting.properties == screen.properties else {
                throw ModelError(
                    kind: .notAllowed, rule: .s1,
                    message: "screen \(screen.name) is switched off; it can only be changed as it is switched on")
            }
            try setting.properties.checked()
        }
    }

    /// Changes several screens atomically. `duration` is that of rotations (R1), in microseconds. Notifications are
    /// sent at the end of the turn.
    package func apply(_ settings: [ScreenSetting], duration: UInt64? = nil) throws(ModelError) {
        try check(settings)
        for setting in settings {
            if model.screen(setting.screen.id) != nil {
                let old = setting.screen.properties
                try change(setting.screen.id, to: setting.properties, from: old, duration: duration)
            } else if setting.isEnabled {
                var properties = setting.properties
                let (old, now) = (setting.screen.properties, model.pluggedScreen(named: properties.name)?.properties)
                // The changes before this one may have moved it, if its position is not set.
                if !properties.isPositioned, properties.position == old.position, let now {
                    properties.position = now.position
                }
                serveScreen(try model.switchOn(setting.screen.name, with: properties))
            }
        }
        // Switch screens on before switching others off: with `orphans = "main"` windows need a screen to move to (S8).
        for setting in settings where !setting.isEnabled && model.screen(setting.screen.id) != nil {
            try model.switchOff(setting.screen.id)
        }
    }
}
