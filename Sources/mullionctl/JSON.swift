// JSON values of any shape.

import FoundationEssentials
import JSON5
import MullionWayland

/// A JSON value.
enum JSON: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(parsing text: String) throws(CommandError) {
        do {
            self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        } catch {
            throw .refused("the server's answer is not JSON")
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSON] = []
            // A mistake in an element is the mistake of the list.
            while !list.isAtEnd { values.append(try list.decode(JSON.self)) }
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The value as one line of JSON.
    var encoded: String { encoded([]) }

    /// The value as lines of JSON.
    var indented: String { encoded(.prettyPrinted) }

    private func encoded(_ formatting: JSONEncoder.OutputFormatting) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        guard let data = try? encoder.encode(self) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }

    /// A member of an object, or null.
    subscript(key: String) -> JSON {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    /// The object without a member.
    func without(_ key: String) -> JSON {
        guard case .object(var members) = self else { return self }
        members[key] = nil
        return .object(members)
    }

    /// The object with a member set.
    func with(_ key: String, _ value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        members[key] = value
        return .object(members)
    }

    /// The bytes of a base64 string.
    var bytes: [UInt8]? {
        guard case .string(let text) = self, let data = Data(base64Encoded: text) else { return nil }
        return Array(data)
    }

    /// The elements of an array.
    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value, or another one if it is null.
    func or(_ other: JSON) -> JSON { self == .null ? other : self }

    var isTrue: Bool { self == .bool(true) }

    /// Human-readable text: strings without quotes, with invisible characters escaped; whole numbers without a decimal
    /// point; nothing for null.
    var text: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .number(let value): Self.text(value)
        case .string(let value): value.printable()
        case .array(let values): values.map(\.text).joined(separator: ",")
        case .object: encoded
        }
    }

    /// A number with all its digits, for programs; whole numbers without a decimal point.
    static func exactText(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    static func text(_ value: Double) -> String {
        exactText((value * 1000).rounded() / 1000)
    }
}
