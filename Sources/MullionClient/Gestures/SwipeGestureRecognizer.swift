// Swipes.

import MullionGeometry

/// Recognises fingers that move quickly in one direction (UIKit: UISwipeGestureRecognizer); discrete. Each has to move
/// by 50 points within less than 0.5 s, and less to the side than ahead. It is recognised while they are still down.
open class SwipeGestureRecognizer: GestureRecognizer {
    /// How far each finger has to move ahead, and at most to the side, in points of the screen.
    static let distance = 50.0
    /// How far a finger may move back before the swipe fails, in points of the screen.
    static let slack = 10.0
    /// How long the movement may take, in seconds.
    static let maximumDuration = 0.5

    /// Directions of a swipe on the screen, with UIKit's numbers.
    public struct Direction: OptionSet, Hashable, Sendable {
        /// UIKit's numbers.
        public let rawValue: Int

        /// - Parameter rawValue: UIKit's numbers.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// To the right.
        public static let right = Direction(rawValue: 1)
        /// To the left.
        public static let left = Direction(rawValue: 2)
        /// Upwards.
        public static let up = Direction(rawValue: 4)
        /// Downwards.
        public static let down = Direction(rawValue: 8)

        fileprivate static let vectors: [(Direction, Point)] = [
            (.right, Point(x: 1, y: 0)), (.left, Point(x: -1, y: 0)), (.up, Point(x: 0, y: -1)),
            (.down, Point(x: 0, y: 1)),
        ]
    }

    /// The directions that are recognised; initially to the right. To tell them apart, use a recogniser for each.
    public var direction = Direction.right
    /// The number of fingers; initially 1.
    public var numberOfTouchesRequired = 1

    private var starts: [Touch.ID: Point] = [:]

    open override func touchesBegan(_ touches: [Touch], with event: Event) {
        for touch in touches { starts[touch.id] = touch.place.locationOnScreen }
        guard starts.count <= numberOfTouchesRequired else {
            state = .failed
            return
        }
        setDeadline(Self.maximumDuration, after: event.timestamp)
    }

    open override func touchesMoved(_ touches: [Touch], with event: Event) {
        let ways = activeTouches.compactMap { touch in starts[touch.id].map { touch.place.locationOnScreen - $0 } }
        var isPossible = false
        for (direction, vector) in Direction.vectors where self.direction.contains(direction) {
            let parts = ways.map { way in
                (ahead: way.x * vector.x + way.y * vector.y, aside: abs(way.x * vector.y - way.y * vector.x))
            }
            if parts.allSatisfy({ $0.ahead >= -Self.slack && $0.aside <= Self.distance }) { isPossible = true }
            let isSwipe = parts.allSatisfy { $0.ahead >= Self.distance && $0.aside < $0.ahead }
            if isSwipe, ways.count == numberOfTouchesRequired {
                state = .ended
                return
            }
        }
        if !isPossible { state = .failed }
    }

    open override func touchesEnded(_ touches: [Touch], with event: Event) { state = .failed }

    override func deadlineDidPass() { state = .failed }

    open override func reset() { starts = [:] }
}
