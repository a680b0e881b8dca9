// The latest messages of a connection, for people who look for a mistake.

import MullionSystem

/// Keeps the latest requests and events of a connection as they are on the wire, and formats them when they are read.
public final class MessageJournal {
    /// The most messages that are kept.
    public static let capacity = 300
    /// The most words that are kept of one message's arguments.
    private static let longest = 64

    private struct Entry {
        /// Nanoseconds of the monotonic clock.
        var time: UInt64
        var object: ObjectID
        /// The request or event, of which the name and the arguments are read later.
        var type: any WaylandMessage.Type
        var opcode: Int
        var isEvent: Bool
        var words: [UInt32]
    }

    /// One message in readable form.
    public struct Line: Sendable {
        /// Microseconds of the monotonic clock.
        public let time: UInt64
        /// Whether the server sent it.
        public let isEvent: Bool
        public let interface: String
        public let object: UInt32
        public let message: String
        /// "x: 3, y: 4", or why there are none.
        public let arguments: String
    }

    private var ring: [Entry] = []
    private let scratch = OutputBuffer()
    /// How many messages there were, including those no longer kept.
    public private(set) var count = 0

    public init() {}

    /// Keeps a request.
    /// - Parameter arguments: the message without its header.
    @usableFromInline
    func note<M: WaylandMessage>(_ type: M.Type, _ opcode: UInt16, on object: ObjectID, _ reader: MessageReader) {
        let words = unsafe Array(reader.words.prefix(Self.longest))
        append(Entry(time: 0, object: object, type: type, opcode: Int(opcode), isEvent: false, words: words))
    }

    /// Keeps an event.
    @usableFromInline
    func note<M: WaylandMessage>(_ event: M, on object: ObjectID) {
        event.encode(to: scratch, object: object)
        defer { scratch.reset() }
        let count = scratch.wordCount
        guard count >= 2 else { return }
        let words = (2..<min(count, 2 + Self.longest)).map { scratch.word(at: $0) }
        let opcode = Int(scratch.word(at: 1) & 0xffff)
        append(Entry(time: 0, object: object, type: M.self, opcode: opcode, isEvent: true, words: words))
    }

    private func append(_ entry: Entry) {
        var entry = entry
        entry.time = MonotonicClock.nanoseconds
        if ring.count < Self.capacity { ring.append(entry) } else { ring[count % Self.capacity] = entry }
        count += 1
    }

    /// The messages that are kept, in order.
    public var lines: [Line] {
        let first = ring.count < Self.capacity ? 0 : count % Self.capacity
        return (ring[first...] + ring[..<first]).map(Self.line)
    }

    private static func line(_ entry: Entry) -> Line {
        let known = entry.type.descriptions
        let description = entry.opcode < known.count ? known[entry.opcode] : nil
        return Line(
            time: entry.time / 1000, isEvent: entry.isEvent, interface: interface(of: entry.type),
            object: entry.object.rawValue, message: description?.name ?? "request \(entry.opcode)",
            arguments: description.map { text($0.arguments, entry.words) } ?? "unknown")
    }

    /// "wl_surface", from the name of the generated type, WlSurface.Request.
    private static func interface(of type: any WaylandMessage.Type) -> String {
        let parts = String(reflecting: type).split(separator: ".")
        guard parts.count > 1 else { return "" }
        var name = ""
        for character in parts[parts.count - 2] {
            if character.isUppercase, !name.isEmpty { name += "_" }
            name += character.lowercased()
        }
        return name
    }

    private static func text(_ arguments: [ArgumentDescription], _ words: [UInt32]) -> String {
        var left = words[...]
        var parts: [String] = []
        for argument in arguments {
            guard let value = value(argument.kind, &left) else {
                parts.append("…")
                break
            }
            parts.append("\(argument.name): \(value)")
        }
        return parts.joined(separator: ", ")
    }

    /// - Returns: nil when the message or what is kept of it ends before.
    private static func value(_ kind: ArgumentDescription.Kind, _ words: inout ArraySlice<UInt32>) -> String? {
        switch kind {
        case .fd: return "a descriptor"
        case .int: return words.popFirst().map { "\(Int32(bitPattern: $0))" }
        case .uint, .newID: return words.popFirst().map { "\($0)" }
        case .fixed: return words.popFirst().map { "\(Fixed(rawValue: Int32(bitPattern: $0)).double)" }
        case .object: return words.popFirst().map { $0 == 0 ? "none" : "\($0)" }
        case .string: return string(&words)
        case .array:
            guard let length = words.popFirst() else { return nil }
            words = words.dropFirst((Int(length) + 3) / 4)
            return "\(length) bytes"
        case .anyNewID:
            guard let name = string(&words), let version = words.popFirst(), let id = words.popFirst() else {
                return nil
            }
            return "\(id) (\(name), version \(version))"
        }
    }

    private static func string(_ words: inout ArraySlice<UInt32>) -> String? {
        guard let length = words.popFirst() else { return nil }
        guard length > 0 else { return "none" }
        let needed = (Int(length) + 3) / 4
        let isWhole = needed <= words.count
        let bytes = words.prefix(needed).flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        words = words.dropFirst(needed)
        let text = String(decoding: bytes.prefix(Int(length) - 1), as: UTF8.self).printable()
        return "\"\(text)\(isWhole ? "" : "…")\""
    }
}
