// The JSON Schema of scenarios.

import JSON5
import MullionControl
import MullionSystem

/// Describes scenario files for editors and validators.
///
/// Steps are the server's, which describes them itself in openapi.json: they are taken from there, with what only
/// `mullionctl` reads and does added (`ScenarioSchema+Own`). So each has one description, and an installed schema, which is
/// what this command prints, is that of the installed server.
struct ScenarioSchema {
    /// The schemas that scenarios consist of, by name.
    private var definitions: [String: JSON] = [:]

    /// Prints the schema of a server's scenarios: of a private server, unless another one was chosen.
    static func print(_ call: Invocation, isHere: Bool) throws(CommandError) {
        guard isHere || call.namesServer else {
            var plan = RunPlan(command: [Process.ownPath, "scenario", "--schema", "--here"])
            plan.isProfiled = false
            try plan.run()
        }
        let description = try call.client.send(.getOpenapiJson())
        Terminal.out(try ScenarioSchema(description["components"]["schemas"]).text + "\n")
    }

    /// - Parameter schemas: those of openapi.json.
    private init(_ schemas: JSON) throws(CommandError) {
        var left = ["Scenario"]
        while let name = left.popLast() {
            guard definitions[name] == nil else { continue }
            definitions[name] = try Self.completed(name, schemas[name])
            left += Self.references(in: definitions[name] ?? .null)
        }
        for (name, schema) in definitions where name != "Scenario" { definitions[name] = Self.withVariables(schema) }
        // Names and variables are what they are.
        guard let scenario = definitions["Scenario"] else { return }
        let properties = scenario["properties"]
        let steps = Self.withVariables(properties["steps"])
        definitions["Scenario"] = scenario.with("properties", properties.with("steps", steps))
    }

    private var text: String {
        var definitions = definitions
        let scenario = definitions.removeValue(forKey: "Scenario") ?? .null
        definitions["Variable"] = Self.variable
        return Self.local(
            scenario.with("$schema", .string("https://json-schema.org/draft/2020-12/schema"))
                .with("title", .string("Mullion scenario")).with("$defs", .object(definitions))
        ).indented
    }

    // MARK: Own parts

    /// A server's schema with the members that mullionctl adds, and without those that it takes from files.
    private static func completed(_ name: String, _ schema: JSON) throws(CommandError) -> JSON {
        let own = try own[name]
        guard own != .null else { return schema }
        guard case .object(let added) = own["properties"], case .object(let known) = schema["properties"] else {
            return own
        }
        let removed = own["without"].elements.compactMap(\.string)
        let properties = known.merging(added) { $1 }.filter { !removed.contains($0.key) }
        let required = (schema["required"].elements + own["required"].elements).filter {
            !removed.contains($0.string ?? "")
        }
        return schema.with("properties", .object(properties)).with("required", .array(required))
    }

    private static var own: JSON {
        get throws(CommandError) {
            do throws(JSON5Mistake) {
                return try JSON5Document(Array(ownText.utf8)).decode(JSON.self)
            } catch {
                throw .refused("the schema has a mistake in line \(error.line): \(error.text)")
            }
        }
    }

    // MARK: Variables

    /// A string in which variables are replaced; one that is only a variable becomes its value, of any type.
    private static var variable: JSON {
        .object([
            "type": .string("string"), "pattern": .string("\\$\\{"),
            "description": .string("${NAME}: a variable's value"),
        ])
    }

    /// A schema whose members and elements may also be variables.
    private static func withVariables(_ schema: JSON) -> JSON {
        var schema = schema
        if case .object(let properties) = schema["properties"] {
            schema = schema.with("properties", .object(properties.mapValues(orVariable)))
        }
        for key in ["items", "additionalProperties"] {
            if case .object = schema[key] { schema = schema.with(key, orVariable(schema[key])) }
        }
        if case .array(let alternatives) = schema["anyOf"] {
            schema = schema.with("anyOf", .array(alternatives.map(withVariables)))
        }
        return schema
    }

    private static func orVariable(_ schema: JSON) -> JSON {
        let schema = withVariables(schema)
        guard !isAnyText(schema) else { return schema }
        let reference = JSON.object(["$ref": .string("#/components/schemas/Variable")])
        if case .array(let alternatives) = schema["anyOf"] {
            guard !alternatives.contains(where: isAnyText) else { return schema }
            return schema.with("anyOf", .array(alternatives + [reference]))
        }
        let result = JSON.object(["anyOf": .array([schema.without("description"), reference])])
        return schema["description"] == .null ? result : result.with("description", schema["description"])
    }

    /// Whether it accepts each string anyway.
    private static func isAnyText(_ schema: JSON) -> Bool {
        let isRestricted = ["enum", "const", "pattern", "$ref", "allOf", "anyOf"].contains { schema[$0] != .null }
        let types = schema["type"].elements + [schema["type"]]
        return !isRestricted && types.contains { $0 == .null || $0 == .string("string") }
    }

    // MARK: References

    private static let place = "#/components/schemas/"

    private static func references(in schema: JSON) -> [String] {
        switch schema {
        case .object(let members):
            members.flatMap { key, value in
                guard key == "$ref", let text = value.string else { return references(in: value) }
                return [String(text.dropFirst(place.count))]
            }
        case .array(let values): values.flatMap(references)
        default: []
        }
    }

    /// A schema with references within one file. They may have a description beside them, which OpenAPI's readers ignore.
    private static func local(_ schema: JSON) -> JSON {
        switch schema {
        case .object(var members):
            if case .array(let all)? = members["allOf"], all.count == 1, case .object(let only) = all[0] {
                members["allOf"] = nil
                members.merge(only) { $1 }
            }
            if let text = members["$ref"]?.string {
                members["$ref"] = .string(text.replacingAll(place, with: "#/$defs/"))
            }
            return .object(members.mapValues(local))
        case .array(let values): return .array(values.map(local))
        default: return schema
        }
    }
}
