// Reads values of any shape.

import JSON5
import MullionSystem

extension JSON {
    package init(parsing text: String) throws(CommandError) {
        do {
            try self.init(Array(text.utf8))
        } catch {
            throw .refused("the server's answer is not JSON")
        }
    }

    /// A value as it is written.
    package init(encoding value: some Encodable) {
        self = (try? JSONWriter.encode(value)).flatMap { try? JSON($0) } ?? .null
    }

    /// A member of an object, or null.
    package subscript(key: String) -> JSON {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    /// The object without a member.
    package func without(_ key: String) -> JSON {
        guard case .object(var members) = self else { return self }
        members[key] = nil
        return .object(members)
    }

    /// The object with a member set.
    package func with(_ key: String, _ value: JSON) -> JSON {
        guard case .object(var members) = self else { return self }
        members[key] = value
        return .object(members)
    }

    /// The elements of an array.
    package var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    package var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value, or another one if it is null.
    package func or(_ other: JSON) -> JSON { self == .null ? other : self }

    package var isTrue: Bool { self == .bool(true) }

    /// Human-readable text: strings without quotes, with invisible characters escaped; whole numbers without a decimal
    /// point; nothing for null.
    package var text: String {
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
    package static func exactText(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    package static func text(_ value: Double) -> String {
        exactText((value * 1000).rounded() / 1000)
    }
}
