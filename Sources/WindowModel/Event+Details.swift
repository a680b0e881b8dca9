// Details of touches, scrolling, gestures and remote commands, and their valid ranges.

extension Event {
    /// The attributes of a touch by a finger or pencil (UIKit: the attributes of UITouch).
    public struct TouchAttributes: Hashable, Sendable, Codable {
        /// The kind of touch.
        public enum Tool: Hashable, Sendable, Codable {
            /// A finger (UIKit: `direct`).
            case direct
            case pencil(Pencil)

            /// A pencil with these angles, and nothing else measured.
            public static func pencil(altitude: Double, azimuth: Double) -> Tool {
                .pencil(Pencil(altitude: altitude, azimuth: azimuth))
            }

            /// Nil for a finger.
            public var pencil: Pencil? {
                if case .pencil(let pencil) = self { pencil } else { nil }
            }
        }

        /// 0 (not measured) … 1 (the maximum).
        public var force: Double
        /// Half the longer and half the shorter axis of the contact area, in points of the screen, 0 when not measured;
        /// `minorRadius` ≤ `majorRadius` ≤ 8,388,607.
        public var majorRadius: Double
        public var minorRadius: Double
        /// The direction of the longer axis, in radians −2π…2π, 0 pointing up, clockwise as seen on the screen.
        public var orientation: Double
        public var tool: Tool

        public init(
            force: Double = 0, majorRadius: Double = 0, minorRadius: Double = 0, orientation: Double = 0,
            tool: Tool = .direct
        ) {
            self.force = force
            self.majorRadius = majorRadius
            self.minorRadius = minorRadius
            self.orientation = orientation
            self.tool = tool
        }

        /// A finger with nothing measured.
        public static let finger = TouchAttributes()

        /// - Throws: E1 for a number outside the documented range.
        public func validate() throws(ModelError) {
            let turn = -2 * Double.pi...2 * Double.pi
            guard (0...1).contains(force) else {
                throw .invalid(.e1, "a touch's force \(force) must be within 0…1")
            }
            guard (0...8_388_607).contains(majorRadius), (0...majorRadius).contains(minorRadius) else {
                throw .invalid(
                    .e1,
                    "a touch's radii \(majorRadius) and \(minorRadius) must be within 0…8388607 points, "
                        + "the minor one at most as large as the major one")
            }
            guard turn.contains(orientation) else {
                throw .invalid(.e1, "a touch's orientation \(orientation) must be within −2π…2π radians")
            }
            try tool.pencil?.validate()
        }
    }

    /// A scrolling step.
    public struct Scroll: Hashable, Sendable, Codable {
        public enum Source: String, Hashable, Sendable, Codable, CaseIterable { case wheel, finger, continuous }
        /// In points; positive when the content moves up and left.
        public var deltaX: Double
        public var deltaY: Double
        /// Wheel steps in 1/120 of a click, 0 without a wheel.
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

        /// - Throws: E5 for deltas that are not finite.
        public func validate() throws(ModelError) {
            guard deltaX.isFinite, deltaY.isFinite else { throw .invalid(.e5, "scroll deltas must be finite") }
        }
    }

    /// The current state of a gesture.
    public struct TransformGesture: Hashable, Sendable, Codable {
        /// The main movement of the fingers: a pinch may also rotate and move, a swipe only moves.
        public enum Kind: String, Hashable, Sendable, Codable, CaseIterable { case pinch, rotate, swipe }

        public var kind: Kind
        /// 1 at the beginning; always greater than 0.
        public var scale: Double
        /// In radians, clockwise.
        public var rotation: Double
        /// In points, since the last event.
        public var deltaX: Double
        public var deltaY: Double
        /// At least 1; constant during the gesture.
        public var fingers: UInt8

        public init(
            kind: Kind = .pinch, scale: Double = 1, rotation: Double = 0, deltaX: Double = 0, deltaY: Double = 0,
            fingers: UInt8 = 2
        ) {
            self.kind = kind
            self.scale = scale
            self.rotation = rotation
            self.deltaX = deltaX
            self.deltaY = deltaY
            self.fingers = fingers
        }

        /// - Throws: E5 for a number outside the documented range, and for a swipe that scales or rotates.
        public func validate() throws(ModelError) {
            guard scale.isFinite, scale > 0, rotation.isFinite, deltaX.isFinite, deltaY.isFinite else {
                throw .invalid(.e5, "the numbers of a gesture must be finite and its scale greater than 0")
            }
            guard fingers > 0 else { throw .invalid(.e5, "a gesture must have at least one finger") }
            guard kind != .swipe || (scale == 1 && rotation == 0) else {
                throw .invalid(.e5, "a swipe must have scale 1 and rotation 0; use pinch or rotate")
            }
        }
    }

    /// A remote-control command; the raw values are UIKit's event subtypes.
    public enum RemoteCommand: UInt8, Hashable, Sendable, Codable, CaseIterable {
        case play = 100
        case pause = 101
        case stop = 102
        case togglePlayPause = 103
        case nextTrack = 104
        case previousTrack = 105
        case beginSeekingBackward = 106
        case endSeekingBackward = 107
        case beginSeekingForward = 108
        case endSeekingForward = 109
    }
}
