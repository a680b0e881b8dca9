// Parses the description of the control API.

import Foundation
import RuleCatalog

/// Reads files of declarations. A declaration begins at the start of a line; its parts are indented lines. A line that ends
/// with a backslash goes on in the next one; lines that begin with `#` are comments.
///
/// | Declaration | |
/// |---|---|
/// | `limit NAME NUMBER` | a number, for ranges and texts as `{NAME}` |
/// | `text NAME TEXT` | words for texts, as `{NAME}` |
/// | `type NAME = TYPE [as SWIFT]` | another name for a type |
/// | `words NAME A\|B`, `enum NAME A\|B` | possible words, to which a later version may add, or may not |
/// | `code NAME STATUS MEANING` | a kind of refusal |
/// | `fields NAME` | fields that only others include |
/// | `answer NAME`, `body NAME`, `choice NAME`, `event NAME…`, `effect NAME…`, `notice NAME`, `report NAME` | objects and their fields |
/// | `condition NAME` | what can be waited for |
/// | `schema NAME = TYPE` | a type that is no object |
/// | `shared NAME TYPE MEANING`, `placeholder NAME TYPE EXAMPLE MEANING` | items of queries, parts of paths |
/// | `METHOD PATH` | an operation |
///
/// A field is `NAME TYPE[:SWIFT][?] MEANING`, or `include [optional] NAME` for the fields of
/// another declaration. Types are described at `type(_:)`. In texts,
/// `{S4}` cites a rule of the window model.
struct ContractParser {
    var contract = Contract()
    var texts: [String: String] = [:]
    /// What is read, for messages.
    var place = ""
    /// What objects can include, by name.
    private var blocks: [String: Declaration] = [:]

    /// - Parameter rules: the rules that descriptions can cite.
    init(rules: [Rule]) {
        for rule in rules { texts[rule.number] = "\(rule.number) (\(rule.name))" }
    }

    /// A line of a declaration, with the lines that go on in it.
    struct Part {
        var place: String
        var text: String
    }

    /// A declaration: its first line, and its parts.
    private struct Declaration {
        var place: String
        var head: String
        var parts: [Part] = []

        var keyword: String { head.firstWord.first }
    }

    /// Parses all files. Objects and operations may use what comes later or in other files; a `type` may use the limits, and
    /// the types before it.
    static func parse(_ paths: [String], rules: [Rule]) throws -> Contract {
        var parser = ContractParser(rules: rules)
        let all = try paths.flatMap { try declarations(in: $0) }
        for declaration in all where ["fields", "answer", "body"].contains(declaration.keyword) {
            parser.blocks[declaration.head.firstWord.rest] = declaration
        }
        // Each pass needs what the earlier ones have read.
        let passes: [Set<String>] = [
            ["limit"], ["text", "code"], ["type"], ["words", "enum"], ["condition"],
            ["shared", "placeholder"],
        ]
        for pass in passes { try parser.read(all.filter { pass.contains($0.keyword) }) }
        let known = passes.reduce(Set()) { $0.union($1) }
        try parser.read(all.filter { !known.contains($0.keyword) })
        try parser.contract.checkReferences()
        return parser.contract
    }

