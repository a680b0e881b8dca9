// The schemas of what scenarios wait for.

extension OpenAPI {
    /// The step `wait` with conditions, and the fields of each condition.
    static let conditions: [String: String] = {
        var tables = [
            "ScenarioWait": "timeout milliseconds,number(0...\(Condition.longest / 1000))? a duration, or milliseconds"
        ]
        for kind in Condition.Kind.allCases {
            tables["ScenarioWait"]? += "\n\(kind.rawValue) \(kind.schema)? one, or several in a list"
            tables[kind.schemaName] = kind.words.map { word in
                "\(word) \(Condition.Kind.type(of: word))" + (kind.required.contains(word) ? "" : "?")
            }.joined(separator: "\n")
        }
        return tables
    }()
}

extension Condition.Kind {
    fileprivate var schemaName: String { "Wait" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Its fields; or the value of the first one; or true, where none is required.
    fileprivate var schema: String {
        let first = words.first.map { Self.type(of: $0) } ?? "boolean"
        let isFirstEnough = required.allSatisfy { $0 == words.first }
        let all = [schemaName, "[\(schemaName)]", isFirstEnough ? first : "", required.isEmpty ? "boolean" : ""]
        var known: [String] = []
        for type in all.flatMap({ $0.split(separator: ",").map(String.init) }) where !known.contains(type) {
            known.append(type)
        }
        return known.joined(separator: ",")
    }

    fileprivate var required: [String] {
        switch self {
        case .application: ["application"]
        case .screen: ["screen"]
        case .pixel: ["x", "y", "color"]
        case .window, .gone, .client, .idle, .still: []
        }
    }

    fileprivate static func type(of word: String) -> String {
        switch word {
        case "visible", "key", "connected", "main": "boolean"
        case "count", "x", "y": "integer(0...)"
        case "pid": "integer(1...\(Int32.max))"
        case "tolerance": "integer(0...255)"
        case "screen": "string,id"
        case "duration": "milliseconds,number(0...\(Condition.longest / 1000))"
        case "color": "pixelColor"
        default: "string"
        }
    }
}
