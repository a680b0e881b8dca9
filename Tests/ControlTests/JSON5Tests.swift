// Configuration files: what is accepted, and how mistakes are reported.

import ConfigurationSections
import FoundationEssentials
import JSON5
import TestSupport
import Testing

@testable import Displays

@Suite struct JSON5Tests {
    private func firstMistake(in bytes: [UInt8], _ dialect: JSON5Document.Dialect = .json5) -> JSON5Mistake? {
        do throws(JSON5Mistake) {
            _ = try JSON5Document(bytes, dialect)
            return nil
        } catch {
            return error
        }
    }

    private func firstMistake(in text: String, _ dialect: JSON5Document.Dialect = .json5) -> JSON5Mistake? {
        firstMistake(in: Array(text.utf8), dialect)
    }

    @Test(
        "JSON5 is accepted: comments, bare keys, single quotes, trailing commas, hexadecimal, signs",
        arguments: [
            "{}", "[]", "{ a: 1, }", "// c\n{ /* d */ 'a': [1, 2,], \"b\": +.5e3, c: 0xff, d: -Infinity }", "'x'",
            "null",
        ])
    func accepted(text: String) {
        #expect(firstMistake(in: text) == nil)
    }

    @Test(
        "a mistake is reported with its line and column",
        arguments: [
            ("{\n  a: 1,,\n}", 2, 8), ("{ a 1 }", 1, 5), ("{ a: }", 1, 6), ("[1, 2", 1, 1), ("{}\n{}", 2, 1),
            ("{ a: 'x\n' }", 1, 6), ("/* x", 1, 1), ("", 1, 1), ("{ a: 1 b: 2 }", 1, 8),
            ("{ a: 1,\n b: 2, a: 3 }", 2, 8), ("{ 'a': 1, \"\\u0061\": 3 }", 1, 11),
            ("{ a-b: 1 }", 1, 3), ("[yes]", 1, 2), ("[1.2.3]", 1, 2), ("[1e+]", 1, 2), ("[0x]", 1, 2), ("[+]", 1, 2),
            ("[.]", 1, 2), ("[007]", 1, 2), ("['\\u12']", 1, 3),
            ("['\\ud800x']", 1, 3), ("['\\8']", 1, 3), ("['a\\", 1, 2), ("[\"\\x4\"]", 1, 3),
        ] as [(String, Int, Int)])
    func mistakes(text: String, line: Int, column: Int) {
        let mistake = firstMistake(in: text)
        #expect(mistake?.line == line && mistake?.column == column, "\(String(describing: mistake))")
    }

    @Test(
        "bodies are JSON: no comments, bare keys, single quotes, trailing commas, or other numbers",
        arguments: [
            ("// c\n1", 1, 1, "JSON has no comments"), ("{a: 1}", 1, 2, "\"a\" needs double quotes"),
            ("['x']", 1, 2, "double quotes"), ("[1,]", 1, 3, "unexpected comma before ]"),
            ("{\"a\": 1,\n}", 1, 8, "unexpected comma before }"), ("[0xff]", 1, 2, "\"0xff\" is not a number"),
            ("[.5]", 1, 2, "is not a number"), ("[+1]", 1, 2, "is not a number"), ("[NaN]", 1, 2, "is not a value"),
            ("[\"a\tb\"]", 1, 4, "control character 9"), ("[\"\\v\"]", 1, 3, "unknown escape sequence"),
        ] as [(String, Int, Int, String)])
    func strict(text: String, line: Int, column: Int, message: String) {
        let mistake = firstMistake(in: text, .json)
        #expect(mistake?.line == line && mistake?.column == column, "\(String(describing: mistake))")
        #expect(mistake?.message.contains(message) == true, "\(String(describing: mistake))")
    }

    /// Everything that a value can be.
    private struct Sample: Decodable, Equatable {
        enum Choice: String, Decodable, CaseIterable { case one, two }
        var text: String?
        var numbers: [Double]?
        var small: Int8?
        var large: UInt64?
        var choice: Choice?
        var bytes: Base64?
        var names: [String: Int]?
        var flag: Bool?
    }

