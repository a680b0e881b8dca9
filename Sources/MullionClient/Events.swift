// What is told to an application.

import Geometry

/// Everything that happens, for `Application.onEvent`; the same things have callbacks of their own.
public enum ApplicationEvent {
    /// A screen was plugged in (S6).
    case screenDidConnect(Screen)
    /// A screen was unplugged (S6, S8).
    case screenDidDisconnect(Screen)
    /// A screen's current mode changed (S6).
    case screenModeDidChange(Screen)
    /// A screen is going to turn; it still reads as before. The duration is in seconds (R1).
    case screenOrientationWillChange(Screen, from: Screen.Orientation, to: Screen.Orientation, duration: Double)
    /// A screen has turned (R1).
    case screenOrientationDidChange(Screen, from: Screen.Orientation, to: Screen.Orientation)
    /// A change of a screen that this application asked for was not allowed or not possible.
    case screenChangeWasRefused(Screen, reason: String)
    /// Something about a screen changed.
    case screenDidChange(Screen)
    /// A window became visible (V2).
    case windowDidBecomeVisible(Window)
    /// A window became invisible (V2).
    case windowDidBecomeHidden(Window)
    /// A window became key (K2).
    case windowDidBecomeKey(Window)
    /// A window is key no longer (K2).
    case windowDidResignKey(Window)
    /// Somebody else changed a window's frame (R2).
    case windowFrameDidChange(Window)
    /// A window came to another screen or to none (S8).
    case windowScreenDidChange(Window)
    /// Somebody asks a window to close.
    case windowShouldClose(Window)
    /// Somebody did something with windows that listen to it, or with a remote control.
    case event(Event)
    /// The pointer did something (E5).
    case pointer(PointerEvent)
    /// A key went down or up (E3).
    case key(KeyEvent)
    /// Keys begin or cease to come to a window.
    case keyboardFocusDidChange(Window, Bool)
}

/// What the pointer did over a window.
public struct PointerEvent {
    /// What happened.
    public enum Kind: Sendable {
        /// It came over the window or one of its views.
        case entered
        /// It left them.
        case left
        /// It moved.
        case moved
        /// A button, by its evdev code (272 is the left one), went down or up.
        case button(code: UInt32, isPressed: Bool)
        /// The wheel or two fingers moved by so many points.
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
    /// Seconds of the server's clock; 0 for `entered` and `left`, which carry no time.
    public let timestamp: Double
}

/// The modifier keys in force, as the keymap numbers them.
public struct KeyModifiers: Hashable, Sendable {
    /// Held down.
    public var depressed: UInt32 = 0
    /// In force for the next key.
    public var latched: UInt32 = 0
    /// Locked, such as caps lock.
    public var locked: UInt32 = 0
    /// The layout group.
    public var group: UInt32 = 0

    /// All bits that are in force. In the usual keymaps 1 is shift, 2 caps lock, 4 control, 8 alt.
    public var effective: UInt32 { depressed | latched | locked }
}

/// A key went down or up, or repeats.
public struct KeyEvent {
    /// The window that has the keys.
    public let window: Window
    /// The evdev code, such as 30 for the key that is A on a US keyboard.
    public let keyCode: UInt32
    /// Down, or up. A key that repeats is down: who switches something asks `isRepeat` as well.
    public let isPressed: Bool
    /// Whether it was down before, and counts once more.
    public let isRepeat: Bool
    /// The modifiers in force.
    public let modifiers: KeyModifiers
    /// Seconds of the server's clock.
    public let timestamp: Double
}
