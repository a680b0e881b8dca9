// How much two texts differ.

/// How many characters have to be changed to get from one text to another.
public enum EditDistance {
    /// Only the first characters are compared by `share`.
    private static let most = 64

    /// Insertions, deletions, substitutions, and transpositions of neighbours.
    public static func count(_ a: [Character], _ b: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }

    /// As a share of the longer text, 0 to 1; 1 when one of them is empty.
    public static func share(_ first: String, _ second: String) -> Double {
        let (a, b) = (Array(first.prefix(most)), Array(second.prefix(most)))
        guard !a.isEmpty, !b.isEmpty else { return 1 }
        return Double(count(a, b)) / Double(max(a.count, b.count))
    }
}
