// The result of injecting an event: its receiver, or the reason it was not delivered (H3).

import MullionGeometry

/// The receiver of an event, or the reason it was not delivered.
public struct Routing: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case hit(Hit)
        /// E4: the applications that received a remote-control command, in order of delivery.
        case received([Application.ID])
        case dropped(Reason)
    }

    /// The window and surface that received the event.
    public struct Hit: Hashable, Sendable {
        public var window: Window.ID
        public var surface: Surface.ID?
        /// In the surface's points, or the window's without a surface.
        public var location: Point
        /// In the screen's points.
        public var screenLocation: Point
        public var screen: Screen.ID?
    }

    /// Why a window, an application, or all of them did not receive an event.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case hidden, alpha, interactionDisabled, outsideFrame, inputRegion, noWindow
        /// W6: the point is not on the screen, where nothing is drawn or hit.
        case outsideScreen
        /// E3: there is no key window; for a single window: it is not key.
        case noKeyWindow
        /// E7.
        case ignoring
        case screenNotInteractive
        /// E2: the event's sequence was cancelled, or never had a target.
        case cancelled
        /// E4: no application receives remote-control events; for a single one: it does not. For a window: its program
        /// has not asked for such events, and nothing was sent to it.
        case notReceiving
        /// L2: the server is locked; for a single window: it is not one of the lock.
        case locked
        /// L4: input is reserved for another application.
        case reserved
    }

    /// A window or application that did not receive the event.
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
    /// Filled on request. For events with a position: the windows of the screen in front of the receiver, front to
    /// back. Last, the window whose program does not receive the event. For presses and motion (E3) that were not
    /// delivered: all windows on the seat's screens. For remote control (E4): the applications that do not receive it.
    public var candidates: [Candidate] = []

    public var hit: Hit? {
        if case .hit(let hit) = outcome { hit } else { nil }
    }
    public var reason: Reason? {
        if case .dropped(let reason) = outcome { reason } else { nil }
    }
    /// E4: empty except for remote control.
    public var receivers: [Application.ID] {
        if case .received(let receivers) = outcome { receivers } else { [] }
    }
}

extension Routing {
    /// The routing of an event that was not delivered.
    public init(dropped reason: Reason) { self.init(outcome: .dropped(reason)) }
}
