// PNG files made of chunks, valid ones and others.

/// A PNG file of single chunks, with right checksums whatever they contain.
struct PNGFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    var chunks: [(type: [UInt8], data: [UInt8])] = []

    /// Splits a valid file.
    init(_ bytes: [UInt8]) {
        var place = Self.signature.count
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            chunks.append((Array(bytes[place + 4..<place + 8]), Array(bytes[place + 8..<place + 8 + length])))
            place += 12 + length
        }
    }

    var bytes: [UInt8] {
        chunks.reduce(into: Self.signature) { bytes, chunk in
            let body = chunk.type + chunk.data
            bytes += Self.word(UInt32(chunk.data.count)) + body + Self.word(Self.checksum(body))
        }
    }

    /// Writes another size into the header.
    mutating func setSize(_ width: UInt32, _ height: UInt32) {
        chunks[0].data.replaceSubrange(0..<8, with: Self.word(width) + Self.word(height))
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// CRC-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
        }
        return ~sum
    }
}
