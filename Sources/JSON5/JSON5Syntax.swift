// Locates syntax errors in JSON5; the decoder gives no position.

/// Parses a text by the JSON5 grammar and finds the first syntax error, without building values.
package struct JSON5Syntax {
    /// A syntax error; line and column are counted from 1.
    package struct Mistake: Error, Equatable, CustomStringConvertible {
        package let line: Int
        package let column: Int
        package let message: String

        package init(line: Int, column: Int, message: String) {
            self.line = line
            self.column = column
            self.message = message
        }

        package var description: String { "line \(line), column \(column): \(message)" }
    }

    private let bytes: [UInt8]
    private var position = 0
    private static let maximumDepth = 256

    /// The first syntax error; nil when there is none.
    package static func firstMistake(in bytes: some Sequence<UInt8>) -> Mistake? {
        let bytes = Array(bytes)
        if let mistake = brokenText(in: bytes) { return mistake }
        var syntax = JSON5Syntax(bytes: bytes)
        do throws(Mistake) {
            try syntax.value(depth: 0)
            try syntax.skipSpace()
            guard syntax.isAtEnd else { throw syntax.mistake("unexpected text after the value") }
            return nil
        } catch {
            return error
        }
    }

    /// The first place where the bytes are not UTF-8, nil when they are. FoundationEssentials crashes on such bytes in
    /// a bare key, so check every text before passing it to its JSON5 decoder.
    package static func brokenText(in bytes: [UInt8]) -> Mistake? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var syntax = JSON5Syntax(bytes: bytes)
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { syntax.position += scalar.count }
        return syntax.mistake("the text is not UTF-8")
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var isAtEnd: Bool { position >= bytes.count }
    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    private func mistake(_ message: String) -> Mistake {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Mistake(line: line, column: before.count - start + 1, message: message)
    }

    private mutating func skipSpace() throws(Mistake) {
        while let byte = next {
            if byte == UInt8(ascii: "/") {
                try skipComment()
            } else if [9, 10, 11, 12, 13, 32].contains(byte) {
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(Mistake) {
        let start = self
        position += 1
        switch next {
        case UInt8(ascii: "/"):
            while let byte = next, byte != 10 { position += 1 }
        case UInt8(ascii: "*"):
            position += 1
            while !isAtEnd {
                if bytes[position] == UInt8(ascii: "*"), position + 1 < bytes.count,
                    bytes[position + 1] == UInt8(ascii: "/")
                {
                    position += 2
                    return
                }
                position += 1
            }
            throw start.mistake("unterminated comment")
        default: throw start.mistake("unexpected /; comments begin with // or /*")
        }
    }

    private mutating func value(depth: Int) throws(Mistake) {
        guard depth < Self.maximumDepth else { throw mistake("nested too deeply") }
        try skipSpace()
        switch next {
        case nil: throw mistake("expected a value")
        case UInt8(ascii: "{"):
            try list(closedBy: UInt8(ascii: "}")) { syntax throws(Mistake) in
                try syntax.key()
                try syntax.skipSpace()
                guard syntax.next == UInt8(ascii: ":") else { throw syntax.mistake("expected a colon after the key") }
                syntax.position += 1
                try syntax.value(depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try list(closedBy: UInt8(ascii: "]")) { syntax throws(Mistake) in try syntax.value(depth: depth + 1) }
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try string()
        default:
            let start = self
            try word("a value")
            try start.checkNumber(bytes[start.position..<position])
        }
    }

    private mutating func list(
        closedBy end: UInt8, _ element: (inout JSON5Syntax) throws(Mistake) -> Void
    ) throws(Mistake) {
        let start = self
        position += 1
        while true {
            try skipSpace()
            if next == end { break }
            guard !isAtEnd else { throw start.mistake("unclosed bracket") }
            try element(&self)
            try skipSpace()
            if next == UInt8(ascii: ",") {
                position += 1
            } else if next != end {
                throw isAtEnd
                    ? start.mistake("unclosed bracket")
                    : mistake("expected a comma or \(Character(UnicodeScalar(end)))")
            }
        }
        position += 1
    }

    private mutating func key() throws(Mistake) {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { try string() } else { try word("a key") }
    }

    private mutating func string() throws(Mistake) {
        let start = self
        let quote = bytes[position]
        position += 1
        while let byte = next, byte != quote {
            guard byte != 10 else { throw start.mistake("unterminated string: it must end on its line") }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard !isAtEnd else { throw start.mistake("unterminated string") }
        position += 1
    }

    /// A number, true, false, null, or a bare key.
    private mutating func word(_ what: String) throws(Mistake) {
        let start = position
        while let byte = next, Self.isWord(byte) { position += 1 }
        guard position > start else { throw mistake("expected \(what)") }
    }

    /// Refuses numbers that have no place in a Double. The decoder says only that such a text is not JSON.
    private func checkNumber(_ word: ArraySlice<UInt8>) throws(Mistake) {
        let text = String(decoding: word, as: UTF8.self)
        guard let digit = text.first(where: { !"+-.".contains($0) }), digit.isNumber, let number = Double(text) else {
            return
        }
        guard number.isFinite else { throw mistake("the number \(text) is too large") }
        let mantissa = text.prefix { $0 != "e" && $0 != "E" && $0 != "x" && $0 != "X" }
        guard number != 0 || !mantissa.contains(where: { ("1"..."9").contains($0) }) else {
            throw mistake("the number \(text) is too close to 0")
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: byte >= 128
        }
    }
}