    @Test("strings and numbers mean what the grammar says, in either dialect")
    func values() throws {
        let text = #"""
            { text: 'a\u00e9\ud83d\ude00\x41\n\0\
            b\'\q"', numbers: [.5, 5., +1e2, 0x1F, -0xa, -Infinity, 1.5E-1], small: -128, large: 18446744073709551615,
              choice: 'two', bytes: 'AQI=', names: { 'a.b': 1, '2': 3e0 }, flag: null }
            """#
        var sample = Sample()
        sample.text = "aé😀A\n\0b'q\""
        sample.numbers = [0.5, 5, 100, 31, -10, -.infinity, 0.15]
        (sample.small, sample.large, sample.choice) = (-128, .max, .two)
        (sample.bytes, sample.names) = (Base64([1, 2]), ["a.b": 1, "2": 3])
        #expect(try JSON5Document(Array(text.utf8)).decode(Sample.self) == sample)
        let many = Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", $0) })
        let json = "{" + many.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
        #expect(try JSON5Document(Array(json.utf8), .json).decode([String: Int].self) == many)
        let repeated = json.dropLast() + ", \"k5\": 5}"
        #expect(firstMistake(in: String(repeated), .json)?.message == "the key \"k5\" is repeated")
    }

    @Test(
        "a value of another kind is reported with its place, the way to it, and what is allowed",
        arguments: [
            ("{ text: 5 }", "line 1, column 3: text: expected a string, found 5"),
            ("{\n flag: 'x' }", "line 2, column 2: flag: expected true or false, found \"x\""),
            ("{ numbers: [1, null] }", "line 1, column 16: numbers[1]: expected a number, found null"),
            ("{ numbers: {} }", "line 1, column 3: numbers: expected a list, found an object"),
            ("{ small: 128 }", "line 1, column 3: small: expected a whole number from -128 to 127, found 128"),
            ("{ small: 0.5 }", "line 1, column 3: small: expected a whole number from -128 to 127, found 0.5"),
            ("{ large: -1 }", "line 1, column 3: large: expected a whole number of at least 0, found -1"),
            ("{ choice: 'three' }", "line 1, column 3: choice: \"three\" is not one of one, two"),
            ("{ bytes: '!' }", "line 1, column 3: bytes: expected base64, found \"!\""),
            ("{ names: { 'x': [] } }", "line 1, column 12: names.x: expected a whole number, found a list"),
            ("[true]", "line 1, column 1: expected an object, found a list"),
        ])
    func kinds(text: String, description: String) throws {
        let document = try JSON5Document(Array(text.utf8))
        let mistake = #expect(throws: JSON5Mistake.self) { try document.decode(Sample.self) }
        #expect(mistake?.description == description)
    }

    @Test("all mistakes of a value are found, but none that only follow from others")
    func all() throws {
        let text = """
            { name: 'x', vendor: 'v', model: 'm', modes: ['1x1'], colour: 1, scale: 'big', port: 5, hue: 2 }
            """
        var mistakes: [JSON5Mistake] = []
        let document = try JSON5Document(Array(text.utf8))
        #expect(document.decode(DisplayModel.self, mistakes: &mistakes, limit: 9) == nil)
        let found = mistakes.map(\.description)
        #expect(
            found == [
                "line 1, column 55: unknown key \"colour\"; \(Self.allowed)",
                "line 1, column 89: unknown key \"hue\"; \(Self.allowed)",
                "line 1, column 66: scale: expected a number, found \"big\"",
                "line 1, column 80: port: expected a string, found 5",
            ], "\(found)")
        #expect(mistakes.map(\.pointer) == ["/colour", "/hue", "/scale", "/port"])
        #expect(document.mistake(atPointer: "/modes/0").column == 47)
        #expect(document.mistake(atPointer: "/modes/9/x").column == 39)
    }

    @Test("mistakes of needed keys are each reported once; the limit is kept")
    func limit() throws {
        let document = try JSON5Document(
            Array("{ name: 5, vendor: 5, model: 5, modes: ['1x1'], serial: 5, port: 5, pnp: null }".utf8))
        var mistakes: [JSON5Mistake] = []
        #expect(document.decode(DisplayModel.self, mistakes: &mistakes, limit: 9) == nil)
        #expect(
            mistakes.map(\.text)
                == ["name", "vendor", "model", "serial", "port"].map { "\($0): expected a string, found 5" })
        let list = try JSON5Document(Array("[\(String(repeating: "'x',", count: 50))]".utf8))
        mistakes = []
        #expect(list.decode([Int].self, mistakes: &mistakes, limit: 20) == nil)
        #expect(mistakes.count == 20 && mistakes.last?.keys == [.element(19)])
    }

    private static let allowed =
        "use one of " + DisplayModel.CodingKeys.allCases.map(\.rawValue).sorted().joined(separator: ", ")

    @Test(
        "a number without a place in a Double is a mistake; small and special ones are none",
        arguments: [
            ("[1, 1e999]", "line 1, column 5: [1]: the number 1e999 is too large"),
            ("[-1e999]", "line 1, column 2: [0]: the number -1e999 is too large"),
            ("[1e-999]", "line 1, column 2: [0]: the number 1e-999 is too close to 0"),
            ("[0e-999, 0.0, 1e300, -1e-300, -Infinity, NaN, 0x1e999, .5]", nil),
        ] as [(String, String?)])
    func numbers(text: String, mistake: String?) throws {
        let document = try JSON5Document(Array(text.utf8))
        var found: [JSON5Mistake] = []
        #expect((document.decode([Double].self, mistakes: &found, limit: 9) == nil) == (mistake != nil))
        #expect(found.map(\.description) == [mistake].compactMap(\.self))
    }

    @Test("numbers of few digits have the value that the standard library gives them")
    func plainNumbers() throws {
        var random = SeededRandom()
        func digits(_ most: Int) -> String {
            (0..<Int.random(in: 1...most, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }
                .joined()
        }
        var texts = [
            "0", "-0", "0.0", "-0.0", "00.5", "999999999999999", "9999999999999999", "0.99999999999999", "-.5",
        ]
        texts += (0..<20_000).map { number in
            let whole = "\(Int(digits(9)) ?? 0)"
            return (number % 2 == 0 ? "" : "-") + (number % 3 == 0 ? whole : whole + "." + digits(9))
        }
        for text in texts {
            guard let document = try? JSON5Document(Array(text.utf8), .json) else {
                #expect(["00.5", "-.5"].contains(text))
                continue
            }
            let (value, expected) = (try document.decode(Double.self), try #require(Double(text)))
            #expect(value.bitPattern == expected.bitPattern, "\(text), seed \(random.seed)")
            let whole = try? document.decode(Int32.self)
            #expect(whole == Int32(exactly: expected), "\(text), seed \(random.seed)")
        }
    }

    @Test("a number that is too large hides no other mistake, whatever was expected in its place")
    func otherMistakes() throws {
        let text = "{ numbers: [1e999, true], small: 1e-999, text: 1e999, flag: 3 }"
        var mistakes: [JSON5Mistake] = []
        #expect(try JSON5Document(Array(text.utf8)).decode(Sample.self, mistakes: &mistakes, limit: 9) == nil)
        let found = mistakes.map { "\($0.pointer): \($0.message)" }.sorted()
        #expect(
            found == [
                "/flag: expected true or false, found 3", "/numbers/0: the number 1e999 is too large",
                "/numbers/1: expected a number, found true", "/small: the number 1e-999 is too close to 0",
                "/text: the number 1e999 is too large",
            ], "\(found)")
    }

    @Test(
        "invalid UTF-8 is reported with its position, in keys too",
        arguments: [("{\n né", [0xff], 2, 5), ("'x", [0xe2, 0x82], 1, 3), ("", [0xc0, 0x80], 1, 1)]
            as [(String, [UInt8], Int, Int)])
    func broken(text: String, bytes: [UInt8], line: Int, column: Int) {
        let whole = Array(text.utf8) + bytes + Array("': 1 }".utf8)
        let mistake = firstMistake(in: whole)
        #expect(mistake == .init(line: line, column: column, message: "the text is not UTF-8"))
        #expect(throws: JSON5Error.self) { try JSON5.decode(LimitsSection.self, from: whole, file: "f") }
    }

    @Test("deep nesting is refused instead of overflowing the stack")
    func deep() {
        #expect(firstMistake(in: String(repeating: "[", count: 100_000))?.message == "nested too deeply")
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
            try JSON5.decode(DisplayModel.self, from: Array(text.utf8), file: "m.json5")
        }
        #expect(failure?.description.hasPrefix("m.json5:1:") == true)
        #expect(failure?.description.contains(word) == true, "\(failure?.description ?? "")")
    }
}
