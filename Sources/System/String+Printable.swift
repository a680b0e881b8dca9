// Makes untrusted text safe for logs and terminals.

extension String {
    /// The text with every control, bidirectional and invisible character escaped as in JSON (\u202e), so that it can
    /// neither control a terminal nor appear as different text. Strings inside JSON keep their meaning.
    /// - Parameter keepsLines: keeps line feeds and tabs, for multi-line text.
    package func printable(keepsLines: Bool = false) -> String {
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
        // Fillers are invisible; variation selectors only change how the preceding character looks.
        default: properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
        }
    }
}
