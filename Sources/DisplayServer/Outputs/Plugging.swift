// Connecting and disconnecting screens.

import Displays
import WindowModel

extension DisplayServer {
    /// Connects a screen: announces its global, and notifies every application (S6).
    /// - Parameters:
    ///   - isConfigured: whether it is from the configuration, so that it is not remembered for the next run.
    ///   - provokesRaces: see `ScreenSpecification.provokesRaces`.
    @discardableResult
    public func connect(
        _ description: ScreenDescription, isConfigured: Bool = false, provokesRaces: Bool = false
    ) throws(ModelError) -> Screen.ID {
        guard model.screens.count + switchedOff.count < limits.screens else {
            throw ModelError(
                kind: .notAllowed, rule: .s1,
                message: "limit reached: \(limits.screens) screens are plugged in; unplug one first")
        }
        try checkNotSwitchedOff(description.name)
        let id = try add(description, isConfigured: isConfigured, provokesRaces: provokesRaces)
        settle()
        return id
    }

    /// Disconnects a screen: windows are kept (S8), protocol objects become inert (S9).
    public func disconnect(_ id: Screen.ID) throws(ModelError) {
        try model.disconnect(id)
        settle()
    }

    /// Plugs in a screen by model, to the right of all others unless a position is given or remembered (S10).
    /// - Parameter isConfigured: whether it is from the configuration, whose settings apply whatever they were before,
    ///   and are not remembered.
    @discardableResult
    public func plug(_ specification: ScreenSpecification, isConfigured: Bool = false) throws(ModelError) -> Screen.ID {
        if let name = specification.name { try checkNotSwitchedOff(name) }
        let screens = pluggedScreens.map(\.screen)
        let right = screens.map { $0.position.x + $0.bounds.size.width }.max() ?? 0
        let description = try specification.description(
            from: displays, names: Set(screens.map(\.name)), right: right, memory: isConfigured ? nil : screenMemory)
        return try connect(description, isConfigured: isConfigured, provokesRaces: specification.provokesRaces)
    }

    /// The screen with this id or stable name.
    public func screen(_ text: String) throws(ModelError) -> Screen {
        if let number = UInt32(text), let screen = model.screen(Screen.ID(rawValue: number)) { return screen }
        if let screen = model.screen(named: text) { return screen }
        try checkNotSwitchedOff(text, kind: .unknownScreen)
        let known = model.screens.compactMap { model.screen($0)?.name }.joined(separator: ", ")
        throw ModelError(
            kind: .unknownScreen, rule: .s1,
            message: "there is no screen \"\(text)\"; connected: \(known.isEmpty ? "none" : known)")
    }
}
