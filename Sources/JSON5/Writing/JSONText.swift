// Human-readable JSON.

package enum JSONText {
    /// The same JSON with each element and member on a line of its own.
    /// - Parameter bytes: JSON without spaces, as `JSONWriter` writes it.
    package static func indented(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var depth = 0
        var isInText = false
        var isEscaped = false
        func newLine() { result += [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth) }
        for (index, byte) in bytes.enumerated() {
            if isInText {
                result.append(byte)
                isInText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                result.append(byte)
                depth += 1
                let isEmpty = index + 1 < bytes.count && bytes[index + 1] == byte + 2
                if !isEmpty { newLine() }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                let isEmpty = index > 0 && bytes[index - 1] == byte - 2
                if !isEmpty { newLine() }
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                newLine()
            case UInt8(ascii: ":"): result += Array(": ".utf8)
            default:
                result.append(byte)
                isInText = byte == UInt8(ascii: "\"")
            }
        }
        return result
    }
}
