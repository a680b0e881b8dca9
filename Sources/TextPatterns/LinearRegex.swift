// Regular expressions that are matched in linear time.

/// A regular expression without backtracking, so that no pattern takes long. All ways through it are followed
/// at once, so that a character costs at most `maximumCost` comparisons.
struct LinearRegex: Sendable {
    /// The longest pattern, in Unicode scalars.
    static let maximumLength = 256
    /// The most comparisons for a character of the text.
    static let maximumCost = 512
    /// How much of a text is looked at, in Unicode scalars.
    static let maximumText = 1024

    /// What a pattern consists of.
    indirect enum Node {
        case one(ScalarSet)
        case sequence([Node])
        case choice([Node])
        case repeated(Node, from: Int, to: Int?)
        case start
        case end
        case boundary(Bool)
    }

    struct ScalarSet: Sendable {
        var ranges: [ClosedRange<UInt32>]
        /// Whether it contains the characters of words besides.
        var hasWords = false
        var isNegated = false

        /// - Parameter isWord: whether the character is part of a word.
        func contains(_ scalar: UInt32, isWord: Bool) -> Bool {
            (isListed(scalar) || hasWords && isWord) != isNegated
        }

        /// Whether it contains a character of which two cases are considered: "[^a]" contains neither "a" nor "A".
        func contains(_ scalar: UInt32, or other: UInt32, isWord: Bool) -> Bool {
            (isListed(scalar) || isListed(other) || hasWords && isWord) != isNegated
        }

        private func isListed(_ scalar: UInt32) -> Bool { ranges.contains { $0.contains(scalar) } }
    }

    private enum Step: Sendable {
        case one(ScalarSet)
        case split(Int, Int)
        case jump(Int)
        case start
        case end
        case boundary(Bool)
        case match
    }

    private var steps: [Step] = []
    private let ignoresCase: Bool
    /// Whether it matters which characters are parts of words.
    private var needsWords = false
    private var cost = 0
    private var emissions = 0

    /// - Throws: the reason when it is not a pattern, or too large.
    init(_ pattern: String, ignoresCase: Bool = false) throws(TextPatternError) {
        self.ignoresCase = ignoresCase
        let scalars = Array(pattern.unicodeScalars)
        guard scalars.count <= Self.maximumLength else {
            throw TextPatternError("it has more than \(Self.maximumLength) characters")
        }
        var parser = LinearRegexParser(scalars)
        try emit(try parser.parse())
        try append(.match)
    }

    // MARK: Compiling

    private mutating func emit(_ node: Node) throws(TextPatternError) {
        emissions += 1
        guard emissions <= Self.maximumCost * 8 else { throw .tooLarge }
        switch node {
        case .one(let set):
            needsWords = needsWords || set.hasWords
            try append(.one(set), cost: set.ranges.count)
        case .start: try append(.start)
        case .end: try append(.end)
        case .boundary(let isWanted):
            needsWords = true
            try append(.boundary(isWanted))
        case .sequence(let nodes): for node in nodes { try emit(node) }
        case .choice(let nodes): try emit(choice: nodes[...])
        case .repeated(let node, let least, let most):
            for _ in 0..<least { try emit(node) }
            guard let most else {
                let split = try append(.split(0, 0))
                try emit(node)
                try append(.jump(split))
                steps[split] = .split(split + 1, steps.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(try append(.split(0, 0)))
                try emit(node)
            }
            for split in splits { steps[split] = .split(split + 1, steps.count) }
        }
    }

    private mutating func emit(choice nodes: ArraySlice<Node>) throws(TextPatternError) {
        guard let first = nodes.first else { return }
        guard nodes.count > 1 else { return try emit(first) }
        let split = try append(.split(0, 0))
        try emit(first)
        let jump = try append(.jump(0))
        steps[split] = .split(split + 1, steps.count)
        try emit(choice: nodes.dropFirst())
        steps[jump] = .jump(steps.count)
    }

    /// - Returns: the index of the step.
    @discardableResult
    private mutating func append(_ step: Step, cost: Int = 0) throws(TextPatternError) -> Int {
        self.cost += 1 + cost
        guard self.cost <= Self.maximumCost else { throw .tooLarge }
        steps.append(step)
        return steps.count - 1
    }

    // MARK: Matching

    /// Whether a part of the text matches; `^` and `$` match at its beginning and end.
    func matches(_ text: String) -> Bool {
        let all = text.unicodeScalars
        let scalars = all.prefix(Self.maximumText).map(\.value)
        let isWhole = all.index(all.startIndex, offsetBy: scalars.count) == all.endIndex
        let words = needsWords ? all.prefix(scalars.count).map(\.isWord) : []
        let others = ignoresCase ? all.prefix(scalars.count).map(\.otherCase) : scalars
        // When each step was last reached, so that it is followed once for each character.
        var reached = [Int](repeating: -1, count: steps.count)
        var begun: [Int] = []
        for place in 0...scalars.count {
            var open = begun + [0]
            begun.removeAll(keepingCapacity: true)
            while let index = open.popLast() {
                guard reached[index] != place else { continue }
                reached[index] = place
                switch steps[index] {
                case .match: return true
                case .jump(let target): open.append(target)
                case .split(let first, let second): open += [second, first]
                case .start: if place == 0 { open.append(index + 1) }
                case .end: if place == scalars.count, isWhole { open.append(index + 1) }
                case .boundary(let isWanted):
                    let before = place > 0 && words[place - 1]
                    let after = place < scalars.count && words[place]
                    if (before != after) == isWanted { open.append(index + 1) }
                case .one(let set):
                    guard place < scalars.count else { continue }
                    let (scalar, isWord) = (scalars[place], needsWords && words[place])
                    let isContained =
                        ignoresCase
                        ? set.contains(scalar, or: others[place], isWord: isWord)
                        : set.contains(scalar, isWord: isWord)
                    if isContained { begun.append(index + 1) }
                }
            }
        }
        return false
    }
}

extension LinearRegex.ScalarSet {
    static let digit = Self(ranges: [48...57])
    static let word = Self(ranges: [], hasWords: true)
    static let space = Self(ranges: [9...13, 32...32, 0x85...0x85, 0xa0...0xa0, 0x2000...0x200a, 0x2028...0x2029])
    static let any = Self(ranges: [10...10], isNegated: true)
}

extension Unicode.Scalar {
    /// Whether it is a letter or a number of any script, or "_".
    fileprivate var isWord: Bool { properties.isAlphabetic || properties.numericType != nil || self == "_" }

    /// The scalar in upper case if it is in lower case, and the other way round.
    fileprivate var otherCase: UInt32 {
        let other = properties.isLowercase ? properties.uppercaseMapping : properties.lowercaseMapping
        let scalars = other.unicodeScalars
        return scalars.count == 1 ? scalars.first?.value ?? value : value
    }
}
