// Parses the types of fields.

import RuleCatalog

extension ContractParser {
    /// Types are `string`, `base64`, `integer`, `number`, `boolean`, `null`, `any`, aliases such as `id`, words and objects
    /// by their names (capitalised), `BLOCK.FIELD` for the type of another field, `[TYPE]` for lists, `{TYPE}` for objects
    /// with any keys, `A,B` for alternatives (not in a list or a map), words separated by `|`, `"WORD"`, `/PATTERN/` for strings, and numbers with a range, as
    /// in `number(0...1)` or `integer(0...)`.
    func type(_ text: String) throws -> TypeExpression {
        if text.hasPrefix("/"), text.hasSuffix("/") { return .pattern(String(text.dropFirst().dropLast())) }
        if text.contains(",") { return .any(try text.split(separator: ",").map { try type(String($0)) }) }
        if text.hasPrefix("["), text.hasSuffix("]") { return .list(try type(inner(text))) }
        if text.hasPrefix("{"), text.hasSuffix("}") { return .map(try type(inner(text))) }
        if text.hasPrefix("\""), text.hasSuffix("\"") { return .words([inner(text)]) }
        if let start = text.firstIndex(of: "("), text.hasSuffix(")") {
            return try range(String(text[..<start]), String(text[text.index(after: start)...].dropLast()))
        }
        if text.contains("|") { return .words(text.split(separator: "|").map(String.init)) }
        if let alias = contract.aliases[text] { return .alias(text, alias) }
        if text == "ConditionKind" { return .named(text, contract.conditions.map(\.name)) }
        if text == "Code" { return .named(text, contract.codes.map(\.name)) }
        if let words = contract.words.first(where: { $0.name == text }) { return .named(text, words.all) }
        if let dot = text.firstIndex(of: ".") {
            let name = text[text.index(after: dot)...]
            guard let field = try fields(of: String(text[..<dot])).first(where: { $0.name == name }) else {
                throw error("there is no field \(text)")
            }
            return field.type
        }
        if text.first?.isUppercase == true { return .reference(text) }
        let plain = ["string", "integer", "number", "boolean", "null", "any", "base64"]
        guard plain.contains(text) else { throw error("\(text) is not a type") }
        return .plain(text)
    }

    /// - Parameter range: as in `0...1`; either bound may be missing.
    private func range(_ kind: String, _ range: String) throws -> TypeExpression {
        let bounds = try self.text(range).split(separator: "...", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { throw error("\(range) is not a range") }
        let numbers = bounds.map { Double($0) }
        for (bound, number) in zip(bounds, numbers) where number == nil && !bound.isEmpty {
            throw error("\(bound) is not a number")
        }
        return .number(kind, least: numbers[0], most: numbers[1])
    }

    private func inner(_ text: String) -> String { String(text.dropFirst().dropLast()) }
}

extension Contract.Condition {
    /// The name of the object with its fields.
    var object: String { "Wait" + name.prefix(1).uppercased() + name.dropFirst() }

    /// Its fields, once or in a list; or the value of the first one; or true, where none is required.
    var abbreviated: TypeExpression {
        let required = fields.filter { !$0.isOptional }.map(\.name)
        var types: [TypeExpression] = [.reference(object), .list(.reference(object))]
        if let first = fields.first, required.allSatisfy({ $0 == first.name }) { types += first.type.alternatives }
        if required.isEmpty { types.append(.plain("boolean")) }
        return .any(types)
    }
}

extension TypeExpression {
    /// The alternatives of this type; the type itself if it has only one form.
    fileprivate var alternatives: [TypeExpression] {
        switch self {
        case .any(let all): all
        case .alias(_, let alias): alias.type.alternatives
        default: [self]
        }
    }
}
