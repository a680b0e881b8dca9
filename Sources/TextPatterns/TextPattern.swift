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

    /// How far a text that does not match is from matching: more than 0, at most 1. Any other text is as far from a
    /// regular expression.
    public func distance(ofMiss other: String) -> Double { distance(ofMiss: other, EditDistance.share) }

    /// A lower bound of `distance(ofMiss:)` that costs less.
    public func leastDistance(ofMiss other: String) -> Double { distance(ofMiss: other, EditDistance.leastShare) }

    private func distance(ofMiss other: String, _ share: (String, String) -> Double) -> Double {
        guard regex == nil else { return 1 }
        let (wanted, seen) = (Self.folded(text), Self.folded(other))
        if wanted == seen { return 0.05 }
        if Self.contains(seen, wanted) || Self.contains(wanted, seen) { return 0.3 }
        return max(0.05, share(wanted, seen))
    }

    /// The beginning in lower case.
    private static func folded(_ text: String) -> String { String(text.unicodeScalars.prefix(256)).lowercased() }

    /// Whether one of the texts is a part of the other, and not empty.
    private static func contains(_ text: String, _ part: String) -> Bool {
        let (all, wanted) = (Array(text.utf8), Array(part.utf8))
        guard !wanted.isEmpty, wanted.count <= all.count else { return false }
        return (0...(all.count - wanted.count)).contains { all[$0...].starts(with: wanted) }
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
