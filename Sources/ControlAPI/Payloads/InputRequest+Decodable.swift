// Decodes events from JSON. `type` determines the allowed fields.

import DisplayServer
import WindowModel

extension InputRequest: Decodable {
    /// The measurements of touches, shared by several types.
    private static let measures: [InputReader.Keys] = [
        .force, .majorRadius, .minorRadius, .orientation, .tool, .altitude, .azimuth, .roll, .buttons,
    ]
    /// The fields of gestures made with a circle of touches.
    private static let turning: [InputReader.Keys] = [
        .screen, .x, .y, .seat, .phase, .by, .scale, .rotation, .deltaX, .deltaY, .fingers, .steps, .id, .radius,
    ]

    private static let fields = fieldsOfTypes.mapValues {
        InputReader.Fields($0 + ($0.contains(.screen) ? [.window] : []) + [.type, .at, .after, .wait, .mustHit])
    }
    private static let fieldsOfTypes: [String: [InputReader.Keys]] = [
        "touch": [.screen, .x, .y, .id, .phase, .seat] + measures,
        "touches": [.screen, .touches, .seat],
        "tap": [.screen, .x, .y, .id, .seat] + measures,
        "hover": [.screen, .x, .y, .dx, .dy, .seat, .tool] + InputReader.pencilKeys,
        "click": [.screen, .x, .y, .button, .count, .modifiers, .duration, .seat],
        "button": [.button, .pressed, .seat],
        "drag": [.screen, .from, .to, .steps, .by, .id, .button, .drop, .seat] + measures,
        "scroll": [.screen, .x, .y, .deltaX, .deltaY, .stepsX, .stepsY, .source, .phase, .modifiers, .seat],
        "pinch": turning,
        "rotate": turning,
        "swipe": [
            .screen, .x, .y, .from, .to, .seat, .phase, .by, .deltaX, .deltaY, .fingers, .steps, .id, .radius,
        ],
        "hold": [.screen, .x, .y, .seat, .phase],
        "shake": [.phase, .seat],
        "remote": [.command, .seat],
        "key": [.key, .code, .keymap, .action, .duration, .seat],
        "type": [.text, .seat],
    ]

    private static var types: String { fields.keys.sorted().joined(separator: ", ") }

    package init(from decoder: any Decoder) throws {
        let reader = try InputReader(decoder)
        guard let type = try reader.find(String.self, .type) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "the key \"type\" is missing; use one of \(Self.types)"))
        }
        guard let known = Self.fields[type] else {
            throw reader.refusal(.type, "\"\(type)\" is not a type of event; use one of \(Self.types)")
        }
        try reader.refuseOthers(known, type)
        let event = try reader.event(type)
        let seat = try reader.find(String.self, .seat)
        let (at, after) = (try reader.milliseconds(.at), try reader.milliseconds(.after))
        guard at == nil || after == nil else {
            throw reader.refusal(.after, "use \"at\" or \"after\", not both")
        }
        let window = try reader.find(UInt32.self, .window).map { Window.ID(rawValue: $0) }
        if window != nil {
            guard !reader.contains(.screen) else {
                throw reader.refusal(.window, "use a window or a screen, not both")
            }
            guard [.x, .from, .touches].contains(where: reader.contains) else {
                throw reader.refusal(.window, "a window needs points in it: x and y, from and to, or touches")
            }
        }
        self.init(
            event, in: window, seat: seat, time: at.map { .at($0) } ?? after.map { .after($0) },
            duration: try reader.duration(of: event), modifiers: try reader.modifiers,
            waits: try reader.find(Bool.self, .wait) ?? false,
            mustHit: try reader.find(Bool.self, .mustHit))
    }
}

/// Decodes an event without seat and time.
extension InputEvent: Decodable {
    package init(from decoder: any Decoder) throws { self = try InputRequest(from: decoder).event }
}

/// One of several fingers.
struct FingerPayload: Decodable {
    private static let fields = InputReader.Fields([
        .id, .phase, .x, .y, .force, .majorRadius, .minorRadius, .orientation, .tool, .altitude, .azimuth, .roll,
        .buttons,
    ])

    let finger: InputEvent.Finger

    init(from decoder: any Decoder) throws {
        let reader = try InputReader(decoder)
        try reader.refuseOthers(Self.fields, "a touch")
        finger = InputEvent.Finger(
            id: try reader.id, phase: try reader.phase(isTouch: true), point: try reader.place.point,
            measures: try reader.measures)
    }
}
