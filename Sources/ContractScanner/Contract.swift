// The description of the control API, as its files state it.

import RuleCatalog

/// The parts of the description.
struct Contract {
    var title = ""
    var about = ""
    /// Numbers that descriptions and programs use by name.
    var limits: [(name: String, value: Double)] = []
    var aliases: [String: Alias] = [:]
    var words: [Words] = []
    var codes: [Code] = []
    var objects: [Object] = []
    /// Types under `components/schemas` that are no objects.
    var schemas: [(name: String, type: TypeExpression)] = []
    var conditions: [Condition] = []
    var operations: [Operation] = []
    /// Query items that mean the same in several operations.
    var shared: [Item] = []
    var placeholders: [Placeholder] = []

    /// A name for a type; it is replaced by the type wherever it occurs.
    struct Alias {
        var type: TypeExpression
        /// The Swift type, if the type does not say it.
        var swift: String?
    }

    /// A few possible words.
    struct Words {
        var name: String
        var all: [String]
        /// Whether programs that know the list can rely on it: no later version adds a word.
        var isClosed: Bool
    }

    /// The kind of a refusal.
    struct Code {
        var name: String
        var status: Int
        var meaning: String
    }

    struct Field {
        var name: String
        var type: TypeExpression
        /// The Swift type, if the type does not say it.
        var swift: String?
        var isOptional: Bool
        var meaning: String
    }

    struct Object {
        enum Kind {
            /// Sent by the server: clients ignore fields that they do not know.
            case answer
            /// Sent to the server, which refuses other fields.
            case body
            /// A body with exactly one of its fields.
            case choice
            /// An event with a time.
            case event
            /// An event with a time that has a type together with the others of its kind.
            case effect
            /// An event about the stream of events.
            case notice
            /// A file of clients, of which the server knows nothing.
            case report
        }

        var kind: Kind
        var name: String
        var fields: [Field]
        /// The object whose fields it includes.
        var base: String?
    }

    struct Condition {
        var name: String
        var fields: [Field]
    }

    struct Operation {
        var method: String
        var path: String
        var summary = ""
        var rights: [String] = []
        var query: [Item] = []
        var body: Body?
        var answers: [Answer] = []
        /// The statuses of refusals that are specific to this operation.
        var refusals: [Int] = []
        /// What refusals mean that are described by themselves, by their statuses.
        var problems: [(status: Int, meaning: String)] = []

        /// "GET /v1/screens/{screen}" becomes get-screens-screen.
        var identifier: String {
            let parts = path.split(separator: "/").dropFirst().map { $0.filter { $0 != "{" && $0 != "}" } }
            return ([method.lowercased()] + parts).joined(separator: "-")
        }

        var placeholders: [Substring] {
            path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        }
    }

    enum Body {
        case png
        case json(TypeExpression, example: String, isRequired: Bool)
    }

    struct Answer {
        var status: Int
        /// Media types and what they contain.
        var content: [(media: String, type: TypeExpression)] = []
        var description: String
    }

    struct Item {
        var name: String
        var type: TypeExpression
        var meaning: String
        var isRepeatable = false
    }

    struct Placeholder {
        var name: String
        var type: TypeExpression
        var example: String
        var meaning: String
    }
}

/// The type of a value.
indirect enum TypeExpression {
    /// `string`, `integer`, `number`, `boolean`, `null`, `base64`, or `any`.
    case plain(String)
    /// `integer` or `number` in a range.
    case number(String, least: Double?, most: Double?)
    case pattern(String)
    case words([String])
    case list(TypeExpression)
    /// An object with any keys.
    case map(TypeExpression)
    case any([TypeExpression])
    /// An object or another schema, by its name.
    case reference(String)
    /// A named list of words.
    case named(String, [String])
    case alias(String, Contract.Alias)
}

extension Contract {
    /// Throws when a type names an object that is not declared.
    func checkReferences() throws {
        var known = Set(objects.map(\.name) + schemas.map(\.name) + conditions.map(\.object))
        known.insert("Event")
        func check(_ type: TypeExpression, in name: String) throws {
            for reference in type.references where !known.contains(reference) {
                throw ScannerError("\(name): \(reference) is not declared")
            }
        }
        for object in objects {
            for field in object.fields { try check(field.type, in: "\(object.name).\(field.name)") }
        }
        for schema in schemas { try check(schema.type, in: schema.name) }
        for operation in operations {
            let name = "\(operation.method) \(operation.path)"
            if case .json(let type, _, _)? = operation.body { try check(type, in: name) }
            for answer in operation.answers { for content in answer.content { try check(content.type, in: name) } }
        }
    }
}
