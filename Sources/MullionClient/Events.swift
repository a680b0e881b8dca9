// Events delivered to an application.

import Geometry

/// All events, for `Application.onEvent`; each also has a specific callback.
public enum ApplicationEvent {
    /// A screen was plugged in (S6).
    case screenDidConnect(Screen)
    /// A screen was unplugged (S6, S8).
    case screenDidDisconnect(Screen)
    /// Another screen became the main one, or none is left (S2).
    case mainScreenDidChange(Screen?)
    /// A screen's current mode changed (S6).
    case screenModeDidChange(Screen)
    /// A screen is about to rotate; its properties are still the old ones. The duration is in seconds (R1).
    case screenOrientationWillChange(Screen, from: Screen.Orientation, to: Screen.Orientation, duration: Double)
    /// A screen has rotated (R1).
    case screenOrientationDidChange(Screen, from: Screen.Orientation, to: Screen.Orientation)
    /// A change of a screen that this application requested was not allowed or not possible.
    case screenChangeWasRefused(Screen, reason: String)
    /// Something about a screen changed.
    case screenDidChange(Screen)
    /// A window became visible (V2).
    case windowDidBecomeVisible(Window)
    /// A window became invisible (V2).
    case windowDidBecomeHidden(Window)
    /// A window became key (K2).
    case windowDidBecomeKey(Window)
    /// A window resigned key (K2).
    case windowDidResignKey(Window)
    /// A window's frame was changed by the server (R2).
    case windowFrameDidChange(Window)
    /// A window moved to another screen or to none (S8).
    case windowScreenDidChange(Window)
    /// A window was requested to close.
    case windowShouldClose(Window)
    /// Input to a window with a callback for it, or from a remote control.
    case event(Event)
    /// The pointer did something (E5).
    case pointer(PointerEvent)
    /// A key was pressed or released (E3).
    case key(KeyEvent)
    /// A window gained or lost keyboard focus.
    case keyboardFocusDidChange(Window, Bool)
}

/// A pointer event in a window.
public struct PointerEvent {
    /// What happened.
    public enum Kind: Sendable {
        /// It entered the window or one of its views.
        case entered
        /// It left them.
        case left
        /// It moved.
        case moved
        /// A button, by its evdev code (272 is the left one), was pressed or released.
        case button(code: UInt32, isPressed: Bool)
        /// The wheel or two fingers moved by this many points.
        case scrolled(x: Double, y: Double)
        /// The fingers that scrolled were lifted.
        case scrollEnded
    }

    /// What happened.
    public let kind: Kind
    /// The window under the pointer.
    public let window: Window
    /// The view under the pointer; nil for the window's own content.
    public let view: View?
    /// In points of the window.
    public let location: Point
    /// In points of `view`, or of the window without one.
    public let locationInView: Point
    /// Seconds of the server's clock; 0 for `entered` and `left`, which have no timestamp.
    public let timestamp: Double
}

/// The active modifier keys, in the keymap's numbering.
public struct KeyModifiers: Hashable, Sendable {
    /// Held down.
    public var depressed: UInt32 = 0
    /// Active for the next key.
    public var latched: UInt32 = 0
    /// Locked, such as caps lock.
    public var locked: UInt32 = 0
    /// The layout group.
    public var group: UInt32 = 0

    /// All active bits. In the usual keymaps 1 is shift, 2 caps lock, 4 control, 8 alt.
    public var effective: UInt32 { depressed | latched | locked }
}

/// A key was pressed or released, or repeats.
public struct KeyEvent {
    /// The window with keyboard focus.
    public let window: Window
    /// The evdev code, such as 30 for the key that is A on a US keyboard.
    public let keyCode: UInt32
    /// Whether the key is down. A repeating key is down: check `isRepeat` for actions that must happen once.
    public let isPressed: Bool
    /// Whether this is a repetition of a key held down.
    public let isRepeat: Bool
    /// The active modifiers.
    public let modifiers: KeyModifiers
    /// Seconds of the server's clock.
    public let timestamp: Double
}
