// Events as delivered to applications; their details are in Event+Details.swift.

import MullionGeometry

/// One event for one application (E9).
public struct Event: Hashable, Sendable {
    /// UIKit's type numbers.
    public enum Kind: UInt8, Hashable, Sendable, Codable, CaseIterable {
        case touches = 0
        case motion = 1
        case remoteControl = 2
        case presses = 3
        case scroll = 10
        case hover = 11
        case transform = 14
    }

    /// UIKit's touch phases. A remote-control command only begins.
    public enum Phase: UInt8, Hashable, Sendable { case began, moved, stationary, ended, cancelled }

    /// What happened, apart from the phase.
    public enum Detail: Hashable, Sendable, Codable {
        /// A finger or pencil, by its id; see `touchAttributes`. With kind `hover`, a pencil above the screen.
        case touch(Int32)
        /// The pointer moved: `hover` (began: it entered the window, ended: it left it), or `touches` while a button is
        /// down.
        case pointer
        /// A pointer button, by its evdev code: kind `touches`.
        case button(UInt32)
        /// A key, by its evdev code: kind `presses`.
        case key(UInt32)
        /// The device is shaken: kind `motion`.
        case shake
        case remoteControl(RemoteCommand)
        case scroll(Scroll)
        case transform(TransformGesture)
    }

    public var kind: Kind
    public var phase: Phase
    public var detail: Detail
    /// K1: the seat of the input device.
    public var seat: Seat.ID
    public var application: Application.ID
    /// Nil only for remote control, which is delivered to the application (E4).
    public var window: Window.ID?
    /// Nil when the window itself received the event, at a point without a surface.
    public var surface: Surface.ID?
    /// In the target surface's points, or the window's without a surface. Zero for events without a position: presses,
    /// motion and remote control.
    public var location: Point
    /// In the screen's points. Zero for events without a position.
    public var screenLocation: Point
    public var screen: Screen.ID?
    /// Set for a finger or pencil (detail `touch`), otherwise nil.
    public var touchAttributes: TouchAttributes?
    /// Microseconds, never less than that of an earlier event.
    public var timestamp: UInt64
    /// Counts up from 1 across all events.
    public var serial: UInt64
    /// The serial of the first of the touches injected together; `serial` for all other events. The touches of one
    /// group are consecutive, with at most other kinds of events between them.
    public var group: UInt64
}
