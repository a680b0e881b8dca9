// Mutates valid streams of requests.

/// Seeded changes of sessions: small ones, so that the requests before them still work.
public struct WireMutator {
    public var random: SeededRandom
    private let corpus: [WireSession]

    public init(corpus: [WireSession], random: SeededRandom) {
        self.corpus = corpus
        self.random = random
    }

    /// Numbers at which code goes wrong: bounds of types, small ids, ids of the server.
    private static let interesting: [UInt32] = [
        0, 1, 2, 3, 7, 8, 16, 255, 256, 4096, 0x7fff, 0xffff, 0x1_0000, 0x00ff_ffff, 0x0100_0000, 0x3fff_ffff,
        0x4000_0000, 0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xff00_0000, 0xff00_0001, 0xffff_fff8,
        0xffff_fffe, 0xffff_ffff,
    ]

    public mutating func next() -> WireSession {
        guard var session = corpus.randomElement(using: &random) else { return WireSession(portions: []) }
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&session) }
        return session
    }

    private mutating func mutate(_ session: inout WireSession) {
        guard let index = session.portions.indices.randomElement(using: &random) else { return }
        var portion = session.portions[index]
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            guard let word = portion.words.indices.randomElement(using: &random) else { return }
            portion.words[word] ^= 1 << UInt32.random(in: 0..<32, using: &random)
        case 1, 2, 3, 4: changeArgument(&portion)
        case 5:
            // Any request on any object, with unchanged arguments.
            guard let start = messages(portion.words).randomElement(using: &random)?.lowerBound else { return }
            portion.words[start] = UInt32.random(in: 1...40, using: &random)
        case 6:
            guard let start = messages(portion.words).randomElement(using: &random)?.lowerBound else { return }
            portion.words[start + 1] =
                portion.words[start + 1] & 0xffff_0000 | UInt32.random(in: 0...14, using: &random)
        case 7:
            guard let message = messages(portion.words).randomElement(using: &random) else { return }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                portion.words.insert(contentsOf: portion.words[message], at: message.upperBound)
            }
        case 8:
            guard let message = messages(portion.words).randomElement(using: &random) else { return }
            portion.words.removeSubrange(message)
        case 9:
            let all = messages(portion.words)
            guard let a = all.randomElement(using: &random), let b = all.randomElement(using: &random),
                a.upperBound <= b.lowerBound
            else { return }
            // Swaps two requests.
            let moved = Array(portion.words[b]) + portion.words[a.upperBound..<b.lowerBound] + Array(portion.words[a])
            portion.words.replaceSubrange(a.lowerBound..<b.upperBound, with: moved)
        case 10: splice(&session, index)
        default:
            if Bool.random(using: &random) {
                portion.descriptors = Int.random(in: 0...3, using: &random)
            } else {
                portion.words.removeLast(Int.random(in: 0...portion.words.count, using: &random))
            }
        }
        if session.portions.indices.contains(index), portion != session.portions[index],
            session.portions[index].words.count < 8192
        {
            session.portions[index] = portion
        }
    }

    /// Replaces an argument of a request by another number.
    private mutating func changeArgument(_ portion: inout WireSession.Portion) {
        guard let message = messages(portion.words).randomElement(using: &random), message.count > 2,
            let word = (message.lowerBound + 2..<message.upperBound).randomElement(using: &random)
        else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: portion.words[word] = UInt32.random(in: 0...40, using: &random)
        case 1: portion.words[word] &+= UInt32(truncatingIfNeeded: Int.random(in: -9...9, using: &random))
        default: portion.words[word] = Self.interesting.randomElement(using: &random) ?? 0
        }
    }

    private mutating func splice(_ session: inout WireSession, _ index: Int) {
        guard let other = corpus.randomElement(using: &random),
            let from = other.portions.indices.randomElement(using: &random)
        else { return }
        if Bool.random(using: &random) {
            session.portions = Array(session.portions[...index] + other.portions[from...])
        } else {
            session.portions.insert(other.portions[from], at: index)
        }
    }

    /// The ranges of the messages in a run of words, up to the first invalid one.
    private func messages(_ words: [UInt32]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        while start + 2 <= words.count {
            let count = Int(words[start + 1] >> 18)
            guard count >= 2, start + count <= words.count else { break }
            result.append(start..<start + count)
            start += count
        }
        return result
    }
}
