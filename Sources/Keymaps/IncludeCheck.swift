// Checks the includes of a client's keymap.

/// Limits the cost of compiling a client's keymap, and the files it can read: every included part is a file to parse.
package struct IncludeCheck {
    package static let maximum = 64

    private static let statements = ["include", "augment", "override", "replace", "alternate"].map { Array($0.utf8) }

    private var isQuoted = false
    private var isComment = false
    private var last: UInt8 = 0
    private var parts = 0

    /// Whether the keymap includes at most `maximum` parts, all of them from XKB's folders.
    package static func isModest(_ text: ArraySlice<UInt8>) -> Bool {
        var check = IncludeCheck()
        for byte in text where !check.follow(byte) { return false }
        return check.parts <= maximum && statements.reduce(0) { $0 + count($1, in: text) } <= maximum
    }

    /// Scans one byte.
    /// - Returns: false for an escape or "..", which could name a file outside XKB's folders.
    private mutating func follow(_ byte: UInt8) -> Bool {
        defer { last = byte }
        // Strings and comments end with their line.
        if byte == UInt8(ascii: "\n") {
            isQuoted = false
            isComment = false
        }
        guard !isComment else { return true }
        switch byte {
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: "\\"): return false
        case UInt8(ascii: "+"), UInt8(ascii: "|"), UInt8(ascii: "^"): if isQuoted { parts += 1 }
        case UInt8(ascii: "."): return !(isQuoted && last == byte)
        case UInt8(ascii: "#"): isComment = !isQuoted
        case UInt8(ascii: "/"): isComment = !isQuoted && last == byte
        default: break
        }
        return true
    }

    private static func count(_ word: [UInt8], in text: ArraySlice<UInt8>) -> Int {
        var count = 0
        for index in text.indices where text[index] | 0x20 == word[0] {
            if text[index...].lazy.map({ $0 | 0x20 }).starts(with: word) { count += 1 }
        }
        return count
    }
}
