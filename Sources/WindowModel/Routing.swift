// The answer to every injected event: who took it, or why nobody did (H3).

import Geometry

/// Who took an event, or why nobody did.
public struct Routing: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case hit(Hit)
        /// E4: remote control: the applications that got it, in the order of delivery.
        case received([Application.ID])
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

    /// Why a window or application, or all of them, did not take an event.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case hidden, alpha, interactionDisabled, outsideFrame, inputRegion, noWindow
        /// E3: there is no key window; of one window: it is not key.
        case noKeyWindow
        /// E7.
        case ignoring
        case screenNotInteractive
        /// E2: the sequence that it belongs to was cancelled, or never had a target.
        case cancelled
        /// E4: nobody asked for remote-control events; of one application: it did not.
        case notReceiving
    }

    /// A window or application that did not take the event.
    public struct Candidate: Hashable, Sendable {
        public var application: Application.ID
        /// Nil for an application as a whole (E4).
        public var window: Window.ID?
        public var reason: Reason

        public init(application: Application.ID, window: Window.ID?, reason: Reason) {
            self.application = application
            self.window = window
            self.reason = reason
        }
    }

    public var outcome: Outcome
    /// When asked for. For what has a place: the windows of the screen in front of the one that took the event, front
    /// to back. For presses and motion (E3), when nobody took them: the key window; when there is none, all windows on
    /// the seat's screens. For remote control (E4): the applications that did not ask.
    public var candidates: [Candidate] = []

    public var hit: Hit? {
        if case .hit(let hit) = outcome { hit } else { nil }
    }
    public var reason: Reason? {
        if case .dropped(let reason) = outcome { reason } else { nil }
    }
    /// E4: empty for all but remote control.
    public var receivers: [Application.ID] {
        if case .received(let receivers) = outcome { receivers } else { [] }
    }
}

extension Routing {
    /// Nobody took the event.
    public init(dropped reason: Reason) { self.init(outcome: .dropped(reason)) }
}
