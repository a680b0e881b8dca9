// What a name or title has to be like.

import DisplayServer

/// An exact text, or a regular expression between slashes: `/Save.*/`, or `/save/i` for either case.
struct TextPattern: CustomStringConvertible {
    let text: String
    private let regex: LinearRegex?

    /// - Throws: 400 for a regular expression that is not valid, or too large.
    init(_ text: String) throws(Problem) {
        self.text = text
        let end = text.hasSuffix("/i") ? 2 : 1
        guard text.hasPrefix("/"), text.hasSuffix("/") || end == 2, text.count > end else {
            regex = nil
            return
        }
        do {
            regex = try LinearRegex(String(text.dropFirst().dropLast(end)), ignoresCase: end == 2)
        } catch {
            throw Problem(400, "\"\(text.shortened)\" is not a pattern: \(error.reason)")
        }
    }

    func matches(_ other: String) -> Bool { regex.map { $0.matches(other) } ?? (text == other) }

    /// How far a text is from matching: 0 if it does, at most 1.
    func distance(to other: String) -> Double {
        if matches(other) { return 0 }
        guard regex == nil else { return 1 }
        let (wanted, seen) = (text.prefix(256).lowercased(), other.prefix(256).lowercased())
        if wanted == seen { return 0.05 }
        if !wanted.isEmpty, !seen.isEmpty, seen.contains(wanted) || wanted.contains(seen) { return 0.3 }
        return EditDistance.share(wanted, seen)
    }

    var description: String { text.quotedIfNeeded }
}

/// How many characters have to be changed to get from one text to another.
enum EditDistance {
    /// Only the first characters are compared.
    private static let most = 64

    /// As a share of the longer text, 0 to 1.
    static func share(_ first: String, _ second: String) -> Double {
        let (a, b) = (Array(first.prefix(most)), Array(second.prefix(most)))
        guard !a.isEmpty, !b.isEmpty else { return 1 }
        var row = Array(0...b.count)
        for i in a.indices {
            var corner = row[0]
            row[0] = i + 1
            for j in b.indices {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, corner + (a[i] == b[j] ? 0 : 1))
                corner = above
            }
        }
        return Double(row[b.count]) / Double(max(a.count, b.count))
    }
}

extension String {
    /// In quotation marks if it is empty or contains a space.
    var quotedIfNeeded: String { isEmpty || contains(where: \.isWhitespace) ? "\"\(self)\"" : self }
}
