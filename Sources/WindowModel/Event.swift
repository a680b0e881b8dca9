// Events as they are delivered to applications.

/// One event for one application (E9).
public struct Event: Hashable, Sendable {
    /// UIKit's type numbers.
    public enum Kind: UInt8, Hashable, Sendable {
        case touches = 0
        case motion = 1
        case remoteControl = 2
        case presses = 3
        case scroll = 10
        case hover = 11
        case transform = 14
    }

    /// UIKit's touch phases.
    public enum Phase: UInt8, Hashable, Sendable { case began, moved, stationary, ended, cancelled }

    /// What happened, beyond the phase.
    public enum Detail: Hashable, Sendable {
        /// A finger, by its id.
        case touch(Int32)
        /// The pointer moved: `hover`, or `touches` while a button is down.
        case pointer
        /// A pointer button, by its evdev code: kind `touches`.
        case button(UInt32)
        /// A key, by its evdev code: kind `presses`.
        case key(UInt32)
        /// The device was shaken.
        case shake
        case scroll(Scroll)
        case transform(TransformGesture)
    }

    /// A scrolling step.
    public struct Scroll: Hashable, Sendable {
        public enum Source: String, Hashable, Sendable { case wheel, finger, continuous }
        /// Points; positive: the content moves up and left.
        public var deltaX: Double
        public var deltaY: Double
        /// Wheel steps in 1/120 of a click, 0 where there is no wheel.
        public var stepsX: Int32
        public var stepsY: Int32
        public var source: Source

        public init(
            deltaX: Double, deltaY: Double, stepsX: Int32 = 0, stepsY: Int32 = 0, source: Source = .continuous
        ) {
            self.deltaX = deltaX
            self.deltaY = deltaY
            self.stepsX = stepsX
            self.stepsY = stepsY
            self.source = source
        }
    }

    /// The state of a gesture that moves, scales and turns, since it began.
    public struct TransformGesture: Hashable, Sendable {
        /// 1 at the beginning.
        public var scale: Double
        /// Radians, clockwise.
        public var rotation: Double
        /// Points since the last event.
        public var deltaX: Double
        public var deltaY: Double
        public var fingers: UInt8

        public init(
            scale: Double = 1, rotation: Double = 0, deltaX: Double = 0, deltaY: Double = 0, fingers: UInt8 = 2
        ) {
            self.scale = scale
            self.rotation = rotation
            self.deltaX = deltaX
            self.deltaY = deltaY
            self.fingers = fingers
        }
    }

    public var kind: Kind
    public var phase: Phase
    public var detail: Detail
    public var application: Application.ID
    public var window: Window.ID
    /// Nil when the window itself took it: it has no surface there.
    public var surface: Surface.ID?
    /// In the target surface's points, or the window's without a surface. Zero for presses and motion.
    public var location: Point
    /// In the screen's points. Zero for presses and motion.
    public var screenLocation: Point
    public var screen: Screen.ID?
    /// Microseconds, never less than that of an earlier event.
    public var timestamp: UInt64
    /// Counts up from 1 over all events.
    public var serial: UInt64
}
