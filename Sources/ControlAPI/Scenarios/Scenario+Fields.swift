// Decodes the fields of some steps.

import ControlProtocol
import DisplayServer
import MullionSystem
import WindowModel

extension Scenario.Flap: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case screen, times, out, seed
        case `in`
        case provokesRaces = "hostile"
    }
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screen = try container.decode(ScreenReference.self, forKey: .screen)
        times = try container.decodeIfPresent(Int.self, forKey: .times) ?? 3
        out = try container.decodeIfPresent(DurationText.self, forKey: .out)?.microseconds ?? 0
        self.in = try container.decodeIfPresent(DurationText.self, forKey: .in)?.microseconds ?? 0
        seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
        provokesRaces = try container.decodeIfPresent(Bool.self, forKey: .provokesRaces) ?? false
        guard (1...API.Limits.mostFlaps).contains(times) else {
            throw DecodingError.dataCorruptedError(
                forKey: .times, in: container, debugDescription: "\(times) is not within 1…\(API.Limits.mostFlaps)")
        }
    }
}

extension Scenario.Claim: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case title, screen, level, frame, color, alpha, autoresizing
        case isHidden = "hidden"
        case isInteractive = "userInteractionEnabled"
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
        alpha = try container.decodeIfPresent(Double.self, forKey: .alpha) ?? 1
        isInteractive = try container.decodeIfPresent(Bool.self, forKey: .isInteractive) ?? true
        isHidden = try container.decodeIfPresent(Bool.self, forKey: .isHidden) ?? false
        becomesKey = try container.decodeIfPresent(Bool.self, forKey: .becomesKey) ?? false
        guard !(isHidden && becomesKey) else {
            throw DecodingError.dataCorruptedError(
                forKey: .isHidden, in: container, debugDescription: "\(Rule.k2): a hidden window cannot be key")
        }
        if let follows = try? container.decode(Bool.self, forKey: .autoresizing) {
            autoresizing = follows ? [.width, .height] : []
        } else {
            autoresizing = try container.decodeIfPresent(AutoresizingPayload.self, forKey: .autoresizing)?.mask ?? []
        }
    }
}

extension Scenario.Wait: Decodable {
    init(from decoder: any Decoder) throws {
        if (try? decoder.container(keyedBy: WaitStep.Keys.self)) != nil {
            self = .conditions(try Strict<WaitStep>(from: decoder).value)
            return
        }
        let container = try decoder.singleValueContainer()
        let word = try? container.decode(String.self)
        switch word {
        case "settled": self = .settled
        case "idle": self = .idle
        default:
            guard let time = word.flatMap({ DurationText(parsing: $0) }) else {
                let found =
                    word.map { "\"\($0)\" is not a condition to wait for" } ?? "expected a condition to wait for"
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription:
                        "\(found); use settled, idle, \(DurationText.examples), or an object such as "
                        + "{ window: { title: \"Menu\" } }")
            }
            self = .time(time.microseconds)
        }
    }
}

/// "16ms", "1.5s", "500us".
struct DurationText: Decodable {
    let microseconds: UInt64

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = Self(parsing: text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is not a duration; use \(Self.examples)"))
        }
        self = time
    }

    static let examples = "500us, 16ms or 1.5s, at most a day"
    private static let units = [("us", 1.0), ("ms", 1000), ("s", 1_000_000)]

    /// Nil when it is invalid, or longer than a day.
    init?(parsing text: String) {
        guard let time = DecimalText.microseconds(text), time <= 86_400e6 else { return nil }
        microseconds = UInt64(time)
    }

    /// The duration for messages, rounded to a tenth of a millisecond: "16.7ms".
    static func rounded(_ microseconds: UInt64) -> String {
        let tenths = (microseconds + 50) / 100
        guard tenths % 10 != 0 else { return text(tenths * 100) }
        return "\(tenths / 10).\(tenths % 10)ms"
    }

    /// The duration in the largest unit that gives a whole number.
    static func text(_ microseconds: UInt64) -> String {
        let unit = units.last { microseconds.isMultiple(of: UInt64($0.1)) } ?? ("us", 1)
        return "\(microseconds / UInt64(unit.1))\(unit.0)"
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
        guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
            let value = DecimalText.hexadecimal(digits)
        else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is not a colour; use #RRGGBB or #AARRGGBB"))
        }
        argb = digits.count == 6 ? value | 0xff00_0000 : value
    }
}

/// The largest difference allowed for each of red, green and blue.
struct Tolerance: Decodable {
    let value: UInt8

    init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Double.self)
        guard let value = UInt8(exactly: number) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a tolerance is a whole number from 0 to 255"))
        }
        self.value = value
    }
}
