// Decodes scenarios from JSON. Unknown fields are errors.

import DisplayServer
import Displays
import FoundationEssentials
import Geometry
import JSON5
import WindowModel

extension Scenario: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, summary, server, steps }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        _ = try container.decodeIfPresent(String.self, forKey: .summary)
        steps = []
        var list = try container.nestedUnkeyedContainer(forKey: .steps)
        guard list.count ?? 0 <= Self.maximumSteps else {
            throw DecodingError.dataCorruptedError(
                forKey: .steps, in: container, debugDescription: "a scenario has at most \(Self.maximumSteps) steps")
        }
        while !list.isAtEnd {
            do {
                steps.append(try list.decode(Step.self))
            } catch {
                throw Self.refusal(error, step: steps.count)
            }
        }
    }

    /// Steps are counted from 1.
    private static func refusal(_ error: any Error, step: Int) -> Problem {
        var problem = Problem(error)
        if problem.status == 500 {
            // JSON5 numbers out of range are not reported as decoding errors.
            problem = Problem(400, "a number in it is out of range, or not whole where it has to be: \(error)")
        }
        var text = problem.detail[...]
        for lead in ["steps[\(step)]", ".", ": "] where text.hasPrefix(lead) { text = text.dropFirst(lead.count) }
        problem.detail = "step \(step + 1): \(text)"
        return problem
    }
}

extension Scenario.Step: Decodable {
    private enum Verb: String, CodingKey, CaseIterable {
        case plug, unplug, flap, mode, scale, rotate, mirror, overscan, brightness, position, input, claim, window
        case release, wait, expect, screenshot, compare
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
            guard fields.duration == nil || verb == .rotate else {
                throw DecodingError.dataCorruptedError(
                    forKey: verb, in: container, debugDescription: "only rotate takes a \"duration\"")
            }
            do {
                return .change(verb: verb.rawValue, fields.screen, try parse(fields))
            } catch let error as ModelError {
                throw DecodingError.dataCorruptedError(
                    forKey: verb, in: container, debugDescription: error.description)
            }
        }
        switch verb {
        case .plug: self = .plug(try container.decode(PlugField.self, forKey: verb).specification)
        case .unplug: self = .unplug(try container.decode(ScreenReference.self, forKey: verb))
        case .flap: self = .flap(try value(Scenario.Flap.self))
        case .mode:
            self = try change {
                _ = try Screen.Mode(parsing: $0.text())
                return .mode(try $0.text())
            }
        case .scale: self = try change { .scale(try $0.number()) }
        case .rotate:
            self = try change {
                .orientation(try Screen.Orientation(parsing: $0.text()), duration: try $0.rotationDuration())
            }
        case .mirror: self = try change { .mirroring(Screen.Mirroring(parsing: try $0.text())) }
        case .overscan: self = try change { .overscan(try Screen.Overscan(parsing: $0.text())) }
        case .brightness: self = try change { .brightness(try $0.number()) }
        case .position: self = try change { .position(try $0.point()) }
        case .input:
            let list = try? container.nestedUnkeyedContainer(forKey: verb)
            self = .input(
                list == nil
                    ? [try container.decode(InputRequest.self, forKey: verb)]
                    : try container.decode([InputRequest].self, forKey: verb))
        case .claim: self = .claim(try value(Scenario.Claim.self))
        case .release: self = .release(try text())
        case .window:
            var patch = try value(WindowPatch.self)
            guard let title = patch.title else {
                throw DecodingError.dataCorruptedError(
                    forKey: verb, in: container, debugDescription: "\"title\" is missing: which window changes")
            }
            patch.title = nil
            self = .window(title, patch)
        case .wait: self = .wait(try container.decode(Scenario.Wait.self, forKey: verb))
        case .expect: self = .expect(try value(Expectation.self))
        case .screenshot:
            if let name = try? text() {
                self = .screenshot(Scenario.Picture(name: name))
            } else {
                let fields = try value(PictureFields.self)
                guard fields.png == nil, fields.tolerance == nil else {
                    throw DecodingError.dataCorruptedError(
                        forKey: verb, in: container, debugDescription: "\"png\" and \"tolerance\" are for compare")
                }
                self = .screenshot(fields.picture)
            }
        case .compare:
            let fields = try value(PictureFields.self)
            guard let png = fields.png, png.starts(with: Self.signatureOfPNG) else {
                throw DecodingError.dataCorruptedError(
                    forKey: verb, in: container,
                    debugDescription: "\"png\", the golden picture in base64, is "
                        + (fields.png == nil ? "missing" : "no PNG"))
            }
            self = .compare(fields.picture, tolerance: fields.tolerance?.value ?? 0)
        }
    }

    private static let signatureOfPNG: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

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
                    .init(codingPath: decoder.codingPath, debugDescription: error.description))
            }
        }
    }

    private struct PictureFields: StrictlyDecodable {
        var name: String
        var screen: ScreenReference?
        var png: Data?
        var tolerance: Tolerance?

        enum CodingKeys: String, CodingKey, CaseIterable { case name, screen, png, tolerance }
        typealias Keys = CodingKeys

        var picture: Scenario.Picture { Scenario.Picture(name: name, screen: screen, golden: Array(png ?? Data())) }
    }
}

/// The screen that a step changes, and the new value.
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

    /// In microseconds.
    func rotationDuration() throws(ModelError) -> UInt64? {
        guard let duration, duration.microseconds > 60_000_000 else { return duration?.microseconds }
        throw ModelError(kind: .invalidValue, rule: .r1, message: "a rotation lasts at most 60 seconds")
    }

    private func refusal(_ wanted: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: .s1, message: "\"to\" is \(wanted) here")
    }
}
