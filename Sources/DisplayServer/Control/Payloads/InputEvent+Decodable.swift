// Events from JSON. `type` says which fields there may be; others are errors.

import WindowModel

extension InputEvent: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type, screen, x, y, dx, dy, id, phase, button, pressed, by, from, to, steps, deltaX, deltaY, stepsX, stepsY
        case source, key, action, text
    }

    private static let fields: [String: [CodingKeys]] = [
        "touch": [.screen, .x, .y, .id, .phase],
        "tap": [.screen, .x, .y, .id],
        "hover": [.screen, .x, .y, .dx, .dy],
        "click": [.screen, .x, .y, .button],
        "button": [.button, .pressed],
        "drag": [.screen, .from, .to, .steps, .by, .id, .button],
        "scroll": [.screen, .x, .y, .deltaX, .deltaY, .stepsX, .stepsY, .source, .phase],
        "key": [.key, .action],
        "type": [.text],
    ]

    init(from decoder: any Decoder) throws {
        let reader = Reader(try decoder.container(keyedBy: CodingKeys.self))
        let type = try reader.need(String.self, .type)
        guard let allowed = Self.fields[type] else {
            let known = Self.fields.keys.sorted().joined(separator: ", ")
            throw reader.refusal(.type, "\"\(type)\" is no type of event; there are \(known)")
        }
        try Self.refuseOthers(decoder, allowed, type)
        switch type {
        case "touch": self = .touch(id: try reader.id, phase: try reader.phase(), try reader.place)
        case "tap": self = .tap(id: try reader.id, try reader.neededPlace)
        case "hover": self = try reader.hover
        case "click": self = .click(button: try reader.button, try reader.neededPlace)
        case "button": self = .button(try reader.button, pressed: try reader.need(Bool.self, .pressed))
        case "drag": self = .drag(try reader.drag)
        case "scroll": self = .scroll(try reader.scroll, try reader.optionalPhase, try reader.place)
        case "key":
            self = .key(try reader.need(String.self, .key), try reader.find(KeyAction.self, .action) ?? .tap)
        default: self = .text(try reader.need(String.self, .text))
        }
    }

    private static func refuseOthers(_ decoder: any Decoder, _ allowed: [CodingKeys], _ type: String) throws {
        let known = Set(allowed.map(\.stringValue) + ["type"])
        let container = try decoder.container(keyedBy: JSON5.AnyKey.self)
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard known.contains(key.stringValue), try !container.decodeNil(forKey: key) else {
                let what = known.contains(key.stringValue) ? "null is no value for" : "unknown key"
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription:
                        "\(what) \"\(key.stringValue)\"; \(type) takes \(known.sorted().joined(separator: ", "))")
            }
        }
    }

    /// Reads the fields that several types share.
    private struct Reader {
        let container: KeyedDecodingContainer<CodingKeys>

        init(_ container: KeyedDecodingContainer<CodingKeys>) { self.container = container }

        func need<T: Decodable>(_ type: T.Type, _ key: CodingKeys) throws -> T {
            try container.decode(type, forKey: key)
        }

        func find<T: Decodable>(_ type: T.Type, _ key: CodingKeys) throws -> T? {
            try container.decodeIfPresent(type, forKey: key)
        }

        func refusal(_ key: CodingKeys, _ message: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: message)
        }

        var id: Int32 {
            get throws {
                let id = try find(Int32.self, .id) ?? 0
                guard id >= 0 else { throw refusal(.id, "a touch's id is not negative") }
                return id
            }
        }

        var place: Place {
            get throws {
                let x = try find(Double.self, .x)
                let y = try find(Double.self, .y)
                guard (x == nil) == (y == nil) else { throw refusal(x == nil ? .y : .x, "x and y go together") }
                var place = Place(screen: try find(ScreenReference.self, .screen), point: nil)
                if let x, let y { place.point = Point(x: x, y: y) }
                return place
            }
        }

        var neededPlace: Place {
            get throws {
                var place = try place
                place.point = Point(x: try need(Double.self, .x), y: try need(Double.self, .y))
                return place
            }
        }

        var hover: InputEvent {
            get throws {
                let (dx, dy) = (try find(Double.self, .dx), try find(Double.self, .dy))
                let delta = dx == nil && dy == nil ? nil : Point(x: dx ?? 0, y: dy ?? 0)
                guard container.contains(.x) || container.contains(.y) || delta == nil else {
                    guard !container.contains(.screen) else {
                        throw refusal(.screen, "a screen goes with x and y; dx and dy move from where the pointer is")
                    }
                    return .hover(Place(screen: nil, point: nil), delta: delta)
                }
                return .hover(try neededPlace, delta: delta)
            }
        }

        func phase() throws -> Event.Phase {
            guard let phase = try optionalPhase else { return try parsePhase(try need(String.self, .phase)) }
            return phase
        }

        var optionalPhase: Event.Phase? {
            get throws { try find(String.self, .phase).map { try parsePhase($0) } }
        }

        private func parsePhase(_ text: String) throws -> Event.Phase {
            switch text {
            case "began": return .began
            case "moved": return .moved
            case "ended": return .ended
            case "cancelled": return .cancelled
            default: throw refusal(.phase, "\"\(text)\" is no phase; there are began, moved, ended, cancelled")
            }
        }

        /// A name or an evdev code; the left one when it is left out.
        var button: UInt32 {
            get throws {
                guard container.contains(.button) else { return 0x110 }
                if let code = try? container.decode(UInt32.self, forKey: .button) { return code }
                let name = try need(String.self, .button)
                let names: [String: UInt32] = [
                    "left": 0x110, "right": 0x111, "middle": 0x112, "side": 0x113, "extra": 0x114,
                ]
                guard let code = names[name] else {
                    let known = names.keys.sorted().joined(separator: ", ")
                    throw refusal(.button, "\"\(name)\" is no button; there are \(known), and evdev codes")
                }
                return code
            }
        }

        var drag: Drag {
            get throws {
                let steps = try find(Int.self, .steps) ?? 10
                guard (1...InputInjector.maximumSteps).contains(steps) else {
                    throw refusal(.steps, "a drag has 1…\(InputInjector.maximumSteps) steps")
                }
                return Drag(
                    means: try find(Drag.Means.self, .by) ?? .touch, id: try id, button: try button,
                    screen: try find(ScreenReference.self, .screen),
                    from: try need(Strict<PointPayload>.self, .from).value.point,
                    to: try need(Strict<PointPayload>.self, .to).value.point, steps: steps)
            }
        }

        var scroll: Event.Scroll {
            get throws {
                let stepsX = try find(Int32.self, .stepsX) ?? 0
                let stepsY = try find(Int32.self, .stepsY) ?? 0
                var source = stepsX != 0 || stepsY != 0 ? Event.Scroll.Source.wheel : .continuous
                if let name = try find(String.self, .source) {
                    guard let named = Event.Scroll.Source(rawValue: name) else {
                        throw refusal(.source, "\"\(name)\" is no source; there are wheel, finger, continuous")
                    }
                    source = named
                }
                return Event.Scroll(
                    deltaX: try find(Double.self, .deltaX) ?? 0, deltaY: try find(Double.self, .deltaY) ?? 0,
                    stepsX: stepsX, stepsY: stepsY, source: source)
            }
        }
    }
}