    private static func declarations(in path: String) throws -> [Declaration] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ScannerError("\(path): cannot be read")
        }
        var declarations: [Declaration] = []
        var begun: Part?
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let here = "\(path):\(index + 1)"
            guard !line.unicodeScalars.contains(where: { $0.value < 32 }) else {
                throw ScannerError("\(here): only spaces separate words")
            }
            var part = begun ?? Part(place: here, text: "")
            part.text += begun == nil ? String(line) : " " + line.trimmingCharacters(in: .whitespaces)
            begun = nil
            if part.text.hasSuffix("\\") {
                part.text = part.text.dropLast().trimmingSuffix
                begun = part
            } else if part.text.hasPrefix("  ") {
                guard !declarations.isEmpty else { throw ScannerError("\(here): this line belongs to no declaration") }
                part.text = part.text.trimmingCharacters(in: .whitespaces)
                declarations[declarations.count - 1].parts.append(part)
            } else if !part.text.isEmpty, !part.text.hasPrefix("#") {
                declarations.append(Declaration(place: part.place, head: part.text))
            }
        }
        if let begun { throw ScannerError("\(begun.place): the line goes on, but the file ends") }
        return declarations
    }

    private mutating func read(_ declarations: [Declaration]) throws {
        for declaration in declarations {
            place = declaration.place
            try read(declaration)
        }
    }

    private mutating func read(_ declaration: Declaration) throws {
        let (keyword, rest) = declaration.head.firstWord
        let (name, meaning) = rest.firstWord
        switch keyword {
        case "about":
            (contract.title, contract.about) = (rest, try text(declaration.parts.map(\.text).joined(separator: " ")))
        case "limit":
            guard let value = Double(meaning) else { throw error("\(meaning) is not a number") }
            contract.limits.append((name, value))
            texts[name] = value == value.rounded() ? String(Int(value)) : String(value)
        case "text": texts[name] = meaning
        case "code":
            let (status, why) = meaning.firstWord
            guard let status = Int(status) else { throw error("expected the status of \(name)") }
            contract.codes.append(Contract.Code(name: name, status: status, meaning: why))
        case "type":
            let (expression, swift) = meaning.dropFirst(2).split("as")
            contract.aliases[name] = Contract.Alias(type: try type(expression), swift: swift)
        case "words", "enum":
            let all = meaning.filter { $0 != " " }.split(separator: "|").map(String.init)
            contract.words.append(Contract.Words(name: name, all: all, isClosed: keyword == "enum"))
        case "condition":
            contract.conditions.append(Contract.Condition(name: name, fields: []))
            contract.conditions[contract.conditions.count - 1].fields = try fields(declaration.parts)
        case "fields": break
        case "answer", "body", "choice", "event", "effect", "notice", "report":
            for name in rest.split(separator: " ") {
                let kind = try kind(keyword)
                contract.objects.append(
                    Contract.Object(
                        kind: kind, name: String(name), fields: try fields(declaration.parts),
                        base: base(declaration.parts)))
            }
        case "schema": contract.schemas.append((name, try type(String(meaning.dropFirst(2)))))
        case "shared": contract.shared.append(try item(rest))
        case "placeholder":
            let (kind, other) = meaning.firstWord
            let (example, why) = other.firstWord
            contract.placeholders.append(
                Contract.Placeholder(name: name, type: try type(kind), example: example, meaning: why))
        case "GET", "POST", "PUT", "PATCH", "DELETE":
            contract.operations.append(try operation(keyword, rest, declaration.parts))
        default: throw error("\"\(keyword)\" begins no declaration")
        }
    }

    private func kind(_ keyword: String) throws -> Contract.Object.Kind {
        switch keyword {
        case "answer": .answer
        case "body": .body
        case "choice": .choice
        case "event": .event
        case "effect": .effect
        case "notice": .notice
        case "report": .report
        default: throw error("\"\(keyword)\" is no object")
        }
    }

    /// A later field of the same name replaces an earlier one.
    private mutating func fields(_ parts: [Part]) throws -> [Contract.Field] {
        var fields: [Contract.Field] = []
        for part in parts {
            place = part.place
            for field in try read(part: part.text) {
                fields.removeAll { $0.name == field.name }
                fields.append(field)
            }
        }
        return fields
    }

    private func base(_ parts: [Part]) -> String? {
        let names = parts.map(\.text).filter { $0.hasPrefix("include ") }.map(\.firstWord.rest)
        return names.first { blocks[$0]?.keyword == "answer" }
    }

    /// The fields of a block or an object.
    func fields(of name: String) throws -> [Contract.Field] {
        guard let block = blocks[name] else { throw error("there are no fields \"\(name)\"") }
        var parser = self
        return try parser.fields(block.parts)
    }

    private func read(part: String) throws -> [Contract.Field] {
        let (word, rest) = part.firstWord
        switch word {
        case "include":
            let (second, third) = rest.firstWord
            return try fields(of: second == "optional" ? third : second).map { field in
                var field = field
                if second == "optional" { field.isOptional = true }
                return field
            }
        case "conditions":
            return try contract.conditions.map { condition in
                Contract.Field(
                    name: condition.name, type: condition.abbreviated, isOptional: true, meaning: try text(rest))
            }
        default: return [try field(part)]
        }
    }

    private func field(_ line: String) throws -> Contract.Field {
        let (name, rest) = line.firstWord
        var (expression, meaning) = rest.firstWord
        let isOptional = expression.hasSuffix("?")
        if isOptional { expression.removeLast() }
        var swift: String?
        if let colon = expression.lastIndex(of: ":") {
            swift = String(expression[expression.index(after: colon)...])
            expression = String(expression[..<colon])
        }
        guard !expression.isEmpty else { throw error("the field \(name) has no type") }
        return Contract.Field(
            name: name, type: try type(expression), swift: swift, isOptional: isOptional, meaning: try text(meaning))
    }

    func item(_ line: String) throws -> Contract.Item {
        let (name, rest) = line.firstWord
        let (expression, meaning) = rest.firstWord
        let isRepeatable = name.hasSuffix("*")
        return Contract.Item(
            name: isRepeatable ? String(name.dropLast()) : name, type: try type(expression), meaning: try text(meaning),
            isRepeatable: isRepeatable)
    }

    /// With what stands in braces replaced.
    func text(_ text: String) throws -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: start)..<end])
            guard let value = name == "codes" ? contract.meaningsOfCodes : texts[name] else {
                throw error("{\(name)} stands for nothing")
            }
            result += rest[..<start] + value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    func error(_ text: String) -> ScannerError { ScannerError("\(place): \(text)") }
}

extension Contract {
    /// "malformed: it is not JSON; noRoute: see routes; …"; those with the same meaning together.
    fileprivate var meaningsOfCodes: String {
        var groups: [(names: [String], meaning: String)] = []
        for code in codes {
            if let last = groups.last, last.meaning == code.meaning {
                groups[groups.count - 1].names.append(code.name)
            } else {
                groups.append(([code.name], code.meaning))
            }
        }
        return groups.map { names, meaning in
            let all = (names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "")) + (names.last ?? "")
            return meaning.isEmpty ? all : "\(all): \(meaning)"
        }.joined(separator: "; ")
    }
}

extension String {
    /// The first word, and what follows.
    var firstWord: (first: String, rest: String) {
        let words = split(separator: " ", maxSplits: 1)
        return (words.first.map(String.init) ?? "", words.count > 1 ? String(words[1]) : "")
    }
}

extension Substring {
    fileprivate var trimmingSuffix: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return String(text)
    }

    /// What is before and after a word, if it has it.
    fileprivate func split(_ word: String) -> (String, String?) {
        let parts = components(separatedBy: " \(word) ")
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }
}
