// Reads gestures, keys and commands.

import DisplayServer
import MullionGeometry
import MullionSystem
import WindowModel

extension InputReader {
    func gesture(_ type: String) throws -> Gesture {
        guard let form = Gesture.Form(rawValue: type) else { throw refusal(.type, "\"\(type)\" is not a gesture") }
        var gesture = Gesture(form: form, place: try place)
        gesture.means = try find(Gesture.Means.self, .by) ?? .gesture
        gesture.phase = try optionalPhase()
        gesture.scale = try find(Double.self, .scale)
        gesture.rotation = try find(Double.self, .rotation)
        gesture.delta = Point(x: try find(Double.self, .deltaX) ?? 0, y: try find(Double.self, .deltaY) ?? 0)
        gesture.steps = try steps
        gesture.id = try id
        gesture.radius = try find(Double.self, .radius) ?? gesture.radius
        let most = gesture.means == .touch ? InputPlanner.maximumFingers : .max
        gesture.fingers = try number(.fingers, in: (form == .swipe || gesture.means == .gesture ? 1 : 2)...most)
        try check(gesture)
        if let from = try find(Strict<PointPayload>.self, .from)?.value.point {
            let to = try need(Strict<PointPayload>.self, .to).value.point
            gesture.place.point = from
            gesture.delta = to - from
        }
        return gesture
    }

    private func check(_ gesture: Gesture) throws {
        let (isStep, isTouch) = (gesture.phase != nil, gesture.means == .touch)
        func refuse(_ keys: [Keys], _ reason: String) throws {
            for key in keys where contains(key) { throw refusal(key, "\"\(key.name)\" \(reason)") }
        }
        if isStep { try refuse([.steps, .from, .to, .by], "is only for a complete gesture, without a phase") }
        if !isTouch { try refuse([.id, .radius], "is only for fingers on the screen; use by \"touch\"") }
        if gesture.form == .swipe, !isStep {
            guard contains(.from) else {
                throw refusal(.from, "a complete swipe needs \"from\" and \"to\"")
            }
            try refuse([.x, .y, .deltaX, .deltaY], "is only for a step of a swipe; use \"from\" and \"to\"")
        }
        guard contains(.from) || !contains(.to) else {
            throw refusal(.to, "\"to\" needs \"from\"")
        }
    }

    var command: Event.RemoteCommand {
        get throws {
            let name = try need(String.self, .command)
            guard let command = Event.RemoteCommand(named: name) else {
                let known = Event.RemoteCommand.allCases.map { "\($0)" }.joined(separator: ", ")
                throw refusal(.command, "\"\(name)\" is not a command; use one of \(known)")
            }
            return command
        }
    }

    var key: InputEvent {
        get throws {
            let action = try find(InputEvent.KeyAction.self, .action) ?? .tap
            guard let code = try number(.code, in: UInt32(1)...767) else {
                guard !contains(.keymap) else {
                    throw refusal(.keymap, "a keymap needs the code of a key")
                }
                return .key(try need(String.self, .key), action)
            }
            guard !contains(.key) else {
                throw refusal(.key, "use a key's name or its code, not both")
            }
            return .code(code, action, keymap: try keymap)
        }
    }

    /// XKB's symbol names by evdev code.
    private var keymap: [UInt32: String]? {
        get throws {
            guard let names = try find([String: String].self, .keymap) else { return nil }
            var symbols: [UInt32: String] = [:]
            for (text, name) in names {
                guard let code = DecimalText.whole(text, as: UInt32.self) else {
                    throw refusal(.keymap, "\"\(text)\" is not an evdev key code")
                }
                symbols[code] = name
            }
            return symbols
        }
    }
}

extension Event.RemoteCommand {
    /// By UIKit's name without its prefix: `play`, `togglePlayPause` …
    init?(named name: String) {
        guard let command = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = command
    }
}
