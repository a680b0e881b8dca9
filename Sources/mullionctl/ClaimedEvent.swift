// The lines that mullionctl claim prints for input.

import JSON5
import MullionClient

/// The lines of an event: one for each touch, otherwise one.
@MainActor struct ClaimedEvent {
    private let event: Event

    init(_ event: Event) { self.event = event }

    /// The name and values of each line, in order of printing.
    var lines: [(name: String, values: [(String, JSON)])] {
        switch event.content {
        case .touches(let touches): touches.map { ("touch", values($0)) }
        case .press(let press):
            [("press", [phase(press.phase), ("code", .number(Double(press.key.keyCode)))] + common)]
        case .motion(let motion): [("motion", [phase(motion.phase), ("subtype", .string("shake"))] + common)]
        case .remoteControl(let command): [("remoteControl", [("command", .string("\(command)"))] + common)]
        case .scroll(let scroll): [("scroll", values(scroll))]
        case .hover(let hover):
            [("hover", [phase(hover.phase)] + values(hover.place) + values(hover.pencil, withAngles: true) + common)]
        case .transform(let transform): [("transform", values(transform))]
        }
    }

    private func values(_ touch: Touch) -> [(String, JSON)] {
        var values = [phase(touch.phase), ("id", JSON.number(Double(touch.id.number)))] + values(touch.place)
        values.append(("tool", .string("\(touch.tool)")))
        if touch.tool == .indirectPointer { values.append(("buttons", .number(Double(touch.buttons)))) }
        let measured = [
            ("force", touch.force), ("majorRadius", touch.majorRadius), ("minorRadius", touch.minorRadius),
            ("orientation", touch.orientation), ("altitude", touch.altitudeAngle), ("azimuth", touch.azimuthAngle),
        ]
        values += measured.filter { $0.1 != 0 }.map { ($0.0, .number($0.1)) }
        return values + self.values(touch.pencil, withAngles: false) + common
    }

    /// - Parameter withAngles: with the angles that a touch has itself.
    private func values(_ pencil: Pencil?, withAngles: Bool) -> [(String, JSON)] {
        guard let pencil else { return [] }
        var measured = [("roll", pencil.rollAngle), ("distance", pencil.distance)]
        if withAngles { measured += [("altitude", pencil.altitudeAngle), ("azimuth", pencil.azimuthAngle)] }
        let isEraser = pencil.end == .eraser
        var values: [(String, JSON)] = [
            ("end", .string(isEraser ? "eraser" : "tip")), ("pencilButtons", .number(Double(pencil.buttons))),
        ]
        if withAngles { values.insert(("id", .number(Double(pencil.number))), at: 0) }
        return values + measured.map { ($0.0, .number($0.1)) }
    }

    private func values(_ scroll: Scroll) -> [(String, JSON)] {
        [
            phase(scroll.phase), ("source", .string("\(scroll.source)")), ("deltaX", .number(scroll.delta.x)),
            ("deltaY", .number(scroll.delta.y)), ("stepsX", .number(Double(scroll.stepsX))),
            ("stepsY", .number(Double(scroll.stepsY))),
        ] + values(scroll.place) + common
    }

    private func values(_ transform: Transform) -> [(String, JSON)] {
        [
            phase(transform.phase), ("gesture", .string("\(transform.gesture)")),
            ("fingers", .number(Double(transform.fingers))), ("scale", .number(transform.scale)),
            ("rotation", .number(transform.rotation)), ("deltaX", .number(transform.delta.x)),
            ("deltaY", .number(transform.delta.y)),
        ] + values(transform.place) + common
    }

    private func phase(_ phase: Event.Phase) -> (String, JSON) { ("phase", .string("\(phase)")) }

    private func values(_ place: EventPlace) -> [(String, JSON)] {
        [
            ("x", .number(place.location.x)), ("y", .number(place.location.y)),
            ("screen", place.screen.map { .string($0.name) } ?? .null),
            ("screenX", .number(place.locationOnScreen.x)), ("screenY", .number(place.locationOnScreen.y)),
        ]
    }

    /// E9.
    private var common: [(String, JSON)] {
        [
            ("seat", .string(event.seat)), ("serial", .number(Double(event.serial))),
            ("timestamp", .number(event.timestamp)),
        ]
    }
}
