// Searching for texts without the standard library's regular expressions, which would add a megabyte to the server.

extension StringProtocol {
    /// Where another text, which must not be empty, first occurs in this one, byte for byte.
    package func firstPlace(of other: String) -> Range<Index>? {
        let bytes = Array(other.utf8)
        for start in utf8.indices where utf8[start...].starts(with: bytes) {
            return start..<utf8.index(start, offsetBy: bytes.count)
        }
        return nil
    }

    /// Whether another text occurs in this one, byte for byte.
    package func has(text: some StringProtocol) -> Bool {
        let text = String(text)
        return text.isEmpty || firstPlace(of: text) != nil
    }

    /// The texts before, between and after the places of another one, which must not be empty.
    package func parts(separatedBy separator: String) -> [String] {
        var (parts, rest): ([String], SubSequence) = ([], self[...])
        while let place = rest.firstPlace(of: separator) {
            parts.append(String(rest[..<place.lowerBound]))
            rest = rest[place.upperBound...]
        }
        return parts + [String(rest)]
    }

    /// The text with another one in each place of `other`, which must not be empty.
    package func replacingAll(_ other: String, with replacement: String) -> String {
        let (bytes, wanted, new) = (Array(utf8), Array(other.utf8), Array(replacement.utf8))
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if bytes[position] == wanted[0], bytes[position...].starts(with: wanted) {
                result += new
                position += wanted.count
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
