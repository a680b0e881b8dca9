// What is wrong with a state, and where.

extension DecodingError {
    /// What is wrong, after the path to the value: "clients[3].queued: a length goes beyond the end".
    package var explanation: String {
        switch self {
        case .keyNotFound(let key, let context):
            Self.explanation("the key \"\(key.stringValue)\" is missing", context)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            Self.explanation(context.debugDescription, context)
        @unknown default: "\(self)"
        }
    }

    private static func explanation(_ what: String, _ context: Context) -> String {
        var path = ""
        for key in context.codingPath {
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? key.stringValue : ".\(key.stringValue)")
        }
        return path.isEmpty ? what : "\(path): \(what)"
    }
}
