// Titles and names of windows.

/// Text of properties, which may have any bytes in it.
public enum WindowText {
    /// The most bytes of a title that are read.
    public static let limit = 4096

    /// The text of a property: UTF-8, or Latin-1 if its type says so. Ends at the first zero byte.
    /// - Parameter utf8: the atom UTF8_STRING.
    public static func text(_ property: XProperty?, utf8: XAtom) -> String? {
        guard let property, property.format == 8 else { return nil }
        let bytes = property.bytes.prefix(limit).prefix { $0 != 0 }
        if property.type == utf8 { return printable(String(decoding: bytes, as: UTF8.self)) }
        // COMPOUND_TEXT is Latin-1 too, unless it has escape sequences; modern programs set _NET_WM_NAME as well.
        if let text = String(validating: bytes, as: UTF8.self) { return printable(text) }
        return printable(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
    }

    /// WM_CLASS: the name of the instance, and the class.
    public static func windowClass(_ property: XProperty?) -> (instance: String, name: String)? {
        guard let property, property.format == 8 else { return nil }
        let parts = property.bytes.prefix(limit).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let names = parts.prefix(2).map { bytes in
            String(validating: bytes, as: UTF8.self).map(printable)
                ?? printable(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
        }
        guard let first = names.first else { return nil }
        return (first, names.count > 1 ? names[1] : first)
    }

    /// Without control characters, which would disturb logs and terminals.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }))
    }
}
