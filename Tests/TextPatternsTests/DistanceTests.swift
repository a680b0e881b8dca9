// How far texts are from each other, and from patterns.

import TestSupport
import Testing
import TextPatterns

@Suite struct DistanceTests {
    @Test(
        "insertions, deletions, substitutions and swaps of neighbours are counted",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("", "abc", 3), ("abc", "ac", 1), ("abc", "abd", 1), ("abc", "acb", 1),
            ("editor", "editro", 1), ("kitten", "sitting", 3), ("é", "e", 1), ("日本", "日", 1),
        ])
    func count(a: String, b: String, count: Int) {
        #expect(EditDistance.count(Array(a), Array(b)) == count && EditDistance.count(Array(b), Array(a)) == count)
    }

    @Test("the cheap bound is never more than the distance, which is a share of the longer text")
    func bound() {
        #expect(EditDistance.share("abcd", "abce") == 0.25 && EditDistance.share("", "a") == 1)
        #expect(EditDistance.leastShare("abcd", "dcba") == 0 && EditDistance.leastShare("ab", "cd") == 1)
        var random = SeededRandom()
        for _ in 0..<500 {
            let (a, b) = (text(&random), text(&random))
            let (least, share) = (EditDistance.leastShare(a, b), EditDistance.share(a, b))
            #expect(least <= share && share <= 1, "\(a) \(b), seed \(random.seed)")
        }
        // Only their beginnings are compared.
        let long = String(repeating: "a", count: 64)
        #expect(EditDistance.share(long + "b", long + "c") == 0)
    }

    private func text(_ random: inout SeededRandom) -> String {
        String((0..<Int.random(in: 0...80, using: &random)).map { _ in "abcdé".randomElement(using: &random) ?? "a" })
    }

    @Test("the nearest miss of a pattern is another case, then a part, then a similar text")
    func misses() throws {
        let pattern = try TextPattern("Save as")
        let misses = ["save AS", "Save as…", "Sava as", "Open file"]
        let distances = misses.map { pattern.distance(ofMiss: $0) }
        #expect(distances[0] == 0.05 && distances[1] == 0.3 && distances == distances.map { min($0, 1) })
        #expect(distances[2] < distances[3] && distances[0] < distances[2], "\(distances)")
        for miss in misses { #expect(pattern.leastDistance(ofMiss: miss) <= pattern.distance(ofMiss: miss)) }
        let regex = try TextPattern("/^Save as$/")
        #expect(misses.allSatisfy { regex.distance(ofMiss: $0) == 1 && regex.leastDistance(ofMiss: $0) == 1 })
    }

    @Test("long texts cost no more than their beginnings")
    func long() throws {
        let pattern = try TextPattern(String(repeating: "ab", count: 100_000))
        let other = String(repeating: "a", count: 200_000) + "c"
        #expect(pattern.distance(ofMiss: other) == 0.5 && pattern.leastDistance(ofMiss: other) == 0.5)
    }
}
