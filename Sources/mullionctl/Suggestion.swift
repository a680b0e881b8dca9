// Suggestions for misspelled words.

/// Finds the nearest known word.
enum Suggestion {
    /// The word with the smallest edit distance, if it is small enough for a typing error.
    static func nearest(to word: String, among known: [String]) -> String? {
        let ranked = known.map { (name: $0, distance: distance(Array(word.lowercased()), Array($0.lowercased()))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= max(1, word.count / 3) { return best.name }
        return word.count >= 2 ? known.first { $0.hasPrefix(word) } : nil
    }

    /// The edit distance: insertions, deletions, substitutions, and transpositions of neighbours.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
