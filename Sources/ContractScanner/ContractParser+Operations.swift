// Parses operations: a method and a path, a summary, and lines that begin with one of the words below.

extension ContractParser {
    mutating func operation(_ method: String, _ path: String, _ parts: [Part]) throws -> Contract.Operation {
        var operation = Contract.Operation(method: method, path: path)
        var rights: [String]?
        let operationPlace = place
        for part in parts {
            place = part.place
            let (word, rest) = part.text.firstWord
            switch word {
            case "rights": rights = rest == "none" ? [] : rest.split(separator: " ").map(String.init)
            case "query": operation.query += try rest.split(separator: ",").map { try known(item: $0) }
            case "item": operation.query.append(try item(rest))
            case "takes": operation.body = try body(rest, isRequired: true)
            case "may" where rest.hasPrefix("take "):
                operation.body = try body(String(rest.dropFirst("take ".count)), isRequired: false)
            case "answers": operation.answers.append(try answer(rest))
            case "refuses":
                operation.refusals = try rest.split(separator: " ").map { word in
                    guard let status = Int(word) else { throw error("\(word) is not a status") }
                    return status
                }
            case "problem":
                let (status, meaning) = rest.firstWord
                guard let number = Int(status) else { throw error("\(status) is not a status") }
                operation.problems.append((number, try text(meaning)))
            default:
                guard operation.summary.isEmpty, rights == nil else { throw error("\"\(word)\" says nothing here") }
                operation.summary = try text(part.text)
            }
        }
        place = operationPlace
        guard let rights else { throw error("\(method) \(path) says nothing about rights; use none for none") }
        operation.rights = rights
        for name in operation.placeholders where !contract.placeholders.contains(where: { $0.name == name }) {
            throw error("the placeholder {\(name)} is not declared")
        }
        return operation
    }

    /// A shared item; `*` follows the name of one that may be repeated.
    private func known(item word: Substring) throws -> Contract.Item {
        let name = word.filter { $0 != " " && $0 != "*" }
        guard var item = contract.shared.first(where: { $0.name == name }) else {
            throw error("\"\(name)\" is not the name of a shared item")
        }
        item.isRepeatable = word.hasSuffix("*")
        return item
    }

    /// The name of an object and an example, or `image/png`.
    private func body(_ text: String, isRequired: Bool) throws -> Contract.Body {
        let (name, example) = text.firstWord
        return name == "image/png" ? .png : .json(try type(name), example: example, isRequired: isRequired)
    }

    /// `[STATUS] OBJECT`, `OBJECT or text`, `MEDIA/TYPE DESCRIPTION`, `events OBJECT DESCRIPTION`,
    /// `events|OBJECT DESCRIPTION`, or `STATUS DESCRIPTION` for an answer without a body.
    private func answer(_ line: String) throws -> Contract.Answer {
        let (first, rest) = line.firstWord
        if let status = Int(first) {
            let isObject = contract.isObject(rest)
            return Contract.Answer(
                status: status, content: isObject ? [("application/json", try type(rest))] : [],
                description: try text(rest))
        }
        if first == "events" {
            let (object, description) = rest.firstWord
            return Contract.Answer(
                status: 200, content: [("text/event-stream", try type(object))], description: try text(description))
        }
        if first.hasPrefix("events|") {
            let object = try type(String(first.dropFirst("events|".count)))
            return Contract.Answer(
                status: 200, content: [("application/json", object), ("text/event-stream", .plain("any"))],
                description: try text(rest))
        }
        if first.contains("/") {
            return Contract.Answer(
                status: 200, content: [(first, try content(of: first))], description: try text(rest))
        }
        var content = [("application/json", try type(first))]
        if rest == "or text" { content.append(("text/plain", .plain("string"))) }
        return Contract.Answer(status: 200, content: content, description: first)
    }

    private func content(of media: String) throws -> TypeExpression {
        switch media {
        case "image/png": .plain("binary")
        case "text/plain": .plain("string")
        default: .plain("any")
        }
    }
}

extension Contract {
    /// Whether it is the name of an object: a capitalised word.
    fileprivate func isObject(_ text: String) -> Bool {
        text.first?.isUppercase == true && text.allSatisfy { $0.isLetter }
    }
}
