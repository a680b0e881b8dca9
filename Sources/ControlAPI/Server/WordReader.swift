// Reads the values of words: items of a query, and fields of a scenario's condition.

import System

/// Reads values strictly.
enum WordReader {
    /// `true` or `false`; true without a value.
    /// - Throws: 400 for another value.
    static func flag(_ name: String, _ value: String) throws(Problem) -> Bool {
        switch value {
        case "", "true": return true
        case "false": return false
        default: throw Problem(400, "\(name)=\(value.shortened) is not a boolean; use true or false")
        }
    }

    /// A whole number.
    /// - Throws: 400 for something else, and for a number that is not in the range.
    static func wholeNumber(_ name: String, _ value: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        let bounds = "use \(range.lowerBound)…\(range.upperBound)"
        guard let number = DecimalText.whole(value, isSigned: true) else {
            throw Problem(400, "\(name)=\(value.shortened) is not an integer; \(bounds)")
        }
        guard range.contains(number) else {
            throw Problem(400, "\(name)=\(value.shortened) is out of range; \(bounds)")
        }
        return number
    }
}
