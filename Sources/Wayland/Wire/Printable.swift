// Text of strangers, for logs and terminals.

extension String {
    /// With every control, bidirectional and invisible character escaped as JSON does it (\u202e), so that a title neither
    /// steers a terminal nor reads as something else than it is. Inside the strings of a JSON text this changes nothing.
    /// - Parameter keepsLines: leaves line feeds and tabs, for text of several lines.
    public func printable(keepsLines: Bool = false) -> String {
        guard !utf8.allSatisfy({ (0x20..<0x7f).contains($0) || keepsLines && $0 == 0x0a }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if keepsLines && (scalar == "\n" || scalar == "\t") || !scalar.isInvisible {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        // Fillers; variation selectors only choose how the character before them looks.
        default: properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
        }
    }
}
