// D-Bus's messages, as a bus of the tests' own reads and writes them: also those that no program may send.

import TestSupport

/// Little-endian values, aligned as D-Bus requires.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func align(_ size: Int) {
        while bytes.count % size != 0 { bytes.append(0) }
    }

    mutating func put(_ values: [UInt8]) { bytes += values }

    mutating func put(_ value: UInt32) {
        align(4)
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// A string or an object's path.
    mutating func put(_ text: String) {
        put(UInt32(text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }

    mutating func putSignature(_ signature: String) {
        bytes.append(UInt8(signature.utf8.count))
        bytes += signature.utf8
        bytes.append(0)
    }

    mutating func putVariant(_ text: String) {
        putSignature("s")
        put(text)
    }

    mutating func putArray(alignment: Int, _ fill: (inout WireWriter) -> Void) {
        var elements = WireWriter()
        fill(&elements)
        put(UInt32(elements.bytes.count))
        align(alignment)
        put(elements.bytes)
    }

    /// A header field with a string of the type; "u": the number in it.
    mutating func putField(_ field: UInt8, _ type: Character, _ text: String) {
        align(8)
        bytes += [field, 1, type.asciiValue ?? 0, 0]
        switch type {
        case "g": putSignature(text)
        case "u": put(UInt32(text) ?? 0)
        default: put(text)
        }
    }
}

/// Reads values one after the other.
struct WireReader {
    private let bytes: ArraySlice<UInt8>
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func align(_ size: Int) { position = (position + size - 1) / size * size }

    mutating func byte() throws -> UInt8 { try take(1)[0] }

    mutating func uint32() throws -> UInt32 {
        align(4)
        return try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func string() throws -> String { try text(Int(uint32())) }

    mutating func signature() throws -> String { try text(Int(byte())) }

    private mutating func text(_ length: Int) throws -> String {
        String(decoding: try take(length + 1).dropLast(), as: UTF8.self)
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        guard bytes.count - position >= count else { throw FixtureError("a message is too short") }
        defer { position += count }
        return Array(bytes[bytes.startIndex + position..<bytes.startIndex + position + count])
    }
}

/// A call as a program receives it.
struct IncomingCall {
    var serial: UInt32
    var destination = ""
    var path = ""
    var member = ""
    var strings: [String] = []

    /// The length of the message that begins here; nil while too little has arrived.
    static func length(_ bytes: ArraySlice<UInt8>) throws -> Int? {
        guard bytes.count >= 16 else { return nil }
        var head = WireReader(bytes)
        for _ in 0..<4 { _ = try head.byte() }
        let body = Int(try head.uint32())
        _ = try head.uint32()
        let length = (16 + Int(try head.uint32()) + 7) / 8 * 8 + body
        return length <= bytes.count ? length : nil
    }

    init(_ bytes: ArraySlice<UInt8>) throws {
        var head = WireReader(bytes)
        for _ in 0..<4 { _ = try head.byte() }
        let length = Int(try head.uint32())
        serial = try head.uint32()
        let fields = Int(try head.uint32())
        var reader = WireReader(bytes.dropFirst(16).prefix(fields))
        var signature = ""
        while !reader.isAtEnd {
            reader.align(8)
            let field = try reader.byte()
            let type = try reader.signature()
            let value =
                type == "u" ? String(try reader.uint32()) : type == "g" ? try reader.signature() : try reader.string()
            switch field {
            case 1: path = value
            case 3: member = value
            case 6: destination = value
            case 8: signature = value
            default: break
            }
        }
        var body = WireReader(bytes.suffix(length))
        for type in signature where type == "s" { strings.append(try body.string()) }
    }

    /// - Parameter sender: nil: who was called.
    func reply(
        _ signature: String, sender: String? = nil, to serial: UInt32? = nil, _ fill: (inout WireWriter) -> Void
    ) -> [UInt8] {
        var body = WireWriter()
        fill(&body)
        var fields = WireWriter()
        fields.putField(5, "u", String(serial ?? self.serial))
        fields.putField(7, "s", sender ?? destination)
        fields.putField(8, "g", signature)
        return Self.message(2, fields, body)
    }

    func error(_ name: String) -> [UInt8] {
        var fields = WireWriter()
        fields.putField(5, "u", String(serial))
        fields.putField(7, "s", destination)
        fields.putField(4, "s", name)
        return Self.message(3, fields, WireWriter())
    }

    static func message(_ kind: UInt8, _ fields: WireWriter, _ body: WireWriter) -> [UInt8] {
        var message = WireWriter()
        message.put([UInt8(ascii: "l"), kind, 0, 1])
        message.put(UInt32(body.bytes.count))
        message.put(UInt32(7))
        message.put(UInt32(fields.bytes.count))
        message.put(fields.bytes)
        message.align(8)
        message.put(body.bytes)
        return message.bytes
    }
}
