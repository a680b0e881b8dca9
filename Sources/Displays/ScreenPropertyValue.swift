// The values of screen properties: their types, and how they are written.

import MullionGeometry
import MullionSystem
import WindowModel

extension ScreenProperty {
    /// A value, as in JSON.
    package enum Value: Sendable, Equatable {
        case number(Double)
        case flag(Bool)
        case text(String)
        case point(Point)

        /// For messages.
        var quoted: String {
            switch self {
            case .number(let number): number.decimalText
            case .flag(let flag): "\(flag)"
            case .text(let text): "\"\(text)\""
            case .point(let point): "{\"x\": \(point.x.decimalText), \"y\": \(point.y.decimalText)}"
            }
        }
    }

    /// The values that a property can have.
    package enum ValueType: Sendable {
        case number(ClosedRange<Double>)
        case flag
        case names([String])
        /// Both coordinates are within the range.
        case point(ClosedRange<Double>)
        /// A description of the possible texts, and whether a text is possible.
        case text(String, @Sendable (String) -> Bool)

        /// The names of an enumeration.
        static func cases<T: RawRepresentable<String> & CaseIterable>(of type: T.Type) -> ValueType {
            .names(T.allCases.map(\.rawValue))
        }

        static func anyText(_ allowed: String) -> ValueType { .text(allowed) { _ in true } }

        func contains(_ value: Value) -> Bool {
            switch (self, value) {
            case (.number(let range), .number(let number)): range.contains(number)
            case (.flag, .flag): true
            case (.names(let names), .text(let text)): names.contains(text)
            case (.point(let range), .point(let point)): range.contains(point.x) && range.contains(point.y)
            case (.text(_, let isPossible), .text(let text)): isPossible(text)
            default: false
            }
        }

        /// Parses a value in text form, in which a point is X+Y.
        func parse(_ text: String) -> Value? {
            switch self {
            case .number: return DecimalText.number(text).map(Value.number)
            case .flag: return Bool(text).map(Value.flag)
            case .names, .text: return .text(text)
            case .point:
                let parts = text.split(separator: "+", omittingEmptySubsequences: false)
                let numbers = parts.compactMap { DecimalText.number($0, isSigned: true) }
                return parts.count == 2 && numbers.count == 2 ? .point(Point(x: numbers[0], y: numbers[1])) : nil
            }
        }

        /// What is possible, for messages.
        var allowed: String {
            switch self {
            case .number(let range): "a number from \(range.text)"
            case .flag: "true or false"
            case .names(let names): "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
            case .point(let range): "{\"x\": X, \"y\": Y}, in points from \(range.text)"
            case .text(let allowed, _): allowed
            }
        }

        /// What is possible in text form.
        var allowedAsText: String {
            if case .point(let range) = self { "X+Y, in points from \(range.text)" } else { allowed }
        }
    }
}

extension ClosedRange<Double> {
    /// "1/64 to 64".
    package var text: String { "\(lowerBound.fractionText) to \(upperBound.fractionText)" }
}

extension Double {
    /// Whole numbers without decimal places.
    fileprivate var decimalText: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }

    /// The same, with the reciprocals of whole numbers as fractions.
    fileprivate var fractionText: String {
        let inverse = 1 / self
        return inverse == inverse.rounded() && (11..<1e6).contains(inverse) ? "1/\(Int(inverse))" : decimalText
    }
}

/// A type that settings of screens have.
protocol ScreenValue: Sendable {
    init?(_ value: ScreenProperty.Value)
    var screenValue: ScreenProperty.Value { get }
}

extension Double: ScreenValue {
    init?(_ value: ScreenProperty.Value) {
        guard case .number(let number) = value else { return nil }
        self = number
    }

    var screenValue: ScreenProperty.Value { .number(self) }
}

extension Bool: ScreenValue {
    init?(_ value: ScreenProperty.Value) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }

    var screenValue: ScreenProperty.Value { .flag(self) }
}

extension String: ScreenValue {
    init?(_ value: ScreenProperty.Value) {
        guard case .text(let text) = value else { return nil }
        self = text
    }

    var screenValue: ScreenProperty.Value { .text(self) }
}

extension Point: ScreenValue {
    init?(_ value: ScreenProperty.Value) {
        guard case .point(let point) = value else { return nil }
        self = point
    }

    var screenValue: ScreenProperty.Value { .point(self) }
}

extension Screen.Mirroring: ScreenValue {
    init?(_ value: ScreenProperty.Value) {
        guard case .text(let text) = value else { return nil }
        self.init(parsing: text)
    }

    var screenValue: ScreenProperty.Value { .text(text) }
}

extension ScreenValue where Self: RawRepresentable<String> {
    init?(_ value: ScreenProperty.Value) {
        guard case .text(let text) = value else { return nil }
        self.init(rawValue: text)
    }

    var screenValue: ScreenProperty.Value { .text(rawValue) }
}

extension Screen.Kind: ScreenValue {}
extension Screen.Orientation: ScreenValue {}
extension Screen.Overscan: ScreenValue {}
