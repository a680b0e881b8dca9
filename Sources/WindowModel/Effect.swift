// What follows from changes to the model, in the order in which it must be told.

import Geometry

/// One consequence of a change. Notifications are recorded after the state reads so (V2).
public enum Effect: Hashable, Sendable {
    /// S6, for every application.
    case screenDidConnect(Screen.ID)
    case screenDidDisconnect(Screen.ID)
    case modeDidChange(Screen.ID)
    /// S1: something else of the screen changed: its position, its orientation, what it mirrors. Frames that follow
    /// from it are told after it.
    case screenPropertiesDidChange(Screen.ID)
    /// R1: the screen is going to turn; the new state and frames follow. The duration is in microseconds.
    case orientationWillChange(Screen.ID, from: Screen.Orientation, to: Screen.Orientation, duration: UInt64)
    /// R1: it has turned.
    case orientationDidChange(Screen.ID, from: Screen.Orientation, to: Screen.Orientation)
    /// V2.
    case didBecomeVisible(Window.ID, Application.ID)
    case didBecomeHidden(Window.ID, Application.ID)
    /// K2, on one seat (K1).
    case didBecomeKey(Window.ID, Application.ID, seat: Seat.ID = .first)
    case didResignKey(Window.ID, Application.ID, seat: Seat.ID = .first)
    /// The window is on another screen now, or (S8) waits for one.
    case screenDidChange(Window.ID, Application.ID, Screen.ID?)
    case frameDidChange(Window.ID, Application.ID)
    /// Send an event to the application it names.
    case deliver(Event)
    /// A seat's pointer is over another surface now, or over none.
    case pointerFocus(PointerFocus?, seat: Seat.ID = .first)
    /// The screen shows something else now; at most once a screen and drain, after all other effects.
    case needsDisplay(Screen.ID)
}

/// What a seat's pointer is over (E5).
public struct PointerFocus: Hashable, Sendable, Codable {
    public var seat: Seat.ID
    public var application: Application.ID
    public var window: Window.ID
    public var surface: Surface.ID?
    /// In the surface's points, or the window's without a surface.
    public var location: Point
    public var screen: Screen.ID
    /// Counts with the events' serials.
    public var serial: UInt64
}
