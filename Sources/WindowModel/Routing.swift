// The answer to every injected event: who took it, or why nobody did (H3).

/// Who took an event, or why nobody did.
public struct Routing: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case hit(Hit)
        case dropped(Reason)
    }

    /// The window and surface that took the event.
    public struct Hit: Hashable, Sendable {
        public var window: Window.ID
        public var surface: Surface.ID?
        /// In the surface's points, or the window's without a surface.
        public var location: Point
        /// In the screen's points.
        public var screenLocation: Point
        public var screen: Screen.ID?
    }

    /// Why a window, or every window, did not take an event.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case hidden, alpha, interactionDisabled, outsideFrame, inputRegion, noWindow, noKeyWindow, ignoring
        case screenNotInteractive
        /// E2: the sequence that it belongs to was cancelled, or never had a target.
        case cancelled
    }

    /// A window that did not take the event.
    public struct Candidate: Hashable, Sendable {
        public var window: Window.ID
        public var reason: Reason
    }

    public var outcome: Outcome
    /// When asked for: the windows of the screen in front of the one that took the event, front to back.
    public var candidates: [Candidate] = []

    public var hit: Hit? {
        if case .hit(let hit) = outcome { hit } else { nil }
    }
    public var reason: Reason? {
        if case .dropped(let reason) = outcome { reason } else { nil }
    }
}
