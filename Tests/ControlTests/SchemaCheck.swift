// Compares JSON values with the schemas of the API's description.

import DisplayServer
import JSON5

@testable import ControlAPI

/// The description of the API, as clients get it.
struct APIDocument {
    let json: JSON
    let schemas: [String: JSON]

    init() throws {
        json = try JSON(Array(OpenAPI.document(version: DisplayServer.version).utf8))
        guard case .object(let schemas)? = json["components"]?["schemas"] else {
            throw DecodingError.valueNotFound(JSON.self, .init(codingPath: [], debugDescription: "no schemas"))
        }
        self.schemas = schemas
    }

    var check: SchemaCheck { SchemaCheck(schemas: schemas) }

    /// What it says about a route.
    func operation(_ route: Route) -> JSON? { json["paths"]?[route.path]?[route.method.rawValue.lowercased()] }

    func example(_ route: Route) -> JSON? {
        operation(route)?["requestBody"]?["content"]?["application/json"]?["example"]
    }

    static func reference(_ name: String) -> JSON { .object(["$ref": .string("#/components/schemas/\(name)")]) }

    /// "didBecomeKey" has the schema EventDidBecomeKey.
    static func schema(ofEvent event: String) -> String { "Event" + event.prefix(1).uppercased() + event.dropFirst() }
}

extension JSON {
    subscript(key: String) -> JSON? { if case .object(let fields) = self { fields[key] } else { nil } }

    /// The names of an object's fields.
    var keys: Set<String> { if case .object(let fields) = self { Set(fields.keys) } else { [] } }
}

/// Finds what a value has that its schema does not describe, and what it lacks.
struct SchemaCheck {
    let schemas: [String: JSON]

    /// The mistakes, each with its place. Objects must not have fields that are not described.
    func mistakes(_ value: JSON, _ schema: JSON, at place: String = "") -> [String] {
        if case .string(let reference)? = schema["$ref"] {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            guard let named = schemas[name] else { return ["\(place): \(reference) is unknown"] }
            return mistakes(value, named, at: place)
        }
        if case .array(let all)? = schema["allOf"] { return all.flatMap { mistakes(value, $0, at: place) } }
        if case .array(let any)? = schema["anyOf"] {
            let all = any.map { mistakes(value, $0, at: place) }
            return all.contains([]) ? [] : all.flatMap { $0 }
        }
        guard case .string(let type)? = schema["type"] else { return [] }
        switch (type, value) {
        case ("string", .string(let text)):
            if case .string(let pattern)? = schema["pattern"] {
                let isMatch = (try? Regex(pattern).firstMatch(in: text)) != nil
                return isMatch ? [] : ["\(place): \(text) is not of the form \(pattern)"]
            }
            guard case .array(let words)? = schema["enum"] else { return [] }
            return words.contains(.string(text)) ? [] : ["\(place): \(text) is not one of \(words)"]
        case ("integer", .number(let number)), ("number", .number(let number)):
            var found: [String] = []
            if type == "integer", number != number.rounded() { found.append("\(place): \(number) is not whole") }
            if case .number(let least)? = schema["minimum"], number < least {
                found.append("\(place): \(number) < \(least)")
            }
            if case .number(let most)? = schema["maximum"], number > most {
                found.append("\(place): \(number) > \(most)")
            }
            return found
        case ("boolean", .bool), ("null", .null): return []
        case ("array", .array(let values)):
            return values.enumerated().flatMap { mistakes($1, schema["items"] ?? .object([:]), at: "\(place)[\($0)]") }
        case ("object", .object(let fields)): return mistakes(fields, schema, place)
        default: return ["\(place): \(value) is not of type \(type)"]
        }
    }

    private func mistakes(_ fields: [String: JSON], _ schema: JSON, _ place: String) -> [String] {
        let properties = schema["properties"] ?? .object([:])
        let others = schema["additionalProperties"]
        var found = fields.flatMap { name, value in
            guard let schema = properties[name] ?? others, schema != .bool(false) else {
                return ["\(place).\(name) is not described"]
            }
            return mistakes(value, schema, at: "\(place).\(name)")
        }
        if case .array(let names)? = schema["required"] {
            for case .string(let name) in names where fields[name] == nil {
                found.append("\(place).\(name) is missing")
            }
        }
        return found
    }
}
