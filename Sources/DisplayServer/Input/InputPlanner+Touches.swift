// Plans touches: single ones, several at once, and drags.

import MullionGeometry
import WindowModel

extension InputPlanner {
    func touches(
        _ fingers: [InputEvent.Finger], on reference: ScreenReference?
    ) throws(ModelError) -> InputStep {
        guard !fingers.isEmpty else { throw Self.invalid(.e1, "the list of touches is empty; use at least one") }
        let screen = try screen(reference, of: fingers)
        return .touches(
            try fingers.map { (finger) throws(ModelError) in try update(finger, on: screen) }, screen)
    }

    /// A step of a touch, completed with its earlier values.
    func update(_ finger: InputEvent.Finger, on screen: Screen.ID) throws(ModelError) -> TouchUpdate {
        let seat = server.model.seat(of: screen)
        // A pencil that hovers lands where it is, as it is.
        let running =
            finger.phase == .began
            ? state.pencil(finger.id, of: seat) : state.touch(finger.id, on: screen, of: seat)
        guard let point = finger.point ?? running?.point else {
            guard finger.phase == .began else { throw .touchIsNotDown(finger.id) }
            throw Self.invalid(.e1, "touch \(finger.id) needs x and y")
        }
        return TouchUpdate(
            id: finger.id, phase: finger.phase, point: point,
            attributes: finger.measures.applied(to: running?.attributes ?? .finger))
    }

    /// A step of a pencil above a screen, completed with its earlier values.
    func pencil(
        _ id: Int32, _ phase: Event.Phase?, _ place: InputEvent.Place, _ measures: TouchMeasures
    ) throws(ModelError) -> InputStep {
        let hovering = state.pencils { $0.id == id }.first { namedSeat == nil || namedSeat == $0.seat }?.pencil
        let screen = try screen(place.screen, or: hovering?.screen)
        let running = state.pencil(id, of: server.model.seat(of: screen))
        guard let point = place.point ?? running?.point else {
            guard phase == nil || phase == .began else { throw .pencilDoesNotHover(id) }
            throw Self.invalid(.e5, "pencil \(id) needs x and y")
        }
        let update = TouchUpdate(
            id: id, phase: phase ?? (running == nil ? .began : .moved), point: point,
            attributes: measures.applied(to: running?.attributes ?? .finger))
        return .pencil(update, screen)
    }

    /// The named screen, or that of any of the touches.
    func screen(
        _ reference: ScreenReference?, of fingers: [InputEvent.Finger]
    ) throws(ModelError) -> Screen.ID {
        let ids = fingers.filter { $0.phase != .began }.map(\.id)
        if let reference,
            let gone = running(where: { ids.contains($0.id) && reference.text == "\($0.screen)" }).first
        {
            return gone.screen
        }
        let running = running { ids.contains($0.id) }
        if reference == nil, let first = running.first, let other = running.dropFirst().first {
            throw Self.invalid(
                .e1, "touch \(other.id) exists on screens \(first.screen) and \(other.screen); name its screen")
        }
        return try screen(reference, or: running.first?.screen)
    }

    /// For each seat that the event can apply to, the first touch that satisfies the condition.
    private func running(where condition: (SeatInput.Touch) -> Bool) -> [SeatInput.Touch] {
        state.touches(where: condition).filter { namedSeat == nil || namedSeat == $0.seat }.map(\.touch)
    }

    func plan(_ drag: InputEvent.Drag) throws(ModelError) -> Plan {
        let screen = try screen(drag.screen, or: nil)
        let points = (1...drag.steps).map { drag.from + (drag.to - drag.from) * (Double($0) / Double(drag.steps)) }
        switch drag.means {
        case .touch:
            func step(_ phase: Event.Phase, _ point: Point) throws(ModelError) -> InputStep {
                .touch(
                    TouchUpdate(
                        id: drag.id, phase: phase, point: point, attributes: drag.measures.applied(to: .finger)),
                    screen)
            }
            let moves = try points.map { (point) throws(ModelError) in try step(.moved, point) }
            return Plan(
                type: "drag", steps: [try step(.began, drag.from)] + moves + [try step(.ended, drag.to)],
                drop: DropWait(drag, points, after: 0, on: seat(of: screen)))
        case .pointer:
            let seat = seat(of: screen)
            return Plan(
                type: "drag",
                steps: [.move(drag.from, screen), .button(drag.button, pressed: true, seat: seat)]
                    + points.map { .move($0, screen) } + [.button(drag.button, pressed: false, seat: seat)],
                explained: 1, drop: DropWait(drag, points, after: 1, on: seat))
        }
    }
}

/// Where on its way a drag waits until some program begins drag and drop: programs that are busy begin late, and only
/// what is moved afterwards is dragged over the target.
struct DropWait: Equatable {
    /// The distance after which every program takes a press that moves for a drag, in points.
    private static let threshold = 30.0

    let seat: Seat.ID
    /// Whether a program must begin it; otherwise the drag may be one within a window, of a slider for example.
    let isRequired: Bool
    /// The step after which it waits.
    let step: Int

    /// - Parameters:
    ///   - points: of its movements.
    ///   - press: the step before these.
    /// - Returns: nil for a drag that does not wait.
    init?(_ drag: InputEvent.Drag, _ points: [Point], after press: Int, on seat: Seat.ID) {
        // With fingers people scroll more often than they drag and drop.
        guard drag.drop ?? (drag.means == .pointer) else { return nil }
        self.seat = seat
        isRequired = drag.drop == true
        let index = points.indices.first { index in
            let distance = points[index] - drag.from
            return index >= points.count / 2
                && distance.x * distance.x + distance.y * distance.y >= Self.threshold * Self.threshold
        }
        step = press + 1 + (index ?? points.count - 1)
    }
}

extension Point {
    static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }
}
