// Plugging screens in and out.

import WindowModel

extension DisplayServer {
    /// Plugs in a screen: its global is announced, and every application told (S6).
    /// `isConfigured`: nothing is kept of it for the next run. `isHostile`: see `ScreenSpecification.isHostile`.
    @discardableResult
    public func connect(
        _ description: ScreenDescription, isConfigured: Bool = false, isHostile: Bool = false
    ) throws(ModelError) -> Screen.ID {
        guard model.screens.count + switchedOff.count < limits.screens else {
            throw ModelError(
                kind: .notAllowed, rule: "S1",
                message: "limit reached: \(limits.screens) screens are plugged in; unplug one first")
        }
        try checkNotSwitchedOff(description.name)
        let id = try add(description, isConfigured: isConfigured, isHostile: isHostile)
        settle()
        return id
    }

    /// Unplugs a screen: windows are kept (S8), protocol objects become inert (S9).
    public func disconnect(_ id: Screen.ID) throws(ModelError) {
        try model.disconnect(id)
        settle()
    }
}
