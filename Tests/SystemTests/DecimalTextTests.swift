// Numbers and durations in words.

import MullionSystem
import Testing

@Suite struct DecimalTextTests {
    /// What Swift, C or other programs take for numbers, and what is almost one.
    static let wrong = [
        "", ".", "-", "+", "0x10", "0X1p3", "1p3", "inf", "infinity", "Infinity", "nan", "NaN", "+5", "--5", "5-", "1e",
        "1e+",
        "e5", "1.2.3", "1,5", "1_000", " 5", "5 ", "5\n", "٣", "５", "½", "0b1", "1e999", "5s", "1e5.5",
    ]

    @Test("numbers are decimal, with a point and an exponent at most; a sign only where it is allowed")
    func numbers() {
        let right = [
            ("0", 0), ("5", 5), ("005", 5), ("2.5", 2.5), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-3", 0.001),
            ("2.5e+2", 250),
        ]
        for (text, value) in right {
            #expect(DecimalText.number(text) == value, "\(text)")
            #expect(DecimalText.number("-" + text) == nil, "-\(text)")
            #expect(DecimalText.number("-" + text, isSigned: true) == -value, "-\(text)")
        }
        for text in Self.wrong {
            #expect(DecimalText.number(text) == nil && DecimalText.number(text, isSigned: true) == nil, "\(text)")
        }
    }

    @Test("whole numbers are digits that fit into their type")
    func wholeNumbers() {
        #expect(DecimalText.whole("255", as: UInt8.self) == 255 && DecimalText.whole("256", as: UInt8.self) == nil)
        #expect(DecimalText.whole("-5", isSigned: true) == -5 && DecimalText.whole("-5") == nil)
        #expect(DecimalText.whole("-1", as: UInt32.self, isSigned: true) == nil)
        #expect(DecimalText.whole(String(Int.max)) == Int.max && DecimalText.whole("9223372036854775808") == nil)
        for text in Self.wrong + ["2.5", "1e3"] {
            #expect(DecimalText.whole(text) == nil && DecimalText.whole(text, isSigned: true) == nil, "\(text)")
        }
    }

    @Test("hexadecimal numbers have no sign and no prefix")
    func hexadecimal() {
        #expect(DecimalText.hexadecimal("00fF80") == 0xff80 && DecimalText.hexadecimal("ffffffff") == .max)
        for text in ["", "+12345", "-12345", "0x1234", "fffffffff", "１２", "12 "] {
            #expect(DecimalText.hexadecimal(text) == nil, "\(text)")
        }
    }

    @Test("durations have a unit, unless a number by itself has one, and become whole microseconds")
    func durations() {
        for (text, microseconds) in [
            ("500us", 500), ("500µs", 500), ("16ms", 16_000), ("1.5s", 1_500_000), ("0.4us", 0), ("2e3ms", 2_000_000),
        ] {
            #expect(DecimalText.microseconds(text) == Double(microseconds), "\(text)")
        }
        #expect(DecimalText.microseconds("5") == nil && DecimalText.microseconds("5", bare: 1000) == 5000)
        for text in Self.wrong where text != "5s" {
            for unit in ["s", "ms", "us", "µs"] { #expect(DecimalText.microseconds(text + unit) == nil, "\(text)") }
            #expect(DecimalText.microseconds(text, bare: 1) == nil, "\(text)")
        }
        for text in ["-5s", "5m", "5h", "5S", "5 s", "s", "1e308s"] {
            #expect(DecimalText.microseconds(text) == nil, "\(text)")
        }
    }
}
