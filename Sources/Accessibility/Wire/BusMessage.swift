// Messages that arrive from a bus.

/// A message with its header decoded.
package struct BusMessage {
    enum Kind: UInt8 {
        case call = 1
        case answer = 2
        case error = 3
        case signal = 4
    }

    /// D-Bus's own limit.
    private static let maximum = 128 << 20
    /// The part of the header before its fields.
    private static let start = 16

    /// Nil for a kind that may be added to D-Bus.
    let kind: Kind?
    private(set) var replySerial: UInt32?
    private(set) var errorName = ""
    private(set) var sender = ""
    package private(set) var signature = ""
    package let body: BusReader

    /// The length of the message that begins here; nil while too little has arrived.
    static func length(_ bytes: ArraySlice<UInt8>) throws(BusError) -> Int? {
        guard bytes.count >= start else { return nil }
        let (fields, body) = try lengths(bytes)
        return (start + fields + 7) / 8 * 8 + body
    }

    private static func lengths(_ bytes: ArraySlice<UInt8>) throws(BusError) -> (fields: Int, body: Int) {
        var reader = BusReader(bytes.prefix(start), isBigEndian: try isBigEndian(bytes))
        for _ in 0..<4 { _ = try reader.byte() }
        let body = Int(try reader.uint32())
        _ = try reader.uint32()
        let fields = Int(try reader.uint32())
        guard body <= maximum, fields <= maximum else { throw .malformed }
        return (fields, body)
    }

    private static func isBigEndian(_ bytes: ArraySlice<UInt8>) throws(BusError) -> Bool {
        switch bytes.first {
        case UInt8(ascii: "l"): return false
        case UInt8(ascii: "B"): return true
        default: throw .malformed
        }
    }

    /// - Parameter bytes: as many as `length` returned.
    init(_ bytes: ArraySlice<UInt8>) throws(BusError) {
        let isBigEndian = try Self.isBigEndian(bytes)
        kind = Kind(rawValue: bytes[bytes.startIndex + 1])
        let (fields, count) = try Self.lengths(bytes)
        body = BusReader(bytes.suffix(count), isBigEndian: isBigEndian)
        var reader = BusReader(bytes.dropFirst(Self.start).prefix(fields), isBigEndian: isBigEndian)
        while !reader.isAtEnd {
            try reader.align(8)
            let field = BusWriter.Field(rawValue: try reader.byte())
            switch try reader.signature() {
            case "u":
                let value = try reader.uint32()
                if field == .replySerial { replySerial = value }
            case "g":
                let value = try reader.signature()
                if field == .signature { signature = value }
            case "s", "o":
                let value = try reader.string()
                if field == .errorName { errorName = value }
                if field == .sender { sender = value }
            default: throw .malformed
            }
        }
    }
}
