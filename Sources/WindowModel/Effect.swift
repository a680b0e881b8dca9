// The consequences of changes to the model, in the order of delivery.

import MullionGeometry

/// One consequence of a change. A notification is recorded after the state has changed (V2).
///
/// Lists of effects can become long, so cases with much data are indirect: all others need 24 bytes.
public enum Effect: Hashable, Sendable {
    /// S6: sent to every application.
    case screenDidConnect(Screen.ID)
    case screenDidDisconnect(Screen.ID)
    /// S2: sent to every application, after the screen that came or went; nil: there is no screen.
    case mainScreenDidChange(Screen.ID?)
    case modeDidChange(Screen.ID)
    /// S1, S6: another property of the screen changed: its scale, position, orientation, overscan or mirroring.
    /// Resulting frame changes follow it.
    case screenPropertiesDidChange(Screen.ID)
    /// R1: the screen is about to rotate; the new state and frames follow. The duration is in microseconds.
    case orientationWillChange(Screen.ID, from: Screen.Orientation, to: Screen.Orientation, duration: UInt64)
    /// R1: the screen has rotated.
    case orientationDidChange(Screen.ID, from: Screen.Orientation, to: Screen.Orientation)
    /// The application of a newly connected client, or of the server itself.
    case applicationDidConnect(Application.ID)
    /// W7: after the end of its windows.
    case applicationDidDisconnect(Application.ID)
    case applicationNameDidChange(Application.ID)
    /// W1: the window was created, hidden.
    case windowDidOpen(Window.ID, Application.ID)
    /// W7: the window was destroyed.
    case windowDidClose(Window.ID, Application.ID)
    /// V2.
    case didBecomeVisible(Window.ID, Application.ID)
    case didBecomeHidden(Window.ID, Application.ID)
    /// K2, on one seat (K1).
    case didBecomeKey(Window.ID, Application.ID, seat: Seat.ID = .first)
    case didResignKey(Window.ID, Application.ID, seat: Seat.ID = .first)
    /// The window moved to another screen, or (S8) waits for one.
    case screenDidChange(Window.ID, Application.ID, Screen.ID?)
    case frameDidChange(Window.ID, Application.ID)
    /// Another property of the window changed, by any client or the control API.
    case windowDidChange(Window.ID, Application.ID, Window.Property)
    /// W3: the window entered the front of its level, hidden or not: of the windows of one level that have no parents,
    /// the one this was recorded for last is in front. Recorded when it is created too, but not when it was the last
    /// one anyway.
    case cameToFront(Window.ID, Application.ID)
    /// W3: the window, which has another parent, got another place among those of its level, but not the front.
    case orderDidChange(Window.ID, Application.ID)
    /// L1, L3.
    case lockDidChange(isLocked: Bool)
    /// Send an event to the application named in it.
    indirect case deliver(Event)
    /// A seat's pointer has moved to another surface, or to none.
    indirect case pointerFocus(PointerFocus?, seat: Seat.ID = .first)
    /// The screen's contents changed; at most once per screen and drain, after all other effects.
    case needsDisplay(Screen.ID)
}

/// The surface a seat's pointer is over (E5).
public struct PointerFocus: Hashable, Sendable, Codable {
    public var seat: Seat.ID
    public var application: Application.ID
    public var window: Window.ID
    public var surface: Surface.ID?
    /// In the surface's points, or the window's without a surface.
    public var location: Point
    public var screen: Screen.ID
    /// From the same counter as the events' serials.
    public var serial: UInt64
}
