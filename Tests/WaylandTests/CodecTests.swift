// Encodes and decodes messages.

import MullionWayland
import TestSupport
import Testing

@Suite struct CodecTests {
    @Test("every message of every interface survives decoding and encoding, word for word")
    func roundTrips() throws {
        var messages = RandomMessages(random: SeededRandom())
        var count = 0
        for interface in allInterfaces {
            count += try roundTrip(interface, &messages)
        }
        #expect(allInterfaces.count >= 28)
        #expect(count > 150, "messages seen: \(count)")
    }

    private func roundTrip<I: WaylandInterface>(_ interface: I.Type, _ messages: inout RandomMessages) throws -> Int {
        try roundTrip(I.Request.self, I.name, I.version, &messages)
            + roundTrip(I.Event.self, I.name, I.version, &messages)
    }

    private func roundTrip<M: WaylandMessage>(
        _ type: M.Type, _ interface: String, _ version: UInt32, _ messages: inout RandomMessages
    ) throws -> Int {
        for (opcode, description) in M.descriptions.enumerated() {
            for _ in 0..<20 {
                let sound = messages.sound(description, object: 7, opcode: opcode)
                let again = try reencode(
                    type, opcode: opcode, words: sound.words, descriptors: sound.descriptors, version: version)
                #expect(again.words == sound.words, "\(interface).\(description.name), seed \(messages.random.seed)")
                #expect(again.descriptors == sound.descriptors)
            }
        }
        return M.descriptions.count
    }

    @Test("a message cut off anywhere, or longer than its arguments, is refused and never traps")
    func cutOff() throws {
        var messages = RandomMessages(random: SeededRandom())
        for interface in allInterfaces { try cut(interface, &messages) }
    }

    private func cut<I: WaylandInterface>(_ interface: I.Type, _ messages: inout RandomMessages) throws {
        for (opcode, description) in I.Request.descriptions.enumerated() {
            let sound = messages.sound(description, object: 7, opcode: opcode)
            for length in 2..<sound.words.count {
                #expect(throws: WireError.self) {
                    try reencode(
                        I.Request.self, opcode: opcode, words: Array(sound.words[..<length]),
                        descriptors: sound.descriptors, version: I.version)
                }
            }
            #expect(throws: WireError.trailingBytes) {
                try reencode(
                    I.Request.self, opcode: opcode, words: sound.words + [0], descriptors: sound.descriptors,
                    version: I.version)
            }
            guard sound.descriptors > 0 else { continue }
            #expect(throws: WireError.missingDescriptor) {
                try reencode(I.Request.self, opcode: opcode, words: sound.words, descriptors: 0, version: I.version)
            }
        }
    }

    @Test("requests newer than the bound version, and opcodes that do not exist, are refused")
    func versions() {
        #expect(throws: WireError.invalidOpcode) {
            try reencode(WlSurface.Request.self, opcode: 9, words: [1, 0, 0, 0, 0, 0], descriptors: 0, version: 3)
        }
        #expect(throws: WireError.invalidOpcode) {
            try reencode(WlSurface.Request.self, opcode: 77, words: [1, 0], descriptors: 0, version: 5)
        }
    }

    @Test(
        "strings without NUL, null, or longer than the message are refused",
        arguments: [[UInt32(4), 0x6161_6161], [0xffff_ffff, 0], [0], [5, 0x6161_6161]])
    func badStrings(body: [UInt32]) {
        #expect(throws: WireError.self) {
            try reencode(XdgToplevel.Request.self, opcode: 2, words: [1, 0] + body, descriptors: 0, version: 5)
        }
    }

    @Test("a string ends at its first NUL, and what is not UTF-8 is replaced, as no other server refuses either")
    func repairedStrings() throws {
        for (word, text) in [
            (0x0061_0061, "a"), (0x0062_e461, "a\u{fffd}b"), (0x00ff_ffff, "\u{fffd}\u{fffd}\u{fffd}"),
        ]
            as [(UInt32, String)]
        {
            let again = try reencode(
                XdgToplevel.Request.self, opcode: 2, words: [1, 0, 4, word], descriptors: 0, version: 5)
            let expected = try reencode(
                XdgToplevel.Request.self, opcode: 2, words: [1, 0] + Self.words(of: text), descriptors: 0, version: 5)
            #expect(again.words == expected.words, "\(text)")
        }
    }

    /// A string as it is on the wire.
    private static func words(of text: String) -> [UInt32] {
        var bytes = Array(text.utf8) + [0]
        let length = UInt32(bytes.count)
        while bytes.count % 4 != 0 { bytes.append(0) }
        return [length]
            + stride(from: 0, to: bytes.count, by: 4).map { first in
                (0..<4).reduce(0) { $0 | UInt32(bytes[first + $1]) << (8 * $1) }
            }
    }

    @Test("W2: levels that the wire format cannot represent are rejected; others are exact")
    func fixed() {
        for value in [0, 2000, -1, 0.00390625, 8_388_607, -8_388_607.5] {
            #expect(Fixed(exactly: value)?.double == value)
        }
        for value in [0.1, .nan, .infinity, 8_388_609, 1.0 / 512] { #expect(Fixed(exactly: value) == nil) }
    }
}
