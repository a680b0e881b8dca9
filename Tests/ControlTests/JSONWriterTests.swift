// The API's JSON is that of Foundation's encoder, byte for byte.

import ControlProtocol
import FoundationEssentials
import JSON5
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

/// What the API's JSON was first defined by.
private func reference(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

private func written(_ value: some Encodable) throws -> String {
    String(decoding: try JSONWriter.encode(value), as: UTF8.self)
}

@Suite struct JSONWriterTests {
    @Test("any values, keys and containers")
    func values() throws {
        var random = SeededRandom()
        for _ in 0..<5000 {
            let value = [Sample(depth: 0, &random)]
            #expect(try written(value) == reference(value), "seed \(random.seed)")
        }
    }

    @Test("numbers: shortest digits, without \".0\"")
    func numbers() throws {
        var random = SeededRandom()
        let edges: [Double] = [
            0, -0.0, 1, -1, 0.1, 0x1p24, 0x1p24 - 1, 0x1p53, -0x1p53 - 2, 0x1p54, 1e16, 1e20, .pi, .infinity,
            -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]
        let doubles = edges + (0..<20_000).map { _ in Double(bitPattern: random.next()) }
        #expect(try written(doubles) == reference(doubles))
        let decimals = (0..<20_000).map { _ in Double(Int32.random(in: .min ... .max, using: &random)) / 1000 }
        #expect(try written(decimals) == reference(decimals))
        let floats = (0..<20_000).map { _ in Float(bitPattern: UInt32.random(in: 0 ... .max, using: &random)) }
        #expect(try written(floats) == reference(floats))
        let signed = [0, .min, .max] + (0..<1000).map { _ in Int64.random(in: .min ... .max, using: &random) >> 20 }
        #expect(try written(signed) == reference(signed))
        let powers = (0..<64).flatMap { [UInt64(1) << $0, (UInt64(1) << $0) - 1] } + [.max, 9, 10, 99, 100]
        #expect(try written(powers) == reference(powers))
        #expect(try written([Int8.min, .max]) == "[-128,127]")
    }

    @Test("text: all characters of one byte, and others")
    func text() throws {
        let texts = (0..<128).map { String(UnicodeScalar(UInt8($0))) + "a/é€😀\"\\" } + ["", "\u{85}\u{2028}"]
        #expect(try written(texts) == reference(texts))
        let names = Dictionary(texts.map { ($0, $0) }) { first, _ in first }
        #expect(try written(names) == reference(names))
    }

    @Test("what is nested too deeply, or not in order, is refused")
    func refusals() throws {
        func nested(_ depth: Int) -> JSON { (1..<depth).reduce(.array([])) { value, _ in .array([value]) } }
        #expect(try written(nested(511)) == reference(nested(511)))
        #expect(throws: EncodingError.self) { try written(nested(512)) }
        #expect(throws: EncodingError.self) { try written(nested(5000)) }
        #expect(throws: EncodingError.self) { try written(Twice()) }
        #expect(throws: EncodingError.self) { try written(Late()) }
        #expect(throws: EncodingError.self) { try written(Nothing()) }
        #expect(try written([Nothing()]) == reference([Nothing()]))
    }

    @Test("payloads of a server with screens, windows, surfaces and input")
    func payloads() throws {
        let fixture = try ServerFixture()
        let model = fixture.model
        for number in 0..<20 {
            let window = try model.createWindow(application: model.addApplication(name: "a \"\(number)\"\t"))
            try model.setTitle("title \(number) / ü", of: window)
            try model.setRoot(model.createSurface(), of: window)
            try model.setFrame(Rect(x: 0.1 * Double(number), y: -3, width: 1e3 / 7, height: 50), of: window)
            if number % 2 == 0 { try model.setHidden(false, of: window) }
        }
        let windows = model.windows.compactMap { model.window($0) }
        let screens = model.screens.compactMap { model.screen($0) }
        #expect(try written(API.Tree(model)) == reference(API.Tree(model)))
        for window in windows {
            let payload = API.Window(window, in: fixture.server)
            #expect(try written(payload) == reference(payload))
        }
        for screen in screens {
            let payload = API.Screen(screen, in: model)
            #expect(try written(payload) == reference(payload))
        }
        let document = try APIDocument().json
        #expect(try written(document) == reference(document))
        let keyboard = API.Keyboard(fixture.server.keyboard)
        #expect(try written(keyboard) == reference(keyboard))
    }
}

/// A random value.
private indirect enum Sample: Encodable {
    case null, nothing
    case bool(Bool)
    case integer(Int)
    case byte(UInt8)
    case double(Double)
    case text(String)
    case list([Sample], nested: Bool)
    case dictionary([String: Sample])
    /// Written with several containers, and with keys that repeat.
    case object([(key: String, value: Sample)], split: Int)
    case nested([(key: String, value: [Sample])])

    init(depth: Int, _ random: inout SeededRandom) {
        let isLeaf = depth > 4
        switch Int.random(in: 0..<(isLeaf ? 7 : 14), using: &random) {
        case 0: self = .null
        case 1: self = .nothing
        case 2: self = .bool(.random(using: &random))
        case 3: self = .integer(.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<60, using: &random))
        case 4: self = .byte(.random(in: 0 ... .max, using: &random))
        case 5: self = .double(Double(Int.random(in: -9999...9999, using: &random)) / 16)
        case 6: self = .text(Self.word(&random))
        case 7, 8: self = .list(Self.some(depth, &random), nested: .random(using: &random))
        case 9:
            self = .dictionary(Dictionary(Self.members(depth, &random).map { ($0.key, $0.value) }) { $1 })
        case 10:
            self = .nested(Self.members(depth, &random).map { ($0.key, Self.some(depth, &random)) })
        default:
            let members = Self.members(depth, &random)
            self = .object(members, split: .random(in: 0...members.count, using: &random))
        }
    }

    private static func some(_ depth: Int, _ random: inout SeededRandom) -> [Sample] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in Sample(depth: depth + 1, &random) }
    }

    private static func members(_ depth: Int, _ random: inout SeededRandom) -> [(key: String, value: Sample)] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in (word(&random), Sample(depth: depth + 1, &random)) }
    }

    private static func word(_ random: inout SeededRandom) -> String {
        let letters = ["a", "b", "B", "location", "\"", "\n", "\u{1}", "/", "é", "\u{7f}", "zz", "_"]
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
            .joined()
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .nothing: break
        case .bool(let value): try value.encode(to: encoder)
        case .integer(let value): try value.encode(to: encoder)
        case .byte(let value): try value.encode(to: encoder)
        case .double(let value): try value.encode(to: encoder)
        case .text(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .list(let values, false): try values.encode(to: encoder)
        case .list(let values, true):
            var list = encoder.unkeyedContainer()
            for value in values {
                var inner = list.nestedUnkeyedContainer()
                try inner.encode(value)
                try inner.encodeNil()
                try list.encode(true)
                try value.encode(to: list.superEncoder())
            }
        case .dictionary(let values): try values.encode(to: encoder)
        case .object(let members, let split):
            var first = encoder.container(keyedBy: Name.self)
            for (key, value) in members[..<split] { try first.encode(value, forKey: Name(key)) }
            var second = encoder.container(keyedBy: Name.self)
            for (key, value) in members[split...] { try second.encode(value, forKey: Name(key)) }
        case .nested(let members):
            var object = encoder.container(keyedBy: Name.self)
            var seen: Set<String> = []
            for (key, values) in members where seen.insert(key).inserted {
                var inner = object.nestedContainer(keyedBy: Name.self, forKey: Name(key))
                for (index, value) in values.enumerated() { try inner.encode(value, forKey: Name("\(-index)")) }
                try object.encode(index(key), forKey: Name(key + "+"))
                seen.insert(key + "+")
            }
        }
    }

    private func index(_ key: String) -> Int? { key.isEmpty ? nil : key.utf8.count }
}

private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// Two values in one place.
private struct Twice: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
    }
}

/// A nested container that is used after its parent went on.
private struct Late: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var inner = container.nestedUnkeyedContainer()
        try container.encode(1)
        try inner.encode(2)
    }
}

private struct Nothing: Encodable {
    func encode(to encoder: any Encoder) throws {}
}
