// STRING is Latin-1, whatever programs put on the clipboard.

/// Converts text that arrives in pieces.
public struct TextConversion: Sendable {
    public enum Kind: Hashable, Sendable {
        case none
        case latin1ToUTF8
        /// Characters that Latin-1 lacks become question marks.
        case utf8ToLatin1
    }

    private let kind: Kind
    /// The value of a character whose bytes have not all arrived, and how many are missing.
    private var partial: UInt32 = 0
    private var missing = 0

    public init(_ kind: Kind) { self.kind = kind }

    public mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        switch kind {
        case .none: return bytes
        case .latin1ToUTF8:
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            for byte in bytes {
                if byte < 0x80 {
                    result.append(byte)
                } else {
                    result.append(0xc0 | byte >> 6)
                    result.append(0x80 | byte & 0x3f)
                }
            }
            return result
        case .utf8ToLatin1:
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            for byte in bytes { add(byte, to: &result) }
            return result
        }
    }

    private mutating func add(_ byte: UInt8, to result: inout [UInt8]) {
        let question = UInt8(ascii: "?")
        if missing > 0, byte & 0xc0 == 0x80 {
            partial = partial << 6 | UInt32(byte & 0x3f)
            missing -= 1
            if missing == 0 { result.append(UInt8(exactly: partial) ?? question) }
            return
        }
        if missing > 0 { result.append(question) }
        missing = 0
        switch byte {
        case 0..<0x80: result.append(byte)
        case 0xc0..<0xe0: (partial, missing) = (UInt32(byte & 0x1f), 1)
        case 0xe0..<0xf0: (partial, missing) = (UInt32(byte & 0x0f), 2)
        case 0xf0..<0xf8: (partial, missing) = (UInt32(byte & 0x07), 3)
        default: result.append(question)
        }
    }
}
