// Reads the fields of events that several types share.

import DisplayServer
import JSON5
import MullionGeometry
import WindowModel

/// The fields of one event.
struct InputReader {
    enum Keys: Int, CaseIterable {
        case type, screen, x, y, dx, dy, id, phase, button, pressed, by, from, to, steps, deltaX, deltaY, stepsX, stepsY
        case source, key, code, keymap, action, text, seat, at, after, duration, wait, mustHit, touches, command
        case force, majorRadius, minorRadius, orientation, tool, altitude, azimuth, roll, distance, buttons
        case scale, rotation, fingers, radius, drop, window, count, modifiers

        fileprivate static let names = JSON5Names(allCases.map { "\($0)" })

        var name: String { Self.names.texts[rawValue] }
    }

    /// The name of a field, for errors.
    private struct Name: TableKey {
        static let names = Keys.names.texts
        let stringValue: String
        init(_ name: String) { stringValue = name }
    }

    /// A set of fields.
    struct Fields {
        /// A bit for each.
        fileprivate var bits: UInt64 = 0

        init(_ keys: [Keys]) {
            for key in keys { bits |= 1 << UInt64(key.rawValue) }
        }
    }

    private let object: JSON5Object

    init(_ decoder: any Decoder) throws { object = try JSON5Object(decoder, Keys.names) }

    /// Refuses unknown fields and nulls; reports the first.
    func refuseOthers(_ known: Fields, _ type: String) throws { try object.refuseOthers(known.bits, of: type) }

    func contains(_ key: Keys) -> Bool { object.contains(key.rawValue) }

    func event(_ type: String) throws -> InputEvent {
        switch type {
        case "touch": return .touch(id: try id, phase: try phase(isTouch: true), try place, try measures)
        case "touches":
            let fingers = try need([FingerPayload].self, .touches).map(\.finger)
            return .touches(fingers, screen: try find(ScreenReference.self, .screen))
        case "tap": return .tap(id: try id, try neededPlace, try measures)
        case "hover": return contains(.tool) ? try pencil : try hover
        case "click":
            let count = try number(.count, in: 1...InputEvent.mostClicks) ?? 1
            return .click(button: try button, try neededPlace, count: count)
        case "button": return .button(try button, pressed: try need(Bool.self, .pressed))
        case "drag": return .drag(try drag)
        case "scroll": return .scroll(try scroll, try optionalPhase(), try place)
        case "shake": return .shake(try optionalPhase())
        case "remote": return .remote(try command)
        case "key": return try key
        case "type": return .text(try need(String.self, .text))
        default: return .gesture(try gesture(type))
        }
    }

    // MARK: Values

    func need<T: Decodable>(_ type: T.Type, _ key: Keys) throws -> T { try object.need(type, key.rawValue) }

    func find<T: Decodable>(_ type: T.Type, _ key: Keys) throws -> T? { try object.find(type, key.rawValue) }
    func find(_ type: Double.Type, _ key: Keys) throws -> Double? { try object.find(type, key.rawValue) }
    func find(_ type: String.Type, _ key: Keys) throws -> String? { try object.find(type, key.rawValue) }
    func find(_ type: Bool.Type, _ key: Keys) throws -> Bool? { try object.find(type, key.rawValue) }

