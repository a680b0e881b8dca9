// Strings, numbers and places in a text.

/// Reads the parts of a text.
enum JSON5Text {
    /// The line and the column of a byte, counted from 1.
    static func place(_ position: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line, before.count - start + 1)
    }

    /// The string that the contents of a checked literal stand for.
    static func unescaped(_ contents: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = contents
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                text.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "b"): text.append(8)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "v"): text.append(11)
            case UInt8(ascii: "f"): text.append(12)
            case UInt8(ascii: "r"): text.append(13)
            case UInt8(ascii: "0"): text.append(0)
            case UInt8(ascii: "x"): append(hexadecimal(&rest, count: 2), to: &text)
            case UInt8(ascii: "u"):
                var code = hexadecimal(&rest, count: 4)
                if code & 0xfc00 == 0xd800 {
                    rest = rest.dropFirst(2)
                    code = 0x10000 + (code & 0x3ff) << 10 + hexadecimal(&rest, count: 4) & 0x3ff
                }
                append(code, to: &text)
            // The line continues.
            case 10: break
            case 13: if rest.first == 10 { rest = rest.dropFirst() }
            default: text.append(escape)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimal(_ rest: inout ArraySlice<UInt8>, count: Int) -> UInt32 {
        let digits = rest.prefix(count)
        rest = rest.dropFirst(count)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }

    private static func append(_ code: UInt32, to text: inout [UInt8]) {
        guard let scalar = UnicodeScalar(code) else { return }
        text += Array(String(Character(scalar)).utf8)
    }

    // MARK: Numbers

    /// A number such as -12 or 0.25, of so few digits that its parts are exact.
    struct PlainNumber {
        private var digits: Int64 = 0
        private var decimals = 0
        private var isNegative = false

        private static let mostDigits = 15
        private static let powers: [Double] = [
            1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
        ]

        init?(_ bytes: [UInt8], _ word: Range<Int>) {
            var position = word.lowerBound
            isNegative = position < word.upperBound && bytes[position] == UInt8(ascii: "-")
            if isNegative { position += 1 }
            let start = position
            // A point is among the bytes that are counted.
            guard start < word.upperBound, word.upperBound - start <= Self.mostDigits else { return nil }
            var point: Int?
            while position < word.upperBound {
                let byte = bytes[position]
                if (48...57).contains(byte) {
                    digits = digits * 10 + Int64(byte - 48)
                } else {
                    guard byte == UInt8(ascii: "."), point == nil, position > start else { return nil }
                    point = position
                }
                position += 1
            }
            guard let point else { return }
            decimals = word.upperBound - point - 1
            guard decimals > 0 else { return nil }
        }

        /// Rounded once, since both parts are exact.
        var value: Double {
            let size = decimals == 0 ? Double(digits) : Double(digits) / Self.powers[decimals]
            return isNegative ? -size : size
        }

        /// Nil if it has decimals.
        var whole: Int64? { decimals > 0 ? nil : isNegative ? -digits : digits }
    }

    /// Whether a word is a number: in JSON5 also `+1`, `.5`, `5.`, `0xff`, `Infinity` and `NaN`.
    static func isNumber(_ word: ArraySlice<UInt8>, _ dialect: JSON5Document.Dialect) -> Bool {
        var rest = word
        func digits() -> Int {
            let count = rest.prefix { (48...57).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        let isJSON5 = dialect == .json5
        if let sign = rest.first, sign == UInt8(ascii: "-") || (isJSON5 && sign == UInt8(ascii: "+")) {
            rest = rest.dropFirst()
        }
        if isJSON5 {
            if rest.elementsEqual("Infinity".utf8) || rest.elementsEqual("NaN".utf8) { return true }
            if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
                return rest.count > 2 && rest.dropFirst(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
            }
        }
        let isZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        // 007 would be octal to some.
        guard whole <= 1 || !isZero, whole > 0 || isJSON5 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = digits()
            guard fraction > 0 || (isJSON5 && whole > 0) else { return false }
        } else if whole == 0 {
            return false
        }
        if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Why a number has no place in a Double; nil when it has one.
    static func misfit(_ text: String) -> String? {
        let exponent = text.utf8.first { $0 | 32 == UInt8(ascii: "e") || $0 | 32 == UInt8(ascii: "x") }
        guard exponent.map({ $0 | 32 == UInt8(ascii: "e") }) ?? (text.utf8.count > 300), let number = Double(text)
        else {
            return nil
        }
        guard number.isFinite else { return "the number \(text) is too large" }
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }
        guard number == 0, mantissa.contains(where: { ("1"..."9").contains($0) }) else { return nil }
        return "the number \(text) is too close to 0"
    }

    /// Why JSON has no form for a number of JSON5; nil when it has one.
    static func infinity(_ text: String) -> String? {
        text.hasSuffix("Infinity") || text.hasSuffix("NaN") ? "NaN and Infinity are not allowed" : nil
    }

    /// A whole number; nil when it is none, or does not fit the type.
    static func integer<T: FixedWidthInteger>(_ text: String, _ type: T.Type) -> T? {
        if let value = T(text) { return value }
        let digits = text.drop { "+-".contains($0) }
        guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else {
            return Double(text).flatMap { T(exactly: $0) }
        }
        guard let size = UInt64(digits.dropFirst(2), radix: 16) else { return nil }
        guard text.hasPrefix("-") else { return T(exactly: size) }
        return Int64(exactly: size).flatMap { T(exactly: -$0) }
    }
}
