// Reads the numbers in words: options, conditions, items of a query, variables of the environment.

/// Numbers as people write them. Swift's own initializers also take `0x10`, `inf`, `nan`, `1p3` and `+1`, which are typing
/// errors where a number of seconds or pixels is expected.
package enum DecimalText {
    /// Digits with at most one point, and an exponent as in JSON.
    /// - Parameter isSigned: whether a minus sign may come first.
    /// - Returns: nil for anything else, and for what is too large for a finite number.
    package static func number(_ text: some StringProtocol, isSigned: Bool = false) -> Double? {
        var rest = Array(text.utf8)[...]
        if isSigned, rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = takeDigits(&rest)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = takeDigits(&rest)
        }
        guard whole + fraction > 0 else { return nil }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard takeDigits(&rest) > 0 else { return nil }
        }
        guard rest.isEmpty, let value = Double(String(text)), value.isFinite else { return nil }
        return value
    }

    /// Digits only.
    /// - Parameter isSigned: whether a minus sign may come first.
    /// - Returns: nil for anything else, and for what the type cannot hold.
    package static func whole<Number: FixedWidthInteger>(
        _ text: some StringProtocol, as type: Number.Type = Int.self, isSigned: Bool = false
    ) -> Number? {
        var rest = Array(text.utf8)[...]
        if isSigned, rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        guard takeDigits(&rest) > 0, rest.isEmpty else { return nil }
        return Number(String(text))
    }

    /// Hexadecimal digits only, as in colours.
    package static func hexadecimal(_ text: some StringProtocol) -> UInt32? {
        // Without the sign that the initializer takes, too.
        guard let first = text.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        return UInt32(text, radix: 16)
    }

    /// Removes the digits at the beginning, and returns how many there were.
    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        rest = rest.dropFirst(digits)
        return digits
    }
}

extension DecimalText {
    /// Longer units first: each ends in "s".
    private static let units: [(name: String, microseconds: Double)] = [
        ("us", 1), ("µs", 1), ("ms", 1000), ("s", 1_000_000),
    ]

    /// A duration: a number with the unit us, ms or s.
    /// - Parameter bare: what a number without a unit counts, in microseconds; nil: it must have one.
    /// - Returns: whole microseconds; nil for anything else.
    package static func microseconds(_ text: String, bare: Double? = nil) -> Double? {
        let unit = units.first { text.hasSuffix($0.name) }
        guard let factor = unit?.microseconds ?? bare, let value = number(text.dropLast(unit?.name.count ?? 0)) else {
            return nil
        }
        let microseconds = (value * factor).rounded()
        return microseconds.isFinite ? microseconds : nil
    }
}
