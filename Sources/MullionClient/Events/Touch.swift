// Touches, scrolling and gestures, and the position of events.

import MullionGeometry

/// The position of an event (E9).
public struct EventPlace: Sendable {
    /// The window that receives it.
    public let window: Window
    /// The view that receives it: the one that `hitTest` found when a touch or a sequence began, or the window itself.
    public internal(set) var view: View
    /// The screen; nil when it was unplugged.
    public let screen: Screen?
    /// In points of the screen.
    public let locationOnScreen: Point
    /// As the server computed it, in points of the window.
    let locationInWindow: Point

    /// In points of the window, as it lies now.
    @MainActor public var location: Point { location(in: nil) }

    /// The location in points of a view, as it lies now, so that dragging a window or a view does not move the finger
    /// under it (UIKit: location(in:)); nil means the window.
    @MainActor public func location(in view: View?) -> Point {
        var point = locationInWindow
        if screen != nil, screen === window.screen, let inside = window.fromSuperview?.apply(to: locationOnScreen) {
            point = inside.withoutDust
        }
        guard let view, view !== window else { return point }
        return view.convert(point, from: window)
    }
}

/// A finger, a pencil, or the pointer while a button is down, at one moment (UIKit: UITouch). It stays with the window
/// and view where it began (E1).
public struct Touch: Sendable {
    /// Identifies a touch; no two touches of an application have the same (UIKit: the object).
    public struct ID: Hashable, Sendable {
        /// The number assigned by the server, which later touches may reuse.
        public let number: Int32
        let tool: Tool
        let seat: String
        /// The serial of the event where it began.
        var beginning: UInt64 = 0
    }

    /// The touching device (UIKit: UITouch.TouchType).
    public enum Tool: UInt32, Sendable {
        /// A finger.
        case direct = 0
        /// A pencil.
        case pencil = 2
        /// The pointer, from the first button down to the last one up.
        case indirectPointer = 3
    }

    /// Constant during the touch.
    public let id: ID
    /// What happened.
    public internal(set) var phase: Event.Phase
    /// The current position.
    public internal(set) var place: EventPlace
    /// The pressed pointer buttons: bit 0 is the primary one, 1 the secondary, 2 the middle one (UIKit: buttonMask).
    /// When one of several is pressed or released, the touch is stationary.
    public let buttons: UInt32
    /// Seconds of the server's monotonic clock; of a stationary touch, when it changed last.
    public let timestamp: Double
    /// Whether the event is about this touch, rather than about others while this one is down.
    var isConcerned = true

    /// 0 (not measured) … 1 (the maximum).
    public internal(set) var force = 0.0
    /// Half the longer axis of the contact area, in points of the screen; 0 when not measured.
    public internal(set) var majorRadius = 0.0
    /// Half the shorter axis, in points of the screen.
    public internal(set) var minorRadius = 0.0
    /// The direction of the longer axis, in radians: 0 points up, clockwise.
    public internal(set) var orientation = 0.0
    /// The altitude of a pencil, in radians: 0 is flat, π/2 upright.
    public internal(set) var altitudeAngle = 0.0
    /// The azimuth of a pencil, in radians: 0 points right, clockwise.
    public internal(set) var azimuthAngle = 0.0
    /// More of a pencil; nil for a finger, the pointer, and a pencil with its tip down of which only the above is
    /// measured.
    public internal(set) var pencil: Pencil?

    /// The touching device.
    public var tool: Tool { id.tool }
    /// The window where it began.
    public var window: Window { place.window }
    /// The view where it began: the one that `hitTest` found.
    public var view: View { place.view }
    /// In points of the window.
    @MainActor public var location: Point { place.location }
    /// The location in points of a view; nil means the window (UIKit: location(in:)).
    @MainActor public func location(in view: View?) -> Point { place.location(in: view) }
}

/// Scrolling at one moment.
public struct Scroll: Sendable {
    /// The scrolling device.
    public enum Source: UInt32, Sendable {
        /// A wheel.
        case wheel = 0
        /// Fingers on a trackpad.
        case finger = 1
        /// Something else without steps.
        case continuous = 2
    }

    /// The target where scrolling began, and the pointer's current position.
    public internal(set) var place: EventPlace
    /// `moved` without `began` is a single step, such as a wheel's click.
    public internal(set) var phase: Event.Phase
    /// The scrolling device.
    public let source: Source
    /// In points; positive when the content moves left and up.
    public internal(set) var delta: Point
    /// Wheel steps, in 1/120 of a click.
    public internal(set) var stepsX: Int
    /// Wheel steps, in 1/120 of a click.
    public internal(set) var stepsY: Int
}

/// A pencil on the screen or above it.
public struct Pencil: Sendable {
    /// The end that points at the screen.
    public enum End: UInt32, Sendable {
        /// The tip, which draws.
        case tip = 0
        /// The other end, which erases.
        case eraser = 1
    }

    /// Identifies the pencil among those of its seat; its touches have the same number.
    public let number: Int32
    /// The end that points at the screen.
    public let end: End
    /// The pressed buttons: bit 0 is the primary one, 1 the secondary, 2 the tertiary.
    public let buttons: UInt32
    /// The altitude, in radians: 0 is flat, π/2 upright.
    public let altitudeAngle: Double
    /// The azimuth, in radians: 0 points right, clockwise.
    public let azimuthAngle: Double
    /// The rotation about its own axis, in radians, clockwise (UIKit: rollAngle).
    public let rollAngle: Double
    /// Above the screen: 0 … 1, as far away as is noticed (UIKit: zOffset).
    public let distance: Double
}

/// The pointer over a window with no button down, or a pencil above it.
public struct Hover: Sendable {
    /// The current position.
    public internal(set) var place: EventPlace
    /// `began` when the pointer entered the window, `ended` when it left.
    public let phase: Event.Phase
    /// The pencil that hovers; nil for the pointer.
    public internal(set) var pencil: Pencil?
}

/// A gesture on a trackpad at one moment.
public struct Transform: Sendable {
    /// The main movement of the fingers.
    public enum Gesture: UInt32, Sendable {
        /// They move apart or together, and may rotate and move too.
        case pinch = 0
        /// They rotate.
        case rotate = 1
        /// They move together.
        case swipe = 2
    }

    /// The target where the gesture began, and the pointer's current position.
    public internal(set) var place: EventPlace
    /// The phase of the gesture.
    public internal(set) var phase: Event.Phase
    /// The kind of gesture.
    public let gesture: Gesture
    /// The number of fingers, constant during the gesture.
    public let fingers: Int
    /// The scale since the gesture began; initially 1.
    public let scale: Double
    /// The rotation since the gesture began, in radians, clockwise.
    public let rotation: Double
    /// The movement since the last event, in points.
    public internal(set) var delta: Point
}
