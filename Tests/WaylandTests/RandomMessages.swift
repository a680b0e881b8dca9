// Generates random messages from the descriptions alone.

import CMullionLinux
import Glibc
import MullionSystem
import MullionWayland
import TestSupport

/// Writes arguments as the wire format defines them, independently of the generated encoders.
struct RandomMessages {
    var random: SeededRandom

    /// The words of one message with valid arguments, and its number of descriptors.
    mutating func sound(_ description: MessageDescription, object: UInt32, opcode: Int) -> (
        words: [UInt32], descriptors: Int
    ) {
        var body: [UInt32] = []
        var descriptors = 0
        for argument in description.arguments {
            switch argument.kind {
            case .int, .uint, .fixed: body.append(UInt32.random(in: 0...UInt32.max, using: &random))
            case .object:
                body.append(
                    argument.allowsNull && Bool.random(using: &random) ? 0 : UInt32.random(in: 1...1000, using: &random)
                )
            case .newID: body.append(UInt32.random(in: 1...1000, using: &random))
            case .anyNewID:
                body += string(Int.random(in: 0...30, using: &random))
                body += [UInt32.random(in: 0...9, using: &random), UInt32.random(in: 1...1000, using: &random)]
            case .string:
                body +=
                    argument.allowsNull && Bool.random(using: &random)
                    ? [0] : string(Int.random(in: 0...70, using: &random))
            case .array:
                body += bytes(
                    (0..<Int.random(in: 0...70, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            case .fd: descriptors += 1
            }
        }
        return ([object, UInt32(body.count * 4 + 8) << 16 | UInt32(opcode)] + body, descriptors)
    }

    private mutating func string(_ length: Int) -> [UInt32] {
        let alphabet = Array("abc xyz äöü € 🙂".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(alphabet.randomElement(using: &random) ?? "a") }
        return bytes(Array(String(text).utf8) + [0])
    }

    private func bytes(_ bytes: [UInt8]) -> [UInt32] {
        var words = [UInt32(bytes.count)]
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var word: UInt32 = 0
            for index in start..<min(start + 4, bytes.count) {
                word |= UInt32(bytes[index]) << UInt32((index - start) * 8)
            }
            words.append(word)
        }
        return words
    }
}

/// Decodes one message of an interface and encodes it again.
func reencode<M: WaylandMessage>(
    _ type: M.Type, opcode: Int, words: [UInt32], descriptors: Int, version: UInt32
) throws -> (words: [UInt32], descriptors: Int) {
    let queue = DescriptorQueue()
    for _ in 0..<descriptors { queue.append(OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))) }
    return try words.dropFirst(2).withContiguousStorageIfAvailable { body in
        var reader = MessageReader(words: body, descriptors: queue)
        let message = try M(opcode: UInt16(opcode), version: version, from: &reader)
        let out = OutputBuffer()
        message.encode(to: out, object: ObjectID(words[0]))
        return (out.contents, out.descriptors.count)
    } ?? ([], 0)
}
