// Parses JSON and JSON5.

/// Splits a text into the nodes of a `JSON5Document`; checks the grammar of every value.
struct JSON5Parser {
    private(set) var nodes: [JSON5Document.Node] = []
    private let bytes: [UInt8]
    private let dialect: JSON5Document.Dialect
    private var position = 0
    /// The node of the innermost object or list that is being parsed.
    private var container = 0
    private static let maximumDepth = 256
    /// In objects with more members, keys are compared by a set.
    private static let fewMembers = 16

    init(_ bytes: [UInt8], _ dialect: JSON5Document.Dialect) {
        self.bytes = bytes
        self.dialect = dialect
    }

    mutating func parse() throws(JSON5Mistake) {
        guard bytes.count < UInt32.max else { throw mistake("the text is too long", at: 0) }
        try checkText()
        // Some editors begin a file with a byte order mark.
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
        // A short text has a value in every few bytes.
        nodes.reserveCapacity(min(bytes.count / 4 + 1, 64))
        try value(depth: 0)
        try skipSpace()
        guard position == bytes.count else { throw mistake("unexpected text after the value") }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }
    private var isJSON: Bool { dialect == .json }

    private func mistake(_ message: String, at position: Int? = nil) -> JSON5Mistake {
        let place = JSON5Text.place(position ?? self.position, in: bytes)
        return JSON5Mistake(.syntax, line: place.line, column: place.column, message: message)
    }