    func refusal(_ key: Keys, _ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: object.codingPath + [Name(key.name)], debugDescription: message))
    }

    /// An integer in a range.
    func number<T: FixedWidthInteger & Decodable>(_ key: Keys, in range: ClosedRange<T>) throws -> T? {
        guard let value = try object.find(T.self, key.rawValue) else { return nil }
        guard range.contains(value) else {
            throw refusal(key, "\(value) is not within \(range.lowerBound)…\(range.upperBound)")
        }
        return value
    }

    /// Milliseconds in JSON, microseconds here.
    func milliseconds(_ key: Keys) throws -> UInt64? {
        guard let value = try find(Double.self, key) else { return nil }
        let longest = Double(InputRequest.longest / 1000)
        guard value >= 0, value <= longest else {
            throw refusal(key, "\(value) is not within 0…\(longest) milliseconds")
        }
        return UInt64((value * 1000).rounded())
    }

    /// In microseconds; only a whole key and a click have one.
    func duration(of event: InputEvent) throws -> UInt64? {
        guard let duration = try milliseconds(.duration) else { return nil }
        switch event {
        case .key(_, .down), .key(_, .up), .code(_, .down, keymap: _), .code(_, .up, keymap: _):
            throw refusal(.duration, "a key that only goes down or up has no duration")
        default: return duration
        }
    }

    var id: Int32 {
        get throws { try number(.id, in: 0...Int32.max) ?? 0 }
    }

    var place: InputEvent.Place {
        get throws {
            let x = try find(Double.self, .x)
            let y = try find(Double.self, .y)
            guard (x == nil) == (y == nil) else { throw refusal(x == nil ? .y : .x, "use x and y together") }
            var place = InputEvent.Place(screen: try find(ScreenReference.self, .screen), point: nil)
            if let x, let y { place.point = Point(x: x, y: y) }
            return place
        }
    }

    private var neededPlace: InputEvent.Place {
        get throws {
            var place = try place
            guard place.point == nil else { return place }
            place.point = Point(x: try need(Double.self, .x), y: try need(Double.self, .y))
            return place
        }
    }

    func phase(isTouch: Bool = false) throws -> Event.Phase {
        guard let phase = try optionalPhase(isTouch: isTouch) else {
            return try parsePhase(try need(String.self, .phase), isTouch)
        }
        return phase
    }

    func optionalPhase(isTouch: Bool = false) throws -> Event.Phase? {
        try find(String.self, .phase).map { try parsePhase($0, isTouch) }
    }

    private func parsePhase(_ text: String, _ isTouch: Bool) throws -> Event.Phase {
        switch text {
        case "began": return .began
        case "moved": return .moved
        case "stationary" where isTouch: return .stationary
        case "ended": return .ended
        case "cancelled": return .cancelled
        default:
            let known = isTouch ? "began, moved, stationary, ended, cancelled" : "began, moved, ended, cancelled"
            throw refusal(.phase, "\"\(text)\" is not a phase; use one of \(known)")
        }
    }

    // MARK: Touches

    var measures: TouchMeasures {
        get throws {
            var measures = TouchMeasures(
                force: try find(Double.self, .force), majorRadius: try find(Double.self, .majorRadius),
                minorRadius: try find(Double.self, .minorRadius), orientation: try find(Double.self, .orientation),
                tool: try tool)
            measures.pencil = try pencilMeasures
            if measures.tool == .finger, measures.pencil != PencilMeasures() {
                throw refusal(.tool, "a finger has no altitude, azimuth, roll and buttons; use pencil or eraser")
            }
            return measures
        }
    }

    private var drag: InputEvent.Drag {
        get throws {
            let measures = try measures
            let means = try find(InputEvent.Drag.Means.self, .by) ?? .touch
            guard means == .touch || measures == TouchMeasures() else {
                throw refusal(.by, "a pointer has no force, radii, orientation or tool; leave them out")
            }
            return InputEvent.Drag(
                means: means, id: try id, button: try button, screen: try find(ScreenReference.self, .screen),
                from: try need(Strict<PointPayload>.self, .from).value.point,
                to: try need(Strict<PointPayload>.self, .to).value.point, steps: try steps, measures: measures,
                drop: try find(Bool.self, .drop))
        }
    }

    var modifiers: [String] {
        get throws {
            guard let names = try find([String].self, .modifiers) else { return [] }
            let known = InputPlanner.modifierNames
            if let name = names.first(where: { !known.contains($0.lowercased()) }) {
                let list = known.joined(separator: ", ")
                throw refusal(.modifiers, "\"\(name.shortened)\" is not a modifier; use some of \(list)")
            }
            return names
        }
    }

    var steps: Int {
        get throws { try number(.steps, in: 1...InputInjector.maximumSteps) ?? 10 }
    }

    // MARK: Pointer

    private var hover: InputEvent {
        get throws {
            for key in Self.pencilKeys where contains(key) {
                throw refusal(key, "the pointer has no \(key.name); add \"tool\": \"pencil\" or \"eraser\"")
            }
            let (dx, dy) = (try find(Double.self, .dx), try find(Double.self, .dy))
            let delta = dx == nil && dy == nil ? nil : Point(x: dx ?? 0, y: dy ?? 0)
            guard contains(.x) || contains(.y) || delta == nil else {
                guard !contains(.screen) else {
                    throw refusal(.screen, "a screen needs x and y; dx and dy alone move from the current position")
                }
                return .hover(InputEvent.Place(screen: nil, point: nil), delta: delta)
            }
            return .hover(try neededPlace, delta: delta)
        }
    }

    /// A name or an evdev code; by default the left one.
    private var button: UInt32 {
        get throws {
            guard contains(.button) else { return 0x110 }
            if let code = try? need(UInt32.self, .button) { return code }
            let name = try need(String.self, .button)
            let names: [String: UInt32] = [
                "left": 0x110, "right": 0x111, "middle": 0x112, "side": 0x113, "extra": 0x114,
            ]
            guard let code = names[name] else {
                let known = names.keys.sorted().joined(separator: ", ")
                throw refusal(.button, "\"\(name)\" is not a button; use an evdev code or one of \(known)")
            }
            return code
        }
    }

    private var scroll: Event.Scroll {
        get throws {
            let stepsX = try find(Int32.self, .stepsX) ?? 0
            let stepsY = try find(Int32.self, .stepsY) ?? 0
            var source = stepsX != 0 || stepsY != 0 ? Event.Scroll.Source.wheel : .continuous
            if let name = try find(String.self, .source) {
                guard let named = Event.Scroll.Source(rawValue: name) else {
                    throw refusal(.source, "\"\(name)\" is not a source; use wheel, finger or continuous")
                }
                source = named
            }
            return Event.Scroll(
                deltaX: try find(Double.self, .deltaX) ?? 0, deltaY: try find(Double.self, .deltaY) ?? 0,
                stepsX: stepsX, stepsY: stepsY, source: source)
        }
    }
}
