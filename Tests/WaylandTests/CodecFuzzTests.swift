// Nearly valid messages: the codec decodes or rejects them, and never reads out of bounds.

import MullionWayland
import TestSupport
import Testing

@Suite struct CodecFuzzTests {
    /// Numbers that provoke errors in lengths, ids and types.
    private static let interesting: [UInt32] = [
        0, 1, 2, 3, 4, 5, 255, 0xffff, 0x1_0000, 0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0xff00_0000, 0xffff_fffc,
        0xffff_fffd, 0xffff_ffff,
    ]

    @Test("520,000 mutated messages are decoded or rejected; those decoded survive a round trip")
    func mutated() throws {
        var messages = RandomMessages(random: SeededRandom())
        let report = try fuzz("Codec", count: 520_000) { random in
            messages.random = random
            defer { random = messages.random }
            return try Self.next(&messages)
        } read: {
            try Self.read($0)
        }
        #expect(report.accepted > 10_000 && report.refused > 10_000, "\(report)")
    }

    /// Interface, request (0) or event (1), opcode, number of descriptors, and the words of the message.
    private static func next(_ messages: inout RandomMessages) throws -> [UInt8] {
        let interface = Int.random(in: 0..<allInterfaces.count, using: &messages.random)
        let isEvent = Bool.random(using: &messages.random)
        let descriptions = descriptions(allInterfaces[interface], isEvent)
        guard let opcode = descriptions.indices.randomElement(using: &messages.random) else { return [] }
        var (words, descriptors) = messages.sound(descriptions[opcode], object: 7, opcode: opcode)
        for _ in 0..<Int.random(in: 0...2, using: &messages.random) {
            let word = Int.random(in: 2...max(2, words.count - 1), using: &messages.random)
            switch Int.random(in: 0..<8, using: &messages.random) {
            case 0: words.append(interesting.randomElement(using: &messages.random) ?? 0)
            case 1: if words.count > 2 { words.removeLast() }
            case 2: descriptors = max(0, descriptors - 1)
            case 3: if word < words.count { words[word] ^= 1 << UInt32.random(in: 0..<32, using: &messages.random) }
            case 4: if word < words.count { words[word] &+= UInt32.random(in: 0...8, using: &messages.random) &- 4 }
            default: if word < words.count { words[word] = interesting.randomElement(using: &messages.random) ?? 0 }
            }
        }
        var bytes: [UInt8] = [UInt8(interface), isEvent ? 1 : 0, UInt8(opcode), UInt8(descriptors)]
        words.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    private static func descriptions<I: WaylandInterface>(_ interface: I.Type, _ isEvent: Bool) -> [MessageDescription]
    {
        isEvent ? I.Event.descriptions : I.Request.descriptions
    }

    private static func read(_ bytes: [UInt8]) throws -> Bool {
        guard bytes.count >= 12, Int(bytes[0]) < allInterfaces.count else { return false }
        let words = bytes.dropFirst(4).withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
        let interface = allInterfaces[Int(bytes[0])]
        return try readOne(of: interface, bytes, words)
    }

    private static func readOne<I: WaylandInterface>(
        of interface: I.Type, _ head: [UInt8], _ words: [UInt32]
    ) throws -> Bool {
        guard head[1] == 1 else { return try readMessage(I.Request.self, head, words, I.version) }
        return try readMessage(I.Event.self, head, words, I.version)
    }

    private static func readMessage<M: WaylandMessage>(
        _ type: M.Type, _ head: [UInt8], _ words: [UInt32], _ version: UInt32
    ) throws -> Bool {
        let (opcode, descriptors) = (Int(head[2]), Int(head[3]))
        do {
            let once = try reencode(
                type, opcode: opcode, words: words, descriptors: descriptors, version: version)
            let twice = try reencode(
                type, opcode: opcode, words: once.words, descriptors: once.descriptors, version: version)
            guard once == twice else { throw FixtureError("\(words) is encoded as \(once), then as \(twice)") }
            return true
        } catch is WireError {
            return false
        }
    }
}
