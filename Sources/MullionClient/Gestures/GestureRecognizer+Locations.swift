// Where a gesture is.

import MullionGeometry

extension GestureRecognizer {
    /// The touches that take part, in the order in which they began, including those that have just ended.
    var participants: [Touch] {
        if let touches = finishedTouches { return touches }
        return contacts.compactMap { $0.isOver ? nil : $0.touch }
    }

    /// Those that are down.
    var activeTouches: [Touch] { participants.filter { $0.phase != .ended && $0.phase != .cancelled } }

    /// The number of touches that take part, including those that have just ended; 0 for a gesture on a trackpad.
    public var numberOfTouches: Int { participants.count }

    /// The middle of the touches, or the pointer's position for a gesture on a trackpad, in points of a view, a window
    /// or a screen, as it lies now; nil means the window.
    public func location(in space: (any CoordinateSpace)?) -> Point {
        let touches = participants
        guard !touches.isEmpty else { return contacts.last?.place.point(in: space) ?? .zero }
        let sum = touches.reduce(Point.zero) { $0 + $1.place.point(in: space) }
        return Point(x: sum.x / Double(touches.count), y: sum.y / Double(touches.count))
    }

    /// The location of one of the touches (UIKit: location(ofTouch:in:)).
    /// - Parameter index: less than `numberOfTouches`, in the order in which the touches began.
    public func location(ofTouch index: Int, in space: (any CoordinateSpace)?) -> Point {
        let touches = participants
        precondition(
            touches.indices.contains(index), "touch \(index) is not less than numberOfTouches, \(touches.count)")
        return touches[index].place.point(in: space)
    }

    /// The pointer's buttons that make the gesture, also when they have just been released; empty for fingers (UIKit:
    /// buttonMask).
    public var buttonMask: Event.ButtonMask { contacts.last?.buttons ?? [] }
}

extension EventPlace {
    /// In points of any space; nil means the window.
    @MainActor fileprivate func point(in space: (any CoordinateSpace)?) -> Point {
        let point = location
        return space.map { window.convert(point, to: $0) } ?? point
    }
}

extension CoordinateSpace {
    /// A distance on the screen in points of this space.
    func distance(fromScreen distance: Point) -> Point {
        guard let inverse = placementInLayout.fromOuter else { return distance }
        return (inverse.apply(to: distance) - inverse.apply(to: .zero)).withoutDust
    }

    /// A distance in points of this space on the screen.
    func distanceOnScreen(_ distance: Point) -> Point {
        let outward = placementInLayout.toOuter
        return outward.apply(to: distance) - outward.apply(to: .zero)
    }
}

extension Event {
    /// Buttons of the pointer (UIKit: UIEvent.ButtonMask).
    public struct ButtonMask: OptionSet, Hashable, Sendable {
        /// Bit 0 is the primary button.
        public let rawValue: UInt32

        /// - Parameter rawValue: as in `Touch.buttons`.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The primary button, usually the left one.
        public static let primary = ButtonMask(rawValue: 1)
        /// The secondary button, usually the right one.
        public static let secondary = ButtonMask(rawValue: 2)
        /// The middle button.
        public static let middle = ButtonMask(rawValue: 4)
    }
}

extension Touch {
    /// The pressed pointer buttons as a set; empty for a finger.
    public var buttonMask: Event.ButtonMask { Event.ButtonMask(rawValue: buttons) }
}
