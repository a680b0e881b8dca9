// Settings in JSON, by the table of properties.

import JSON5
import MullionGeometry
import WindowModel

extension ScreenSettings: Codable {
    /// Decodes those of all properties that are there. Other keys are ignored.
    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder, ScreenProperty.all)
    }

    /// Decodes those of these properties that are there.
    package init(from decoder: any Decoder, _ properties: [ScreenProperty]) throws {
        let container = try decoder.container(keyedBy: ScreenProperty.Key.self)
        for property in properties {
            let key = ScreenProperty.Key(property)
            if container.contains(key) { try container.decode(property, forKey: key, into: &self) }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ScreenProperty.Key.self)
        for property in ScreenProperty.all {
            let key = ScreenProperty.Key(property)
            switch property.value(in: self) {
            case .number(let number): try container.encode(number, forKey: key)
            case .flag(let flag): try container.encode(flag, forKey: key)
            case .text(let text): try container.encode(text, forKey: key)
            case .point(let point): try container.encode(point, forKey: key)
            case nil: break
            }
        }
    }
}

extension ScreenProperty {
    /// Its name as a key.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ property: ScreenProperty) { stringValue = property.name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension KeyedDecodingContainer {
    /// Decodes the value of a property. Throws for a value of another type, and for one that no screen can have.
    package func decode(_ property: ScreenProperty, forKey key: Key, into settings: inout ScreenSettings) throws {
        guard let value = try value(of: property.type, forKey: key) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: property.refusal(of: quoted(key)).message)
        }
        try JSON5.locating(codingPath + [key]) { try property.set(value, in: &settings) }
    }

    private func value(of type: ScreenProperty.ValueType, forKey key: Key) throws -> ScreenProperty.Value? {
        switch type {
        case .number: return (try? decode(Double.self, forKey: key)).map(ScreenProperty.Value.number)
        case .flag: return (try? decode(Bool.self, forKey: key)).map(ScreenProperty.Value.flag)
        case .names, .text: return (try? decode(String.self, forKey: key)).map(ScreenProperty.Value.text)
        case .point:
            guard (try? nestedContainer(keyedBy: JSON5.AnyKey.self, forKey: key)) != nil else { return nil }
            return .point(try decode(StrictPoint.self, forKey: key).point)
        }
    }

    /// A value of an unexpected type, for messages.
    private func quoted(_ key: Key) -> String {
        if (try? decodeNil(forKey: key)) == true { return "null" }
        let value =
            (try? decode(Bool.self, forKey: key)).map(ScreenProperty.Value.flag)
            ?? (try? decode(Double.self, forKey: key)).map(ScreenProperty.Value.number)
            ?? (try? decode(String.self, forKey: key)).map(ScreenProperty.Value.text)
        return value?.quoted ?? "this value"
    }
}

/// A point without other keys.
private struct StrictPoint: Decodable {
    let point: Point

    private enum Keys: String, CodingKey, CaseIterable { case x, y }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, Keys.self)
        point = try Point(from: decoder)
    }
}
