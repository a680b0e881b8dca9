// What happens to a screen.

extension Screen {
    /// What happens to a screen.
    public enum Event: Sendable {
        /// The current mode has changed; `currentMode` is already the new one. A change of scale is not one: it is
        /// `didChange` alone (S6).
        case modeDidChange
        /// The screen is about to rotate; `orientation` and `bounds` are still the old ones. The new frames of windows
        /// follow; animate along for `duration` seconds (R1, R2).
        case orientationWillChange(from: Orientation, to: Orientation, duration: Double)
        /// The screen has rotated (R1).
        case orientationDidChange(from: Orientation, to: Orientation)
        /// A change that this application requested was refused, with the reason; nothing has changed.
        case changeWasRefused(reason: String)
        /// Some property of the screen changed: bounds, scale, orientation and so on.
        case didChange
        /// The screen was unplugged; `isConnected` is already false (S9).
        case didDisconnect
    }

    /// What happens to the screen, as a sequence that ends when it is unplugged.
    public var events: AsyncStream<Event> { observers.stream() }

    /// Calls `body` for everything that happens to the screen.
    @discardableResult
    public func onEvent(_ body: @escaping (Event) -> Void) -> Observation { observers.add(body) }

    /// Calls `body` when any property of the screen changed.
    @discardableResult
    public func onDidChange(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .didChange = $0 { body() } }
    }

    /// Calls `body` when the screen was unplugged.
    @discardableResult
    public func onDidDisconnect(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .didDisconnect = $0 { body() } }
    }
}
