// The description of one route, for authors of clients.

import DisplayServer
import EventLoop
import JSON5

/// What a route's code does not state: its purpose, its body and its answer.
struct Operation {
    /// As `Route.name`.
    var name: String
    var summary: String
    /// The name of the schema of its body; nil if it has none.
    var body: Body?
    var answers: [Answer]
    /// The query items that mean something else than in other routes.
    var query: [String: (type: String, meaning: String)] = [:]
    /// The statuses of refusals, in addition to those of every route.
    var refusals: [Int]
    /// The meaning of problems that are no refusals, by their statuses.
    var problems: [Int: String]

    enum Body {
        case json(String)
        /// The body may be omitted.
        case optional(String)
        case png
        case json5
    }

    enum Answer {
        case json(String, status: Int = 200)
        /// JSON, or plain text for clients that accept it.
        case jsonOrText(String)
        case content(String, String)
        /// A stream of server-sent events as described, or one JSON document.
        case eventsOrJSON(String, String)
        /// A stream of server-sent events, whose data is JSON.
        case events(String, String)
        case nothing(String, status: Int)
    }

    init(
        _ name: String, _ summary: String, body: Body? = nil, _ answers: Answer..., refusals: [Int] = [],
        query: [String: (type: String, meaning: String)] = [:], problems: [Int: String] = [:]
    ) {
        (self.query, self.problems) = (query, problems)
        (self.name, self.summary, self.body, self.answers, self.refusals) = (name, summary, body, answers, refusals)
    }

    /// All statuses that it can answer with, including those over TCP.
    /// - Parameter rights: the rights of its route.
    func statuses(rights: Rights) -> Set<Int> {
        var all = Set(answers.map(\.status) + refusals + problems.keys + [400, 403])
        if !rights.isEmpty { all.insert(401) }
        if body != nil { all.insert(413) }
        return all
    }
}

extension Operation.Answer {
    var status: Int {
        switch self {
        case .json(_, let status), .nothing(_, let status): status
        case .jsonOrText, .content, .events, .eventsOrJSON: 200
        }
    }

    var document: JSON {
        switch self {
        case .json(let name, _):
            Self.document(name, ["application/json": .object(["schema": Schema.type(name)])])
        case .jsonOrText(let name):
            Self.document(
                name,
                [
                    "application/json": .object(["schema": Schema.type(name)]),
                    "text/plain": .object(["schema": Schema.type("string")]),
                ])
        case .content(let type, let description):
            Self.document(description, [type: .object(["schema": Self.schema(of: type)])])
        case .events(let name, let description):
            Self.document(description, ["text/event-stream": .object(["schema": Schema.type(name)])])
        case .eventsOrJSON(let description, let name):
            Self.document(
                description,
                [
                    "application/json": .object(["schema": Schema.type(name)]),
                    "text/event-stream": .object(["schema": Schema.type("any")]),
                ])
        case .nothing(let description, _): Self.document(description, nil)
        }
    }

    private static func schema(of type: String) -> JSON {
        switch type {
        case "image/png": .object(["type": .string("string"), "format": .string("binary")])
        case "text/plain": Schema.type("string")
        default: Schema.type("any")
        }
    }

    private static func document(_ description: String, _ content: [String: JSON]?) -> JSON {
        var fields: [String: JSON] = ["description": .string(description)]
        if let content { fields["content"] = .object(content) }
        return .object(fields)
    }
}

extension Operation.Body {
    var document: JSON {
        let (type, name, isRequired) =
            switch self {
            case .json(let name): ("application/json", name, true)
            case .optional(let name): ("application/json", name, false)
            case .png: ("image/png", "", true)
            case .json5: ("application/json", "Scenario", true)
            }
        var content: [String: JSON] = [
            "schema": name.isEmpty
                ? .object(["type": .string("string"), "format": .string("binary")]) : Schema.type(name)
        ]
        content["example"] = OpenAPI.examples[name]
        return .object(["required": .bool(isRequired), "content": .object([type: .object(content)])])
    }
}
