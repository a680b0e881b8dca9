// Scenarios from JSON. Every field is known or an error.

import FoundationEssentials
import WindowModel

extension Scenario: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, summary, server, steps }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        _ = try container.decodeIfPresent(String.self, forKey: .summary)
        steps = try container.decode([Step].self, forKey: .steps)
        guard steps.count <= Self.maximumSteps else {
            throw DecodingError.dataCorruptedError(
                forKey: .steps, in: container, debugDescription: "a scenario has at most \(Self.maximumSteps) steps")
        }
    }
}

extension Scenario.Step: Decodable {
    private enum Verb: String, CodingKey, CaseIterable {
        case plug, unplug, flap, mode, scale, rotate, mirror, overscan, brightness, position, input, claim, release
        case wait, expect, screenshot, compare
    }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, Verb.self)
        let container = try decoder.container(keyedBy: Verb.self)
        guard let verb = container.allKeys.first, container.allKeys.count == 1 else {
            let all = Verb.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a step is exactly one of \(all)"))
        }
        func value<T: StrictlyDecodable>(_ type: T.Type) throws -> T {
            try container.decode(Strict<T>.self, forKey: verb).value
        }
        func text() throws -> String { try container.decode(String.self, forKey: verb) }
        func change(_ parse: (ChangeFields) throws -> Scenario.Change) throws -> Self {
            let fields = try value(ChangeFields.self)
            do {
                return .change(verb: verb.rawValue, fields.screen, try parse(fields))
            } catch let error as ModelError {
                throw DecodingError.dataCorruptedError(
                    forKey: verb, in: container, debugDescription: error.message)
            }
        }
        switch verb {
        case .plug: self = .plug(try container.decode(PlugField.self, forKey: verb).specification)
        case .unplug: self = .unplug(try container.decode(ScreenReference.self, forKey: verb))
        case .flap: self = .flap(try value(Scenario.Flap.self))
        case .mode: self = try change { .mode(try $0.text()) }
        case .scale: self = try change { .scale(try $0.number()) }
        case .rotate:
            self = try change {
                .orientation(try Screen.Orientation(parsing: $0.text()), duration: $0.duration?.microseconds)
            }
        case .mirror: self = try change { .mirroring(Screen.Mirroring(parsing: try $0.text())) }
        case .overscan: self = try change { .overscan(try Screen.Overscan(parsing: $0.text())) }
        case .brightness: self = try change { .brightness(try $0.number()) }
        case .position: self = try change { .position(try $0.point()) }
        case .input:
            let list = try? container.nestedUnkeyedContainer(forKey: verb)
            self = .input(
                list == nil
                    ? [try container.decode(InputEvent.self, forKey: verb)]
                    : try container.decode([InputEvent].self, forKey: verb))
        case .claim: self = .claim(try value(Scenario.Claim.self))
        case .release: self = .release(try text())
        case .wait: self = .wait(try container.decode(Scenario.Wait.self, forKey: verb))
        case .expect: self = .expect(try value(Expectation.self))
        case .screenshot:
            if let name = try? text() {
                self = .screenshot(Scenario.Picture(name: name))
            } else {
                self = .screenshot(try value(PictureFields.self).picture)
            }
        case .compare:
            let fields = try value(PictureFields.self)
            guard fields.png != nil else {
                throw DecodingError.dataCorruptedError(
                    forKey: verb, in: container, debugDescription: "the golden's file is missing (\"png\", base64)")
            }
            self = .compare(fields.picture, tolerance: fields.tolerance ?? 0)
        }
    }

    /// "MODEL,KEY=VALUE…", or the body of `POST /v1/screens`.
    private struct PlugField: Decodable {
        let specification: ScreenSpecification

        init(from decoder: any Decoder) throws {
            do {
                if let text = try? decoder.singleValueContainer().decode(String.self) {
                    specification = try ScreenSpecification(parsing: text)
                } else {
                    specification = try Strict<PlugPayload>(from: decoder).value.specification()
                }
            } catch let error as ModelError {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: error.message))
            }
        }
    }

    private struct PictureFields: StrictlyDecodable {
        var name: String
        var screen: ScreenReference?
        var png: Data?
        var tolerance: UInt8?

        enum CodingKeys: String, CodingKey, CaseIterable { case name, screen, png, tolerance }
        typealias Keys = CodingKeys

        var picture: Scenario.Picture { Scenario.Picture(name: name, screen: screen, golden: Array(png ?? Data())) }
    }
}

