// Decodes the steps of scenarios from JSON. Unknown fields are errors.

import ControlProtocol
import DisplayServer
import Displays
import JSON5
import WindowModel

extension Scenario.Step: Decodable {
    private enum Verb: String, CaseIterable {
        case plug, unplug, flap, input, claim, window, release, wait, expect, pause, screenshot, compare
    }

    /// The verbs, and the steps that change a property of a screen.
    private struct Key: TableKey {
        static let names = Verb.allCases.map(\.rawValue) + ScreenProperty.all.compactMap(\.step)
        let stringValue: String
        init(_ name: String) { stringValue = name }
    }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, Key.self)
        let container = try decoder.container(keyedBy: Key.self)
        func mistake() -> DecodingError {
            let message = "a step has exactly one of the keys \(Key.names.joined(separator: ", "))"
            guard !container.allKeys.isEmpty else { return JSON5.emptiness(message, decoder.codingPath) }
            return .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
        guard let key = container.allKeys.first, container.allKeys.count == 1 else { throw mistake() }
        func value<T: StrictlyDecodable>(_ type: T.Type) throws -> T {
            try container.decode(Strict<T>.self, forKey: key).value
        }
        func text() throws -> String { try container.decode(String.self, forKey: key) }
        if let property = ScreenProperty.changed(byStep: key.stringValue) {
            let fields = try value(ChangeFields.self)
            self = try DecodingError.locating(container.codingPath + [key]) {
                .change(
                    verb: key.stringValue, fields.screen, try fields.settings(property),
                    duration: try fields.duration(of: property))
            }
            return
        }
        guard let verb = Verb(rawValue: key.stringValue) else { throw mistake() }
        switch verb {
        case .plug: self = .plug(try container.decode(PlugField.self, forKey: key).specification)
        case .unplug: self = .unplug(try container.decode(ScreenReference.self, forKey: key))
        case .flap: self = .flap(try value(Scenario.Flap.self))
        case .input:
            let list = try? container.nestedUnkeyedContainer(forKey: key)
            self = .input(
                list == nil
                    ? [try container.decode(InputRequest.self, forKey: key)]
                    : try container.decode([InputRequest].self, forKey: key))
        case .claim: self = .claim(try value(Scenario.Claim.self))
        case .release: self = .release(try text())
        case .window:
            var patch = try value(WindowPatch.self)
            guard let title = patch.title else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "the window's \"title\" is missing")
            }
            patch.title = nil
            self = .window(title, patch)
        case .wait: self = .wait(try container.decode(Scenario.Wait.self, forKey: key))
        case .expect: self = .expect(try value(Expectation.self))
        case .pause: self = .pause(try text())
        case .screenshot:
            if let name = try? text() {
                self = .screenshot(Scenario.Picture(name: name))
            } else {
                let fields = try value(ScenarioPictureFields.self)
                if let field = fields.onlyForCompare {
                    throw DecodingError.dataCorruptedError(
                        forKey: key, in: container, debugDescription: "\"\(field)\" is only for compare")
                }
                self = .screenshot(fields.picture)
            }
        case .compare:
            let fields = try value(ScenarioPictureFields.self)
            guard let png = fields.png, png.starts(with: Self.signatureOfPNG) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container,
                    debugDescription: "\"png\", the golden picture in base64, is "
                        + (fields.png == nil ? "missing" : "not a PNG"))
            }
            self = .compare(fields.picture)
        }
    }

    private static let signatureOfPNG: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// "MODEL,KEY=VALUE…", or the body of `POST /v1/screens`.
    private struct PlugField: Decodable {
        let specification: ScreenSpecification

        init(from decoder: any Decoder) throws {
            specification = try DecodingError.locating(decoder.codingPath) {
                if let text = try? decoder.singleValueContainer().decode(String.self) {
                    return try ScreenSpecification(parsing: text)
                }
                return try Strict<PlugPayload>(from: decoder).value.specification
            }
        }
    }
}

/// The screen that a step changes, and the new value.
private struct ChangeFields: StrictlyDecodable {
    let screen: ScreenReference
    private let duration: DurationText?
    private let container: KeyedDecodingContainer<CodingKeys>

    typealias CodingKeys = API.Keys.ScenarioRotate
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: CodingKeys.self)
        screen = try container.decode(ScreenReference.self, forKey: .screen)
        duration = try container.decodeIfPresent(DurationText.self, forKey: .duration)
    }

    /// The new value of the property that the step changes.
    func settings(_ property: ScreenProperty) throws -> ScreenSettings {
        guard container.contains(.to) else {
            throw DecodingError.keyNotFound(
                CodingKeys.to, .init(codingPath: container.codingPath, debugDescription: "the new value"))
        }
        var settings = ScreenSettings()
        try container.decode(property, forKey: .to, into: &settings)
        return settings
    }

    /// In microseconds.
    func duration(of property: ScreenProperty) throws -> UInt64? {
        guard let duration else { return nil }
        guard property.step == ScreenProperty.orientation.step else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: "\"duration\" is only for rotate"))
        }
        guard duration.microseconds <= 60_000_000 else {
            throw ModelError(kind: .invalidValue, rule: .r1, message: "a rotation lasts at most 60 seconds")
        }
        return duration.microseconds
    }
}

extension DecodingError {
    /// Reports what the model refuses as a mistake at this place in the document.
    static func locating<T>(_ codingPath: @autoclosure () -> [any CodingKey], _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as ModelError {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath(), debugDescription: error.description))
        }
    }
}
