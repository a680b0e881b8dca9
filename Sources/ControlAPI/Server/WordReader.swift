// Reads the values of words: items of a query, and fields of a scenario's condition.

import MullionSystem

/// Reads values strictly.
enum WordReader {
    /// `true` or `false`; true without a value.
    /// - Throws: 400 for another value.
    static func flag(_ name: String, _ value: String) throws(Problem) -> Bool {
        switch value {
        case "", "true": return true
        case "false": return false
        default: throw Problem(.invalidParameter, "\(name)=\(value.shortened) is not a boolean; use true or false")
        }
    }

    /// A number.
    /// - Throws: 400 for something else, and for a number that is not in the range.
    static func number(_ name: String, _ value: String, in range: ClosedRange<Double>) throws(Problem) -> Double {
        try check(DecimalText.number(value, isSigned: true), "a number", name, value, in: range)
    }

    /// A whole number.
    /// - Throws: 400 for something else, and for a number that is not in the range.
    static func wholeNumber(_ name: String, _ value: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        try check(DecimalText.whole(value, isSigned: true), "an integer", name, value, in: range)
    }

    private static func check<Number: Comparable>(
        _ number: Number?, _ kind: String, _ name: String, _ value: String, in range: ClosedRange<Number>
    ) throws(Problem) -> Number {
        let bounds = "use \(range.lowerBound)…\(range.upperBound)"
        guard let number else {
            throw Problem(.invalidParameter, "\(name)=\(value.shortened) is not \(kind); \(bounds)")
        }
        guard range.contains(number) else {
            throw Problem(.invalidParameter, "\(name)=\(value.shortened) is out of range; \(bounds)")
        }
        return number
    }
}
