// Configuration files: what is accepted, and how mistakes are reported.

import ConfigurationSections
import FoundationEssentials
import JSON5
import Testing

@testable import Displays

@Suite struct JSON5Tests {
    @Test(
        "JSON5 is accepted: comments, bare keys, single quotes, trailing commas, hexadecimal, signs",
        arguments: [
            "{}", "[]", "{ a: 1, }", "// c\n{ /* d */ 'a': [1, 2,], \"b\": +.5e3, c: 0xff, d: -Infinity }", "'x'",
            "null",
        ])
    func accepted(text: String) {
        #expect(JSON5Syntax.firstMistake(in: text.utf8) == nil)
    }

    @Test(
        "a mistake is reported with its line and column",
        arguments: [
            ("{\n  a: 1,,\n}", 2, 8), ("{ a 1 }", 1, 5), ("{ a: }", 1, 6), ("[1, 2", 1, 1), ("{}\n{}", 2, 1),
            ("{ a: 'x\n' }", 1, 6), ("/* x", 1, 1), ("", 1, 1), ("{ a: 1 b: 2 }", 1, 8),
        ] as [(String, Int, Int)])
    func mistakes(text: String, line: Int, column: Int) {
        let mistake = JSON5Syntax.firstMistake(in: text.utf8)
        #expect(mistake?.line == line && mistake?.column == column, "\(String(describing: mistake))")
    }

    @Test(
        "a number without a place in a Double is a mistake; small and special ones are none",
        arguments: [
            ("[1, 1e999]", "line 1, column 5: the number 1e999 is too large"),
            ("{ a: -1e999 }", "line 1, column 6: the number -1e999 is too large"),
            ("1e-999", "line 1, column 1: the number 1e-999 is too close to 0"),
            ("[0e-999, 0.0, 1e300, -1e-300, -Infinity, NaN, 0x1e999, .5, '1e999', { e999: 1 }]", nil),
        ] as [(String, String?)])
    func numbers(text: String, mistake: String?) {
        #expect(JSON5Syntax.firstMistake(in: text.utf8)?.description == mistake)
    }

    @Test(
        "invalid UTF-8 is reported with its position, in keys too",
        arguments: [("{\n né", [0xff], 2, 5), ("'x", [0xe2, 0x82], 1, 3), ("", [0xc0, 0x80], 1, 1)]
            as [(String, [UInt8], Int, Int)])
    func broken(text: String, bytes: [UInt8], line: Int, column: Int) {
        let whole = Array(text.utf8) + bytes + Array("': 1 }".utf8)
        let mistake = JSON5Syntax.firstMistake(in: whole)
        #expect(mistake == .init(line: line, column: column, message: "the text is not UTF-8"))
        #expect(throws: JSON5Error.self) { try JSON5.decode(LimitsSection.self, from: Data(whole), file: "f") }
    }

    @Test("deep nesting is refused instead of overflowing the stack")
    func deep() {
        #expect(JSON5Syntax.firstMistake(in: String(repeating: "[", count: 100_000).utf8) != nil)
    }

    @Test(
        "unknown keys, wrong types and impossible values of a display model name file, key and what is allowed",
        arguments: [
            ("{ nam: 'x' }", "nam"), ("{ name: 'x', vendor: 'v', model: 'm', modes: '60' }", "modes"),
            ("{ name: 'x', vendor: 'v', model: 'm', modes: ['60'] }", "WIDTHxHEIGHT"),
            ("{ name: 'x', vendor: 'v', model: 'm', modes: ['1x1'], scale: 0 }", "scale"),
            ("{ name: 'x', vendor: 'v', model: 'm', modes: ['1x1'], kind: 'y' }", "builtIn"),
        ])
    func models(text: String, word: String) {
        let failure = #expect(throws: JSON5Error.self) {
            try JSON5.decode(DisplayModel.self, from: Data(text.utf8), file: "m.json5")
        }
        #expect(failure?.description.hasPrefix("m.json5: ") == true)
        #expect(failure?.description.contains(word) == true, "\(failure?.description ?? "")")
    }
}
