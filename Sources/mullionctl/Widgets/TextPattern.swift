// Texts that names are compared with.

/// An exact text, or a regular expression between slashes.
struct TextPattern {
    private enum Kind {
        case exact(String)
        case expression(Regex<AnyRegexOutput>)
    }

    private let kind: Kind
    /// As it was given.
    let text: String

    /// - Parameter text: the text, or /EXPRESSION/, or /EXPRESSION/i, which ignores case.
    init(_ text: String) throws(CommandError) {
        self.text = text
        let ignoresCase = text.hasSuffix("/i")
        guard text.hasPrefix("/"), text.count > (ignoresCase ? 3 : 2), ignoresCase || text.hasSuffix("/") else {
            kind = .exact(text)
            return
        }
        do {
            let expression = try Regex(String(text.dropFirst().dropLast(ignoresCase ? 2 : 1)))
            kind = .expression(ignoresCase ? expression.ignoresCase() : expression)
        } catch {
            throw .usage("\(text) is not a regular expression: \(error)")
        }
    }

    /// Whether a text is the same, or contains a match of the expression.
    func matches(_ other: String) -> Bool {
        switch kind {
        case .exact(let text): text == other
        case .expression(let expression): (try? expression.firstMatch(in: other)) != nil
        }
    }
}
