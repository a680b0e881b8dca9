// Events as they are delivered to applications; what their details are is in Event+Details.swift.

import Geometry

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

    /// UIKit's touch phases. A command of a remote control has only a beginning.
    public enum Phase: UInt8, Hashable, Sendable { case began, moved, stationary, ended, cancelled }

    /// What happened, beyond the phase.
    public enum Detail: Hashable, Sendable, Codable {
        /// A finger, by its id; see `touchAttributes`.
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
    /// K1: whose finger, pointer, keyboard or remote control.
    public var seat: Seat.ID
    public var application: Application.ID
    /// Nil for remote control only: that is the application's (E4).
    public var window: Window.ID?
    /// Nil when the window itself took it: it has no surface there.
    public var surface: Surface.ID?
    /// In the target surface's points, or the window's without a surface. Zero for what has no place: presses, motion
    /// and remote control.
    public var location: Point
    /// In the screen's points. Zero for what has no place.
    public var screenLocation: Point
    public var screen: Screen.ID?
    /// Of a finger or pencil (detail `touch`), nil for all else.
    public var touchAttributes: TouchAttributes?
    /// Microseconds, never less than that of an earlier event.
    public var timestamp: UInt64
    /// Counts up from 1 over all events.
    public var serial: UInt64
    /// The serial of the first of the touches that were injected as one; `serial` for all other events. Those of one
    /// group follow each other, with at most other kinds of events between them.
    public var group: UInt64
}
