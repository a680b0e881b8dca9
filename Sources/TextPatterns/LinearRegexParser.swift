// Parses regular expressions.

/// Reads a pattern: characters, `.`, sets, `\d \w \s \b`, groups, `|`, `^`, `$` and repetitions. What cannot be matched in
/// linear time is refused by name.
struct LinearRegexParser {
    private typealias Node = LinearRegex.Node
    private typealias ScalarSet = LinearRegex.ScalarSet

    private var rest: ArraySlice<Unicode.Scalar>
    /// The most repetitions of a part.
    private static let most = 255

    init(_ pattern: [Unicode.Scalar]) { rest = pattern[...] }

    mutating func parse() throws(TextPatternError) -> LinearRegex.Node {
        let node = try choice()
        guard rest.isEmpty else { throw TextPatternError("a ) has no (; write \\) for the character") }
        return node
    }

    private mutating func choice() throws(TextPatternError) -> Node {
        var nodes = [try sequence()]
        while take("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .choice(nodes)
    }

    private mutating func sequence() throws(TextPatternError) -> Node {
        var nodes: [Node] = []
        while let next = rest.first, next != "|", next != ")" {
            let node = try atom()
            nodes.append(try repetition(of: node))
        }
        return .sequence(nodes)
    }

    private mutating func atom() throws(TextPatternError) -> Node {
        let scalar = rest.removeFirst()
        switch scalar {
        case "^": return .start
        case "$": return .end
        case ".": return .one(.any)
        case "(": return try group()
        case "[": return .one(try set())
        case "\\": return try escape()
        case "*", "+", "?": throw TextPatternError("\(scalar) repeats nothing; write \\\(scalar) for the character")
        default: return .one(ScalarSet(ranges: [scalar.value...scalar.value]))
        }
    }

    private mutating func group() throws(TextPatternError) -> Node {
        if take("?"), !take(":") {
            throw TextPatternError("groups that begin with (? are not supported, except for (?:")
        }
        let node = try choice()
        guard take(")") else { throw TextPatternError("a ( has no ); write \\( for the character") }
        return node
    }

    private mutating func escape() throws(TextPatternError) -> Node {
        switch rest.first {
        case "b":
            rest.removeFirst()
            return .boundary(true)
        case "B":
            rest.removeFirst()
            return .boundary(false)
        default: return .one(try escapedSet())
        }
    }

    /// The characters after a backslash.
    private mutating func escapedSet() throws(TextPatternError) -> ScalarSet {
        guard let scalar = rest.popFirst() else { throw TextPatternError("it ends with a single \\") }
        var set: ScalarSet
        switch scalar {
        case "d", "D": set = .digit
        case "w", "W": set = .word
        case "s", "S": set = .space
        case "t": return ScalarSet(ranges: [9...9])
        case "n": return ScalarSet(ranges: [10...10])
        case "0"..."9", "a"..."z", "A"..."Z":
            throw TextPatternError("\\\(scalar) is not supported; use \\d, \\w, \\s, \\b or an escaped sign")
        default: return ScalarSet(ranges: [scalar.value...scalar.value])
        }
        set.isNegated = scalar.properties.isUppercase
        return set
    }

    private mutating func set() throws(TextPatternError) -> ScalarSet {
        var result = ScalarSet(ranges: [], isNegated: take("^"))
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst { return result }
            isFirst = false
            var from = ScalarSet(ranges: [scalar.value...scalar.value])
            if scalar == "\\" { from = try escapedSet() }
            guard !from.isNegated else { throw TextPatternError("\\D, \\W and \\S are not supported in [...]") }
            // A hyphen at the end is a character.
            guard rest.first == "-", let last = rest.dropFirst().first, last != "]" else {
                result.ranges += from.ranges
                result.hasWords = result.hasWords || from.hasWords
                continue
            }
            rest.removeFirst(2)
            var to = ScalarSet(ranges: [last.value...last.value])
            if last == "\\" { to = try escapedSet() }
            guard from.ranges.count == 1, to.ranges.count == 1, let low = from.ranges.first?.lowerBound,
                let high = to.ranges.first?.upperBound, low <= high
            else { throw TextPatternError("\(scalar)-\(last) is not a range") }
            result.ranges.append(low...high)
        }
        throw TextPatternError("a [ has no ]; write \\[ for the character")
    }

    private mutating func repetition(of node: Node) throws(TextPatternError) -> Node {
        var result = node
        while let (least, most) = try repetitionCounts() {
            result = .repeated(result, from: least, to: most)
            // Whether it takes as few or as many as possible makes no difference to whether there is a match.
            _ = take("?")
        }
        return result
    }

    /// Nil without a repetition.
    private mutating func repetitionCounts() throws(TextPatternError) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
        let text = String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<end]))
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard let least = parts.first ?? nil, parts.count <= 2, least >= 0, least <= Self.most,
            parts.count == 1 || parts[1] != nil || text.hasSuffix(",")
        else { throw Self.wrongCount(text) }
        rest = rest[(end + 1)...]
        guard parts.count == 2 else { return (least, least) }
        guard let most = parts[1] else { return (least, nil) }
        guard most >= least, most <= Self.most else { throw Self.wrongCount(text) }
        return (least, most)
    }

    private static func wrongCount(_ text: String) -> TextPatternError {
        TextPatternError("{\(text)} is not a repetition; use {N}, {N,} or {N,M} with numbers up to \(most)")
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }
}