    /// Refuses bytes that are not UTF-8.
    private func checkText() throws(JSON5Mistake) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { position += scalar.count }
        throw mistake("the text is not UTF-8", at: position)
    }

    // MARK: Space

    private mutating func skipSpace() throws(JSON5Mistake) {
        while let byte = next {
            switch byte {
            case 9, 10, 13, 32: position += 1
            case 11, 12: if isJSON { return } else { position += 1 }
            case UInt8(ascii: "/"):
                guard !isJSON else { throw mistake("unexpected /; JSON has no comments") }
                try skipComment()
            case 0xc2, 0xe2, 0xef:
                guard !isJSON, let space = Self.spaces.first(where: { bytes[position...].starts(with: $0) }) else {
                    return
                }
                position += space.count
            default: return
            }
        }
    }

    /// U+A0, U+2028, U+2029 and U+FEFF.
    private static let spaces: [[UInt8]] = [
        [0xc2, 0xa0], [0xe2, 0x80, 0xa8], [0xe2, 0x80, 0xa9], [0xef, 0xbb, 0xbf],
    ]

    private mutating func skipComment() throws(JSON5Mistake) {
        let start = position
        position += 1
        switch next {
        case UInt8(ascii: "/"):
            while let byte = next, byte != 10 { position += 1 }
        case UInt8(ascii: "*"):
            position += 1
            while position < bytes.count {
                if bytes[position] == UInt8(ascii: "*"), position + 1 < bytes.count,
                    bytes[position + 1] == UInt8(ascii: "/")
                {
                    position += 2
                    return
                }
                position += 1
            }
            throw mistake("unterminated comment", at: start)
        default: throw mistake("unexpected /; comments begin with // or /*", at: start)
        }
    }

    // MARK: Values

    private mutating func add(_ kind: JSON5Document.Node.Kind, _ place: Int, _ contents: Range<Int>) {
        nodes.append(
            JSON5Document.Node(
                kind: kind, place: UInt32(place), start: UInt32(contents.lowerBound), end: UInt32(contents.upperBound),
                next: UInt32(nodes.count + 1), parent: UInt32(container),
                number: nodes.isEmpty ? 0 : nodes[container].count
            ))
    }

    private mutating func value(depth: Int) throws(JSON5Mistake) {
        guard depth < Self.maximumDepth else { throw mistake("nested too deeply") }
        try skipSpace()
        switch next {
        case nil: throw mistake("expected a value")
        case UInt8(ascii: "{"):
            let object = nodes.count
            try parts(.object, closedBy: UInt8(ascii: "}")) { parser throws(JSON5Mistake) in
                try parser.key()
                try parser.skipSpace()
                guard parser.next == UInt8(ascii: ":") else { throw parser.mistake("expected a colon after the key") }
                parser.position += 1
                try parser.value(depth: depth + 1)
            }
            try refuseRepeatedKeys(of: object)
        case UInt8(ascii: "["):
            try parts(.list, closedBy: UInt8(ascii: "]")) { parser throws(JSON5Mistake) in
                try parser.value(depth: depth + 1)
            }
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "'"):
            guard !isJSON else { throw singleQuote() }
            try string()
        default: try word()
        }
    }

    private func singleQuote() -> JSON5Mistake { mistake("unexpected '; JSON has strings in double quotes") }

    private mutating func parts(
        _ kind: JSON5Document.Node.Kind, closedBy end: UInt8,
        _ part: (inout JSON5Parser) throws(JSON5Mistake) -> Void
    ) throws(JSON5Mistake) {
        let (start, index) = (position, nodes.count)
        add(kind, start, start..<start)
        let outer = container
        container = index
        defer { container = outer }
        position += 1
        while true {
            try skipSpace()
            if next == end { break }
            guard next != nil else { throw mistake("unclosed bracket", at: start) }
            try part(&self)
            nodes[index].count += 1
            try skipSpace()
            if next == UInt8(ascii: ",") {
                let comma = position
                position += 1
                guard isJSON else { continue }
                try skipSpace()
                guard next != end else { throw mistake("unexpected comma before \(name(end))", at: comma) }
            } else if next != end {
                guard next != nil else { throw mistake("unclosed bracket", at: start) }
                throw mistake("expected a comma or \(name(end))")
            }
        }
        position += 1
        nodes[index].next = UInt32(nodes.count)
    }

    private func name(_ byte: UInt8) -> Character { Character(UnicodeScalar(byte)) }

    private mutating func key() throws(JSON5Mistake) {
        switch next {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "'"):
            guard !isJSON else { throw singleQuote() }
            try string()
        default:
            let start = position
            skipWord()
            guard position > start else { throw mistake("expected a key") }
            guard !isJSON else { throw mistake("\"\(text(from: start))\" needs double quotes", at: start) }
            guard isName(bytes[start..<position]) else {
                throw mistake("\"\(text(from: start))\" needs quotes to be a key", at: start)
            }
            add(.string, start, start..<position)
        }
    }

    private func isName(_ word: ArraySlice<UInt8>) -> Bool {
        guard let first = word.first, !(48...57).contains(first) else { return false }
        return !word.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    private func refuseRepeatedKeys(of object: Int) throws(JSON5Mistake) {
        var names: Set<String> = []
        let isLarge = nodes[object].count > Self.fewMembers
        var key = object + 1
        while key < nodes.count {
            let isNew: Bool
            if isLarge {
                isNew = names.insert(string(key)).inserted
            } else {
                isNew = !isRepeated(key, of: object)
            }
            guard isNew else {
                throw mistake("the key \"\(string(key))\" is repeated", at: Int(nodes[key].place))
            }
            key = Int(nodes[key + 1].next)
        }
    }

    private func isRepeated(_ key: Int, of object: Int) -> Bool {
        var other = object + 1
        while other < key {
            if nodes[other].kind == .escaped || nodes[key].kind == .escaped {
                if string(other) == string(key) { return true }
            } else if contents(other).elementsEqual(contents(key)) {
                return true
            }
            other = Int(nodes[other + 1].next)
        }
        return false
    }

    private func contents(_ index: Int) -> ArraySlice<UInt8> { bytes[Int(nodes[index].start)..<Int(nodes[index].end)] }

    private func string(_ index: Int) -> String {
        nodes[index].kind == .escaped
            ? JSON5Text.unescaped(contents(index)) : String(decoding: contents(index), as: UTF8.self)
    }

    // MARK: Words

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    private mutating func skipWord() {
        while let byte = next, Self.isWord(byte) { position += 1 }
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

    /// Whether the word from `start` is a whole number of both dialects, as most are.
    private func isPlainNumber(_ start: Int) -> Bool {
        for index in start..<position where !(48...57).contains(bytes[index]) { return false }
        return bytes[start] != UInt8(ascii: "0") || position == start + 1
    }

    /// A number, true, false or null.
    private mutating func word() throws(JSON5Mistake) {
        let start = position
        skipWord()
        let word = bytes[start..<position]
        guard !word.isEmpty else { throw mistake("expected a value") }
        if isPlainNumber(start) { return add(.number, start, start..<position) }
        if word.elementsEqual("true".utf8) { return add(.yes, start, start..<position) }
        if word.elementsEqual("false".utf8) { return add(.no, start, start..<position) }
        if word.elementsEqual("null".utf8) { return add(.null, start, start..<position) }
        guard JSON5Text.isNumber(word, dialect) else {
            let text = text(from: start)
            guard let first = word.first(where: { !"+-.".utf8.contains($0) }), (48...57).contains(first) else {
                let kinds = "a string needs quotes; else use a number, true, false or null"
                throw mistake("\"\(text)\" is not a value: \(kinds)", at: start)
            }
            throw mistake("\"\(text)\" is not a number", at: start)
        }
        add(.number, start, start..<position)
    }

    // MARK: Strings

    private mutating func string() throws(JSON5Mistake) {
        let start = position
        let quote = bytes[position]
        var isEscaped = false
        position += 1
        while let byte = next, byte != quote {
            switch byte {
            case UInt8(ascii: "\\"):
                isEscaped = true
                try skipEscape(stringAt: start)
            case 10, 13: throw mistake("unterminated string: it must end on its line", at: start)
            case 0..<32 where isJSON:
                throw mistake("a string cannot contain the control character \(byte); write it as an escape sequence")
            default: position += 1
            }
        }
        guard next != nil else { throw mistake("unterminated string", at: start) }
        add(isEscaped ? .escaped : .string, start, start + 1..<position)
        position += 1
    }

    /// Checks an escape sequence, so that reading it later cannot fail.
    private mutating func skipEscape(stringAt start: Int) throws(JSON5Mistake) {
        let escape = position
        position += 1
        guard let byte = next else { throw mistake("unterminated string", at: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "u"):
            let code = try hexadecimal(4, from: escape)
            guard code & 0xf800 == 0xd800 else { return }
            guard code < 0xdc00, bytes[position...].starts(with: "\\u".utf8) else { throw unpaired(escape) }
            position += 2
            guard try hexadecimal(4, from: escape) & 0xfc00 == 0xdc00 else { throw unpaired(escape) }
        case _ where "\"\\/bfnrt".utf8.contains(byte): break
        case _ where isJSON: throw unknownEscape(escape)
        case UInt8(ascii: "x"): _ = try hexadecimal(2, from: escape)
        case UInt8(ascii: "0"):
            if let digit = next, (48...57).contains(digit) { throw unknownEscape(escape) }
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw unknownEscape(escape)
        case 13: if next == 10 { position += 1 }
        default: break
        }
    }

    private mutating func hexadecimal(_ count: Int, from escape: Int) throws(JSON5Mistake) -> UInt32 {
        let digits = bytes[position...].prefix(count)
        guard digits.count == count, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw mistake("an escape sequence with fewer than \(count) hexadecimal digits", at: escape) }
        position += count
        return code
    }

    private func unpaired(_ escape: Int) -> JSON5Mistake {
        mistake("half of a surrogate pair; use two \\u sequences", at: escape)
    }

    private func unknownEscape(_ escape: Int) -> JSON5Mistake {
        mistake(
            "unknown escape sequence; use one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
                + (isJSON ? "" : " \\v \\0 \\xXX"), at: escape)
    }
}
