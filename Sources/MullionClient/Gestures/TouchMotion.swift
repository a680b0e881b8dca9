// How several touches move together.

import Glibc
import MullionGeometry

/// The positions of some touches, on the screen.
struct TouchMotion {
    /// What changed between two moments, judged by the touches that are there in both, so that fingers may come and go.
    struct Change {
        /// The movement of the middle, in points of the screen.
        var translation = Point.zero
        /// The growth of the distances from the middle; 1 for a single touch.
        var scale = 1.0
        /// The turn around the middle, in radians, clockwise.
        var rotation = 0.0
        /// The mean distance from the middle, afterwards, in points.
        var radius = 0.0
    }

    private var points: [Touch.ID: Point] = [:]

    /// Replaces the positions.
    mutating func update(_ touches: [Touch]) -> Change {
        let old = points
        points = Dictionary(touches.map { ($0.id, $0.place.locationOnScreen) }) { $1 }
        let pairs = touches.compactMap { touch in old[touch.id].map { ($0, touch.place.locationOnScreen) } }
        guard !pairs.isEmpty else { return Change() }
        let (before, after) = (Self.middle(pairs.map(\.0)), Self.middle(pairs.map(\.1)))
        var change = Change(translation: after - before)
        guard pairs.count > 1 else { return change }
        var (spreadBefore, spreadAfter, dot, cross) = (0.0, 0.0, 0.0, 0.0)
        for (start, end) in pairs {
            let (from, to) = (start - before, end - after)
            spreadBefore += hypot(from.x, from.y)
            spreadAfter += hypot(to.x, to.y)
            dot += from.x * to.x + from.y * to.y
            cross += from.x * to.y - from.y * to.x
        }
        // Fingers in one place have no distance to grow and no direction.
        if spreadBefore > 1, spreadAfter > 1 {
            change.scale = spreadAfter / spreadBefore
            change.rotation = atan2(cross, dot)
        }
        change.radius = spreadAfter / Double(pairs.count)
        return change
    }

    private static func middle(_ points: [Point]) -> Point {
        let sum = points.reduce(.zero, +)
        return Point(x: sum.x / Double(points.count), y: sum.y / Double(points.count))
    }
}

/// The speed of a value, measured over its last tenth of a second.
struct Speedometer {
    private static let span = 0.1
    private var samples: [(time: Double, value: Point)] = []

    /// Adds the value at a time in seconds. A moment that is already there keeps its last value.
    mutating func add(_ value: Point, at time: Double) {
        if samples.last?.time == time { samples.removeLast() }
        samples.append((time, value))
        forget(before: time)
    }

    /// Forgets what is too old, such as the movement of a finger that has rested since.
    mutating func forget(before time: Double) { samples.removeAll { $0.time < time - Self.span } }

    /// Units a second; 0 while all samples are of one moment.
    var speed: Point {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return .zero }
        let (seconds, way) = (last.time - first.time, last.value - first.value)
        return Point(x: way.x / seconds, y: way.y / seconds)
    }
}

extension Point {
    /// The distance from the origin.
    var length: Double { hypot(x, y) }
}
