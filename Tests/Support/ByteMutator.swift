// Mutates valid inputs for readers of bytes.

/// Seeded changes of bytes: few and small, so that most of an input stays valid for its reader.
public struct ByteMutator {
    private let corpus: [[UInt8]]
    private let words: [[UInt8]]

    /// Longer inputs find nothing new and cost time.
    private static let maximumSize = 4096

    /// What is difficult in any text: numbers at the bounds of types, half of an escape, bytes that are not UTF-8.
    private static let common = [
        "0", "-1", "-0", "1e999", "1e-999", "0x", "2147483648", "4294967295", "4294967296", "9223372036854775807",
        "9223372036854775808", "-9223372036854775809", "1.5", "NaN", "-Infinity", "null", "true", "{", "}", "[", "]",
        ",", ":", "\"", "'", "\\", "\\u", "\\ud800", "/*", "//", "\n", "\r\n", "\0", "\u{feff}", "🙂", "%", "%00", "..",
    ]

    /// - Parameter words: words with a meaning for the reader.
    public init(corpus: [[UInt8]], words: [String] = []) {
        self.corpus = corpus
        self.words = (Self.common + words).map { Array($0.utf8) } + [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]]
    }

    public func next(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = corpus.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes, &random) }
        if bytes.count > Self.maximumSize { bytes.removeLast(bytes.count - Self.maximumSize) }
        return bytes
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        // The end of the changed range, which is usually short.
        let end = min(bytes.count, place + Int.random(in: 1...8, using: &random) * (place % 5 == 0 ? 16 : 1))
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 2: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &random) }
        case 3: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
        case 4, 5: replaceNumber(&bytes, from: place, &random)
        case 6: bytes.removeSubrange(place..<end)
        case 7: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 8:
            guard let other = corpus.randomElement(using: &random), !other.isEmpty else { return }
            let from = Int.random(in: 0..<other.count, using: &random)
            bytes.replaceSubrange(place..<end, with: other[from..<min(other.count, from + end - place + 8)])
        default: if place % 8 == 0 { bytes.removeLast(bytes.count - place) }
        }
    }

    /// Replaces the next number in a text by another one, or by a word.
    private func replaceNumber(_ bytes: inout [UInt8], from place: Int, _ random: inout SeededRandom) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: words.randomElement(using: &random) ?? [])
    }
}
