// Protocol names (snake_case) as Swift names.

private let keywords: Set<String> = [
    "class", "default", "repeat", "protocol", "switch", "case", "in", "is", "as", "self", "init", "for", "return",
    "import", "operator", "where", "while", "do", "true", "false", "nil", "static", "struct", "enum", "func",
    "internal", "public", "private", "extension", "subscript", "super", "throw", "throws", "try", "var", "let",
    "continue", "break", "fallthrough", "guard", "if", "else", "defer", "rethrows", "associatedtype", "inout",
    "deinit", "typealias", "fileprivate", "any", "some",
]

extension String {
    /// set_buffer_scale → SetBufferScale
    var typeName: String {
        let joined = split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return joined == "Type" || joined == "Protocol" ? joined + "Value" : joined
    }

    /// set_buffer_scale → setBufferScale, without escaping.
    var plainName: String {
        let joined = split(separator: "_").enumerated()
            .map { $0.offset == 0 ? String($0.element) : $0.element.prefix(1).uppercased() + $0.element.dropFirst() }
            .joined()
        return joined.first?.isNumber == true ? "_" + joined : joined
    }

    /// A member's name, escaped if it is a Swift keyword.
    var memberName: String { keywords.contains(plainName) ? "`\(plainName)`" : plainName }

    /// The text as a `///` comment; empty if there is none.
    func comment(indent: String) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix { $0 == " " || $0 == "\t" } }
        let body = lines.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
        return body.map { $0.isEmpty ? "\(indent)///\n" : "\(indent)/// \($0)\n" }.joined()
    }
}
