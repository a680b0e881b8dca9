// Plans gestures: complete ones in steps, on a touch pad or with touches.

import Glibc
import MullionGeometry
import WindowModel

extension InputPlanner {
    /// The largest number of fingers of a gesture.
    package static let maximumFingers: UInt8 = 10

    func plan(_ gesture: Gesture) throws(ModelError) -> Plan {
        if gesture.means == .touch { return try planFingers(gesture) }
        let (move, seat) = try move(to: gesture.place, gesture.form.rawValue)
        var plan = Plan(type: gesture.form.rawValue, steps: move, explained: move.count)
        let running = state[seat].gesture
        func step(_ phase: Event.Phase, _ part: Double, _ delta: Point) -> InputStep {
            // A step without values changes nothing.
            let scale = gesture.scale ?? (gesture.phase == nil ? 1 : running?.scale ?? 1)
            let rotation = gesture.rotation ?? (gesture.phase == nil ? 0 : running?.rotation ?? 0)
            let fingers = gesture.fingers ?? (gesture.phase == .began ? nil : running?.fingers) ?? gesture.usualFingers
            return .gesture(
                Event.TransformGesture(
                    kind: gesture.kind, scale: 1 + (scale - 1) * part, rotation: rotation * part, deltaX: delta.x,
                    deltaY: delta.y, fingers: fingers), phase, seat: seat)
        }
        if let phase = gesture.phase {
            plan.steps.append(step(phase, 1, gesture.delta))
            return plan
        }
        plan.steps.append(step(.began, 0, .zero))
        if gesture.form != .hold {
            let delta = gesture.delta * (1 / Double(gesture.steps))
            plan.steps += (1...gesture.steps).map { step(.moved, Double($0) / Double(gesture.steps), delta) }
        }
        plan.steps.append(step(.ended, 1, .zero))
        return plan
    }

    /// Plans touches that perform the gesture: in a circle that grows and rotates, or side by side.
    private func planFingers(_ gesture: Gesture) throws(ModelError) -> Plan {
        guard let middle = gesture.place.point else {
            throw Self.invalid(.e5, "a \(gesture.form.rawValue) with fingers needs x and y")
        }
        let screen = try screen(gesture.place.screen, or: nil)
        let count = Int32(gesture.fingers ?? gesture.usualFingers)
        guard gesture.id <= Int32.max - count else {
            throw Self.invalid(.e1, "the ids of \(count) touches from \(gesture.id) exceed the maximum")
        }
        func step(_ phase: Event.Phase, _ part: Double) -> InputStep {
            let scale = 1 + ((gesture.scale ?? 1) - 1) * part
            let center = middle + gesture.delta * part
            let updates = (0..<count).map { finger in
                let place: Point
                if gesture.form == .swipe {
                    place = Point(x: (Double(finger) - Double(count - 1) / 2) * gesture.radius, y: 0)
                } else {
                    let turn = (gesture.rotation ?? 0) * part + 2 * Double.pi * Double(finger) / Double(count)
                    let (sine, cosine) = (sin(turn), cos(turn))
                    place = Point(x: cosine, y: sine) * (gesture.radius * scale)
                }
                return TouchUpdate(id: gesture.id + finger, phase: phase, point: center + place)
            }
            return .touches(updates, screen)
        }
        let moves = (1...gesture.steps).map { step(.moved, Double($0) / Double(gesture.steps)) }
        return Plan(
            type: gesture.form.rawValue, steps: [step(.began, 0)] + moves + [step(.ended, 1)])
    }
}
