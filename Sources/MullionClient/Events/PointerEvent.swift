// The pointer's raw events.

import MullionGeometry

/// What wl_pointer says, for those who want it unchanged; see `Scroll`, `Hover` and `Touch` for UIKit's events.
public struct PointerEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// It entered the window.
        case entered
        /// It left the window.
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
    /// In points of the window.
    public let location: Point
    /// Seconds of the server's clock; 0 for `entered` and `left`, which have no timestamp.
    public let timestamp: Double
}
