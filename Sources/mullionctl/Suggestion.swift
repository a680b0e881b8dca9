// Suggestions for misspelled words.

import TextPatterns

/// Finds the nearest known word.
enum Suggestion {
    /// The word with the smallest edit distance, if it is small enough for a typing error.
    static func nearest(to word: String, among known: [String]) -> String? {
        let letters = Array(word.lowercased())
        let ranked = known.map { (name: $0, distance: EditDistance.count(letters, Array($0.lowercased()))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= max(1, word.count / 3) { return best.name }
        return word.count >= 2 ? known.first { $0.hasPrefix(word) } : nil
    }
}
