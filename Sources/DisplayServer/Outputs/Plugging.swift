// Plugging in and unplugging screens.

import Displays
import Glibc
import MullionGeometry
import MullionSystem
import WindowModel

/// Facts about a plugged-in screen that do not concern the window model.
public struct PlugOptions: Codable, Equatable, Sendable {
    /// Whether it is from the configuration, so that it is not remembered for the next run.
    public var isConfigured: Bool
    /// See `ScreenSpecification.provokesRaces`.
    public var provokesRaces: Bool

    public init(isConfigured: Bool = false, provokesRaces: Bool = false) {
        self.isConfigured = isConfigured
        self.provokesRaces = provokesRaces
    }
}

extension DisplayServer {
    /// Connects a screen: announces its global, and notifies every application (S6).
    /// - Parameter user: the user who plugs it in; nil for a holder of the token.
    @discardableResult
    public func connect(
        _ description: ScreenDescription, options: PlugOptions = PlugOptions(), by user: UInt32? = geteuid()
    ) throws(ModelError) -> Screen.ID {
        let count = model.pluggedScreens.count
        if let reason = limits.screens.refusal("screens", for: user, own: count, all: count) {
            throw ModelError(kind: .notAllowed, rule: .s1, message: reason + "; unplug one first")
        }
        let id = try model.connect(description)
        plugOptions[description.name] = options
        serveScreen(id)
        deliverAndFlush()
        return id
    }

    /// Disconnects a screen: windows are kept (S8), protocol objects become inert (S9).
    public func disconnect(_ id: Screen.ID) throws(ModelError) {
        guard let screen = model.screen(id) else { throw .unknown(id) }
        try unplug(screen.name)
    }

    /// Unplugs a screen, connected or switched off.
    package func unplug(_ name: String) throws(ModelError) {
        // S10: as it is now, although what has changed in this turn is not delivered any more.
        if let screen = model.pluggedScreen(named: name) { remember(screen) }
        try model.unplug(name)
        plugOptions[name] = nil
        outputManagement.setNeedsUpdate()
        deliverAndFlush()
    }

    /// Plugs in a screen by model, to the right of all others unless a position is given or remembered (S10).
    /// - Parameter isConfigured: whether it is from the configuration, whose settings apply whatever they were before,
    ///   and are not remembered.
    @discardableResult
    public func plug(
        _ specification: ScreenSpecification, isConfigured: Bool = false, by user: UInt32? = geteuid()
    ) throws(ModelError) -> Screen.ID {
        if let name = specification.name { try checkNotSwitchedOff(name) }
        let screens = model.pluggedScreens
        let right = screens.map { $0.position.x + $0.bounds.size.width }.max() ?? 0
        var description = try specification.description(
            from: displays, names: Set(screens.map(\.name)), right: right, memory: isConfigured ? nil : screenMemory)
        if specification.edid != nil, let shortage = VendorNames.shortage { logOnce(.info, shortage) }
        // Somebody else has the place that it had by itself.
        if !description.isPositioned, model.overlaps(description) { description.position = Point(x: right, y: 0) }
        return try connect(
            description,
            options: PlugOptions(isConfigured: isConfigured, provokesRaces: specification.provokesRaces), by: user)
    }

    /// The options of a plugged-in screen.
    package func plugOptions(of name: String) -> PlugOptions { plugOptions[name] ?? PlugOptions() }

    /// The connected screen with this id or stable name.
    public func screen(_ text: String) throws(ModelError) -> Screen {
        if let number = DecimalText.whole(text, as: UInt32.self), let screen = model.screen(Screen.ID(rawValue: number))
        {
            return screen
        }
        if let screen = model.screen(named: text) { return screen }
        try checkNotSwitchedOff(text, kind: .unknownScreen)
        let known = model.screens.compactMap { model.screen($0)?.name }.joined(separator: ", ")
        throw ModelError(
            kind: .unknownScreen, rule: .s1,
            message: "there is no screen \"\(text)\"; connected: \(known.isEmpty ? "none" : known)")
    }

    /// The plugged-in screen of that name, or the connected one with that id. Throws S1 if there is none.
    package func pluggedScreen(_ text: String) throws(ModelError) -> Screen {
        if let screen = model.pluggedScreen(named: text), !screen.isEnabled { return screen }
        return try screen(text)
    }

    private func checkNotSwitchedOff(_ name: String, kind: ModelError.Kind = .notAllowed) throws(ModelError) {
        if model.pluggedScreen(named: name)?.isEnabled == false { throw .switchedOff(name, kind: kind) }
    }
}
