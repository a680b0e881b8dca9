// How much two texts differ.

/// How many characters have to be changed to get from one text to another.
public enum EditDistance {
    /// Only the first Unicode scalars are compared by `share`.
    private static let most = 64

    /// Insertions, deletions, substitutions, and transpositions of neighbours.
    public static func count(_ a: [Character], _ b: [Character]) -> Int { steps(a, b) }

    /// As a share of the longer text, 0 to 1; 1 when one of them is empty.
    public static func share(_ first: String, _ second: String) -> Double {
        let (a, b) = (start(of: first), start(of: second))
        guard !a.isEmpty, !b.isEmpty else { return 1 }
        return Double(steps(a, b)) / Double(max(a.count, b.count))
    }

    /// A lower bound of `share` that costs less: how many scalars occur in only one of the texts.
    public static func leastShare(_ first: String, _ second: String) -> Double {
        let (a, b) = (start(of: first).sorted(), start(of: second).sorted())
        guard !a.isEmpty, !b.isEmpty else { return 1 }
        var (i, j, common) = (0, 0, 0)
        while i < a.count, j < b.count {
            if a[i] == b[j] { common += 1 }
            (i, j) = (a[i] <= b[j] ? i + 1 : i, b[j] <= a[i] ? j + 1 : j)
        }
        let longer = max(a.count, b.count)
        return Double(longer - common) / Double(longer)
    }

    private static func start(of text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars.prefix(most)) }

    private static func steps<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
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
}
