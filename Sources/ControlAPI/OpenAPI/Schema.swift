// Generates JSON Schema from readable tables.

import DisplayServer
import JSON5
import MullionSystem

extension JSON {
    subscript(key: String) -> JSON? {
        get { if case .object(let fields) = self { fields[key] } else { nil } }
        set {
            guard case .object(var fields) = self else { return }
            fields[key] = newValue
            self = .object(fields)
        }
    }

    /// The names of an object's fields.
    var keys: Set<String> { if case .object(let fields) = self { Set(fields.keys) } else { [] } }
}

/// Schemas written as tables: a field per line, with its name, its type and its meaning.
///
/// Types are `string`, `base64`, `integer`, `number`, `boolean`, `any`, those of `named` such as `id` and `duration`, the
/// name of another table (capitalised), `[TYPE]` for lists, `{TYPE}` for objects with any keys, `A,B` for alternatives, one
/// of which may be `null`, and words separated by `|` for enumerations. Numbers may have a range, as in `number(0...1)` or
/// `integer(0...)`. A `?` marks an optional field.
enum Schema {
    /// - Parameter isClosed: whether other fields are refused, as in bodies.
    static func object(_ table: String, isClosed: Bool = false) -> JSON {
        var properties: [String: JSON] = [:]
        var required: [JSON] = []
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count >= 2 else { continue }
            let isOptional = words[1].hasSuffix("?")
            var schema = type(isOptional ? String(words[1].dropLast()) : words[1])
            if words.count > 2 {
                // Many generators ignore what is beside a reference.
                if schema["$ref"] != nil { schema = .object(["allOf": .array([schema])]) }
                schema["description"] = .string(words[2])
            }
            properties[words[0]] = schema
            if !isOptional { required.append(.string(words[0])) }
        }
        var schema: [String: JSON] = ["type": .string("object"), "properties": .object(properties)]
        if !required.isEmpty { schema["required"] = .array(required) }
        if isClosed { schema["additionalProperties"] = .bool(false) }
        return .object(schema)
    }

    static func type(_ text: String) -> JSON {
        if text.hasPrefix("[") { return .object(["type": .string("array"), "items": type(inner(text))]) }
        if text.hasPrefix("{") {
            return .object(["type": .string("object"), "additionalProperties": type(inner(text))])
        }
        if text.contains(",") {
            return .object(["anyOf": .array(text.split(separator: ",").map { type(String($0)) })])
        }
        if let start = text.firstIndex(of: "("), text.hasSuffix(")") {
            return ranged(String(text[..<start]), text[text.index(after: start)...].dropLast())
        }
        if text.contains("|") { return words(text.split(separator: "|")) }
        if text == "any" { return .object([:]) }
        if text.first?.isUppercase == true { return reference("schemas", text) }
        if let schema = named[text] { return schema }
        if text == "base64" { return .object(["type": .string("string"), "format": .string("byte")]) }
        guard ["string", "integer", "number", "boolean", "null"].contains(text) else { return words([text[...]]) }
        return .object(["type": .string(text)])
    }

    /// Types with a range or a pattern that several fields have.
    private static let named: [String: JSON] = [
        "id": number("integer", 0, Double(UInt32.max)), "code": number("integer", 0, Double(UInt32.max)),
        "pid": number("integer", 0, Double(Int32.max)), "count": number("integer", 0, nil),
        "microseconds": number("integer", 0, nil), "angle": number("number", -2 * Double.pi, 2 * Double.pi),
        "color": text("^#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"), "rgb": text("^#[0-9A-Fa-f]{6}$"),
        "pixelColor": text("^#?[0-9A-Fa-f]{6}$"),
        "duration": text("^\(decimal)(us|ms|s)$"), "milliseconds": text("^\(decimal)(us|ms|s)?$"),
    ]

    private static let decimal = "([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?"

    private static func text(_ pattern: String) -> JSON {
        .object(["type": .string("string"), "pattern": .string(pattern)])
    }

    static func reference(_ kind: String, _ name: String) -> JSON {
        .object(["$ref": .string("#/components/\(kind)/\(name)")])
    }

    /// - Parameter range: as in `0...1`; either bound may be missing.
    private static func ranged(_ name: String, _ range: Substring) -> JSON {
        guard let dots = range.firstPlace(of: "...") else { return number(name, Double(range), nil) }
        return number(name, Double(range[..<dots.lowerBound]), Double(range[dots.upperBound...]))
    }

    private static func number(_ type: String, _ least: Double?, _ most: Double?) -> JSON {
        var schema: JSON = .object(["type": .string(type)])
        schema["minimum"] = least.map { .number($0) }
        schema["maximum"] = most.map { .number($0) }
        return schema
    }

    private static func words(_ words: [Substring]) -> JSON {
        .object(["type": .string("string"), "enum": .array(words.map { .string(String($0)) })])
    }

    private static func inner(_ text: String) -> String { String(text.dropFirst().dropLast()) }
}
