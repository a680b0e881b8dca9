// Touches, and the place of everything that has one.

import Geometry

/// Where something is done (E9).
public struct EventPlace {
    /// The window that gets it.
    public let window: Window
    /// The view that gets it; nil when the window's own content was hit.
    public let view: View?
    /// In points of the window.
    public let location: Point
    /// The screen; nil when it was unplugged.
    public let screen: Screen?
    /// In points of the screen.
    public let locationOnScreen: Point

    /// In points of a view of the window, or of the window itself for nil.
    public func location(in view: View?) -> Point { location - (view?.positionInWindow ?? .zero) }
}

/// A finger, a pencil, or the pointer while a button is down, at one moment (UIKit: UITouch). It stays with the window
/// and view where it began (E1).
public struct Touch {
    /// Names a touch while it lasts; later touches may reuse it.
    public struct ID: Hashable, Sendable {
        /// The number that the server gave it.
        public let number: Int32
        let tool: Tool
        let seat: String
    }

    /// What touches (UIKit: UITouch.TouchType).
    public enum Tool: UInt32, Sendable {
        /// A finger.
        case direct = 0
        /// A pencil.
        case pencil = 2
        /// The pointer, from the first button down to the last one up.
        case indirectPointer = 3
    }

    /// The same for all phases of one touch.
    public let id: ID
    /// What it did.
    public let phase: Event.Phase
    /// Where it is.
    public let place: EventPlace
    /// The pointer's buttons that are down: bit 0 is the primary one, 1 the secondary, 2 the middle one (UIKit:
    /// buttonMask). When one of several goes up or down the touch is stationary.
    public let buttons: UInt32
    /// Seconds of the server's monotonic clock.
    public let timestamp: Double

    /// 0 (not measured) … 1 (the greatest that can be).
    public internal(set) var force = 0.0
    /// Half the longer axis of the area that is touched, in points of the screen; 0 when not measured.
    public internal(set) var majorRadius = 0.0
    /// Half the shorter axis, in points of the screen.
    public internal(set) var minorRadius = 0.0
    /// Of the longer axis, in radians: 0 points up, clockwise.
    public internal(set) var orientation = 0.0
    /// Of a pencil, in radians: 0 lies, π/2 stands.
    public internal(set) var altitudeAngle = 0.0
    /// Of a pencil, in radians: 0 points right, clockwise.
    public internal(set) var azimuthAngle = 0.0

    /// What touches.
    public var tool: Tool { id.tool }
    /// The window where it began.
    public var window: Window { place.window }
    /// The view where it began; nil when the window's own content was hit.
    public var view: View? { place.view }
    /// In points of the window.
    public var location: Point { place.location }
    /// In points of a view of the window, or of the window itself for nil (UIKit: location(in:)).
    public func location(in view: View?) -> Point { place.location(in: view) }
}

/// Scrolling at one moment.
public struct Scroll {
    /// What scrolls.
    public enum Source: UInt32, Sendable {
        /// A wheel.
        case wheel = 0
        /// Fingers on a trackpad.
        case finger = 1
        /// Something else without steps.
        case continuous = 2
    }

    /// Where it began, and where the pointer is.
    public let place: EventPlace
    /// `moved` without `began` is a step of its own, such as a wheel's click.
    public let phase: Event.Phase
    /// What scrolls.
    public let source: Source
    /// Points; positive: the content moves left and up.
    public let delta: Point
    /// Of a wheel: 1/120 of a click.
    public let stepsX: Int
    /// Of a wheel: 1/120 of a click.
    public let stepsY: Int
}

/// The pointer over a window with no button down.
public struct Hover {
    /// Where it is.
    public let place: EventPlace
    /// `began`: it came into the window; `ended`: it left.
    public let phase: Event.Phase
}

/// A gesture on a trackpad at one moment.
public struct Transform {
    /// What the fingers do above all.
    public enum Gesture: UInt32, Sendable {
        /// They move apart or together; they may turn and move as well.
        case pinch = 0
        /// They turn.
        case rotate = 1
        /// They move together.
        case swipe = 2
    }

    /// Where it began, and where the pointer is.
    public let place: EventPlace
    /// Where it is in its course.
    public let phase: Event.Phase
    /// What the fingers do.
    public let gesture: Gesture
    /// How many fingers; the same to the end.
    public let fingers: Int
    /// Since it began; at first 1.
    public let scale: Double
    /// Radians since it began, clockwise.
    public let rotation: Double
    /// Points since the last event.
    public let delta: Point
}
