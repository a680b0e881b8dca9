// Truncates text to a limit of bytes.

extension String {
    /// The longest prefix that fits into this many bytes of UTF-8, never splitting a character's code.
    public func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: max(0, limit))
        while end > utf8.startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end])
    }
}
