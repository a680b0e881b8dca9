// The state of a server, encoded to bytes and decoded.

import StateCoding
import TestSupport
import Testing

@Suite struct StateRoundTripTests {
    private enum Kind: Codable, Hashable {
        case none
        case one(Int?)
        case two(name: String, of: [Kind])
    }

    private enum Word: String, Codable { case left, right }

    private struct Everything: Codable, Equatable {
        var small: Int8 = -128
        var byte: UInt8 = 255
        var least: Int64 = .min
        var most: UInt64 = .max
        var reals = [0.1, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 1e300]
        var single: Float = 0.1
        var yes = true
        var no = false
        var text = "é漢😀\0\""
        var long = String(repeating: "x", count: 300)
        var data = StateBytes([0, 255, 7])
        var nothing: Int?
        var something: Int? = 1
        var optionals: [Int?] = [nil, 3, nil]
        var kinds: [Kind] = [.none, .one(nil), .one(5), .two(name: "a", of: [.none, .two(name: "", of: [])])]
        var word = Word.right
        var words = ["a": [1, 2], "": []]
        var numbers = [3: "three", -4: "four"]
        var empty: [String] = []
        var lists: [[[Int]]] = [[], [[]], [[1], [2, 3]]]
    }

    private struct Older: Codable, Equatable {
        var yes: Bool
        var text: String
        var added: Int?
    }

    @Test("every value survives encoding and decoding")
    func roundTrip() throws {
        let value = Everything()
        let bytes = try StateEncoder.encode(value)
        let read = try StateDecoder.decode(Everything.self, from: bytes)
        #expect(read == value)
        #expect(read.reals.map(\.bitPattern) == value.reals.map(\.bitPattern))
        #expect(try StateDecoder.decode([Double].self, from: StateEncoder.encode([Double.nan]))[0].isNaN)
        #expect(try StateDecoder.decode(Int.self, from: StateEncoder.encode(-7)) == -7)
        #expect(try StateDecoder.decode(Int?.self, from: StateEncoder.encode(Int?.none)) == nil)
    }

    @Test("fields are found by name: unknown ones are ignored, and missing ones are named")
    func fields() throws {
        let bytes = try StateEncoder.encode(Everything())
        #expect(
            try StateDecoder.decode(Older.self, from: bytes) == Older(yes: true, text: "é漢😀\0\"", added: nil))
        let older = try StateEncoder.encode(Older(yes: true, text: "", added: 2))
        #expect {
            try StateDecoder.decode(Everything.self, from: older)
        } throws: { error in
            guard case .keyNotFound(let key, _)? = error as? DecodingError else { return false }
            return key.stringValue == "small"
        }
    }

    private struct Outer<Inner: Codable>: Codable { var inner: [Inner] }

    @Test("errors say where they are; a damaged field is not taken for a missing one")
    func places() throws {
        func explain(_ read: () throws -> Void) throws -> String {
            do {
                try read()
                return "read"
            } catch let error as DecodingError {
                return error.explanation
            }
        }
        let older = try StateEncoder.encode(Outer(inner: [Older(yes: true, text: "")]))
        let missing = try explain { _ = try StateDecoder.decode(Outer<Everything>.self, from: older) }
        #expect(missing.contains("inner") && missing.contains("0") && missing.contains("small"), "\(missing)")
        let big = try StateEncoder.encode(Outer(inner: [1, 2, 256]))
        let number = try explain { _ = try StateDecoder.decode(Outer<UInt8>.self, from: big) }
        #expect(number.contains("inner") && number.contains("2") && number.contains("0 to 255"), "\(number)")
        #expect(missing == "inner[0]: the key \"small\" is missing")
        #expect(number == "inner[2]: expected an integer from 0 to 255")
        // Whatever is read, the damaged field is named, not the one that is looked for.
        var long = try StateEncoder.encode(Outer(inner: [Older(yes: true, text: ""), Older(yes: true, text: "abc")]))
        let length = try #require(long.lastIndex(of: 3))
        long[length] = 99
        let cut = try explain { _ = try StateDecoder.decode(Outer<Older>.self, from: long) }
        #expect(cut == "inner[1].text: a length exceeds the input")
        var bytes = try StateEncoder.encode(Older(yes: true, text: "x", added: 7))
        bytes[bytes.count - 2] = 99
        #expect(throws: DecodingError.self) { try StateDecoder.decode(Older.self, from: bytes) }
    }

    @Test("a number that does not fit, a value of another kind and one byte less or more are errors")
    func mistakes() throws {
        #expect(throws: DecodingError.self) { try StateDecoder.decode(UInt8.self, from: StateEncoder.encode(256)) }
        #expect(throws: DecodingError.self) { try StateDecoder.decode(UInt64.self, from: StateEncoder.encode(-1)) }
        #expect(throws: DecodingError.self) {
            try StateDecoder.decode(Int64.self, from: StateEncoder.encode(UInt64.max))
        }
        #expect(throws: DecodingError.self) { try StateDecoder.decode(Int.self, from: StateEncoder.encode("1")) }
        #expect(throws: DecodingError.self) { try StateDecoder.decode(Word.self, from: StateEncoder.encode("up")) }
        let bytes = try StateEncoder.encode(Everything())
        for count in 0..<bytes.count {
            #expect(throws: DecodingError.self) {
                try StateDecoder.decode(Everything.self, from: Array(bytes[..<count]))
            }
        }
        #expect(throws: DecodingError.self) { try StateDecoder.decode(Everything.self, from: bytes + [0]) }
    }

    @Test("40,000 mutated states are decoded or refused")
    func mutated() throws {
        let corpus = [
            try StateEncoder.encode(Everything()), try StateEncoder.encode([Kind.two(name: "x", of: [.none])]),
        ]
        let report = try fuzz("States", count: 40_000, corpus: corpus, words: ["small", "kinds", "\u{8}", "\u{9}"]) {
            bytes in
            (try? StateDecoder.decode(Everything.self, from: bytes)) != nil
                || (try? StateDecoder.decode([Kind].self, from: bytes)) != nil
        }
        #expect(report.accepted > 100 && report.refused > 1000, "\(report)")
    }
}
