// The step `wait` of a scenario: a time, or conditions.

import DisplayServer
import JSON5

/// Conditions that have to be fulfilled at once, and how long that may take.
struct WaitStep {
    var conditions: [Condition]
    /// Microseconds.
    var patience: UInt64
}

extension WaitStep: StrictlyDecodable {
    struct Keys: TableKey {
        static let names = Condition.Kind.allCases.map(\.rawValue) + ["timeout"]
        let stringValue: String
        init(_ name: String) { stringValue = name }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        conditions = []
        patience = Condition.defaultPatience
        for kind in Condition.Kind.allCases where container.contains(Keys(kind.rawValue)) {
            let key = Keys(kind.rawValue)
            let isList = (try? container.nestedUnkeyedContainer(forKey: key)) != nil
            let all =
                isList
                ? try container.decode([Fields].self, forKey: key) : [try container.decode(Fields.self, forKey: key)]
            for fields in all { conditions.append(try locating(key) { try Condition(kind, fields.words(of: kind)) }) }
        }
        let timeout = Keys("timeout")
        if let fields = try container.decodeIfPresent(Fields.self, forKey: timeout) {
            guard case .value(let text) = fields else {
                throw DecodingError.dataCorruptedError(
                    forKey: timeout, in: container, debugDescription: "it is not a duration; use 500us, 16ms or 1.5s")
            }
            patience = try locating(timeout) { try ConditionWords.duration(("timeout", text)) }
        }
        guard !conditions.isEmpty else {
            let names = Condition.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw JSON5.emptiness("there is no condition; use \(names)", decoder.codingPath)
        }
        let count = conditions.count
        try locating(nil) { try Condition.checkCount(count) }

        func locating<T>(_ key: Keys?, _ body: () throws -> T) throws -> T {
            do {
                return try body()
            } catch let problem as Problem {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath + (key.map { [$0] } ?? []), debugDescription: problem.detail))
            }
        }
    }

    /// The fields of a condition, or its only value: `{ title: "Save" }`, `"TV"`, `true`.
    private enum Fields: Decodable {
        case words([(name: String, value: String)])
        case value(String)

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            guard let container = try? decoder.container(keyedBy: Key.self) else {
                self = .value(try Scalar(from: decoder).text)
                return
            }
            self = .words(
                try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
                    (name: $0.stringValue, value: try container.decode(Scalar.self, forKey: $0).text)
                })
        }

        /// A single value is the first word of the condition; `true` stands for no words.
        func words(of kind: Condition.Kind) throws(Problem) -> [Condition.Word] {
            switch self {
            case .words(let words): return words
            case .value("true"): return []
            case .value(let value):
                guard let name = kind.words.first else {
                    throw Problem(.invalidField, "\"\(value.shortened)\" is not a value; use true")
                }
                return [(name, value)]
            }
        }
    }

    /// A string, boolean or number, as text.
    private struct Scalar: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                text = "\(value)"
            } else if let value = try? container.decode(Int.self) {
                text = "\(value)"
            } else if let value = try? container.decode(Double.self) {
                text = "\(value)"
            } else {
                text = try container.decode(String.self)
            }
        }
    }
}
