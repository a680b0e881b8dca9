// What a name or title has to be like.

/// An exact text, or a regular expression between slashes: `/Save.*/`, or `/save/i` for either case.
public struct TextPattern: Sendable, CustomStringConvertible {
    /// As it was given.
    public let text: String
    private let regex: LinearRegex?

    /// - Throws: the reason, for a regular expression that is not valid, or too large.
    public init(_ text: String) throws(TextPatternError) {
        self.text = text
        let end = text.hasSuffix("/i") ? 2 : 1
        guard text.hasPrefix("/"), text.hasSuffix("/") || end == 2, text.count > end else {
            regex = nil
            return
        }
        regex = try LinearRegex(String(text.dropFirst().dropLast(end)), ignoresCase: end == 2)
    }

    /// Whether a text is the same, or a part of it matches the expression.
    public func matches(_ other: String) -> Bool { regex.map { $0.matches(other) } ?? (text == other) }

    /// How far a text is from matching: 0 if it does, at most 1.
    public func distance(to other: String) -> Double {
        if matches(other) { return 0 }
        guard regex == nil else { return 1 }
        let (wanted, seen) = (text.prefix(256).lowercased(), other.prefix(256).lowercased())
        if wanted == seen { return 0.05 }
        if !wanted.isEmpty, !seen.isEmpty, seen.contains(wanted) || wanted.contains(seen) { return 0.3 }
        return EditDistance.share(wanted, seen)
    }

    public var description: String { text.quotedIfNeeded }
}

extension String {
    /// In quotation marks if it is empty or contains a space.
    package var quotedIfNeeded: String { isEmpty || contains(where: \.isWhitespace) ? "\"\(self)\"" : self }
}

/// Why a text is not a pattern.
public struct TextPatternError: Error, Equatable {
    /// A part of a sentence: "a ( has no )".
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    static let tooLarge = TextPatternError("it is too large; use fewer or shorter repetitions and sets")
}