/// The screen that a step changes, and what to.
private struct ChangeFields: StrictlyDecodable {
    var screen: ScreenReference
    private var value: Value
    var duration: DurationText?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case screen, duration
        case value = "to"
    }
    typealias Keys = CodingKeys

    private enum Value: Decodable {
        case text(String)
        case number(Double)
        case point(Point)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .point(try Strict<PointPayload>(from: decoder).value.point)
            }
        }
    }

    func text() throws(ModelError) -> String {
        guard case .text(let text) = value else { throw refusal("a word") }
        return text
    }

    func number() throws(ModelError) -> Double {
        guard case .number(let number) = value else { throw refusal("a number") }
        return number
    }

    func point() throws(ModelError) -> Point {
        guard case .point(let point) = value else { throw refusal("a point: { x: …, y: … }") }
        return point
    }

    private func refusal(_ wanted: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: "S1", message: "\"to\" is \(wanted) here")
    }
}

extension Scenario.Flap: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case screen, times, out, seed
        case `in`
        case isHostile = "hostile"
    }
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screen = try container.decode(ScreenReference.self, forKey: .screen)
        times = try container.decodeIfPresent(Int.self, forKey: .times) ?? 3
        out = try container.decodeIfPresent(DurationText.self, forKey: .out)?.microseconds ?? 0
        self.in = try container.decodeIfPresent(DurationText.self, forKey: .in)?.microseconds ?? 0
        seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
        isHostile = try container.decodeIfPresent(Bool.self, forKey: .isHostile) ?? false
        guard (1...10_000).contains(times) else {
            throw DecodingError.dataCorruptedError(
                forKey: .times, in: container, debugDescription: "a cable flaps 1…10000 times")
        }
    }
}

extension Scenario.Claim: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case title, screen, level, frame, color, autoresizing
        case isHidden = "hidden"
        case becomesKey = "key"
    }
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        screen = try container.decodeIfPresent(ScreenReference.self, forKey: .screen)
        level = try container.decodeIfPresent(LevelPayload.self, forKey: .level)?.level ?? Window.Level.normal
        frame = try container.decodeIfPresent(Strict<RectPayload>.self, forKey: .frame)?.value.rect
        color = try container.decodeIfPresent(ColorText.self, forKey: .color)?.color ?? .black
        isHidden = try container.decodeIfPresent(Bool.self, forKey: .isHidden) ?? false
        becomesKey = try container.decodeIfPresent(Bool.self, forKey: .becomesKey) ?? false
        let follows = try container.decodeIfPresent(Bool.self, forKey: .autoresizing) ?? false
        autoresizing = follows ? [.width, .height] : []
    }
}

extension Scenario.Wait: Decodable {
    init(from decoder: any Decoder) throws {
        switch try decoder.singleValueContainer().decode(String.self) {
        case "settled": self = .settled
        case "idle": self = .idle
        default: self = .time(try DurationText(from: decoder).microseconds)
        }
    }
}

/// "16ms", "1.5s", "500us".
struct DurationText: Decodable {
    let microseconds: UInt64

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let units = [("us", 1.0), ("ms", 1000), ("s", 1_000_000)]
        guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
            let number = Double(text.dropLast(unit.count)), (0...86_400e6).contains(number * factor)
        else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no duration; write 500us, 16ms or 1.5s, at most a day"))
        }
        microseconds = UInt64((number * factor).rounded())
    }
}

/// "#RRGGBB" or "#AARRGGBB".
struct ColorText: Decodable {
    /// 0xAARRGGBB.
    let argb: UInt32

    var color: Color {
        func part(_ shift: UInt32) -> Double { Double(argb >> shift & 255) / 255 }
        return Color(red: part(16), green: part(8), blue: part(0), alpha: part(24))
    }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let digits = text.dropFirst()
        guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8, let value = UInt32(digits, radix: 16) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no colour; write #RRGGBB or #AARRGGBB"))
        }
        argb = digits.count == 6 ? value | 0xff00_0000 : value
    }
}
