// Decodes messages of D-Bus.

/// Reads values one after the other. The bytes come from other programs: every length is checked.
package struct BusReader {
    private let bytes: ArraySlice<UInt8>
    /// Relative to the start of the message's part, which is a multiple of eight.
    private var position = 0
    private let isBigEndian: Bool

    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    var isAtEnd: Bool { position >= bytes.count }

    package mutating func byte() throws(BusError) -> UInt8 {
        guard position < bytes.count else { throw .malformed }
        defer { position += 1 }
        return bytes[bytes.startIndex + position]
    }

    package mutating func uint32() throws(BusError) -> UInt32 {
        try align(4)
        return UInt32(truncatingIfNeeded: try number(4))
    }

    package mutating func int32() throws(BusError) -> Int32 { Int32(bitPattern: try uint32()) }

    package mutating func double() throws(BusError) -> Double {
        try align(8)
        return Double(bitPattern: try number(8))
    }

    /// A string or an object's path.
    package mutating func string() throws(BusError) -> String { try text(length: Int(uint32())) }

    package mutating func signature() throws(BusError) -> String { try text(length: Int(byte())) }

    /// The elements of an array.
    /// - Parameter alignment: that of an element.
    package mutating func array<Element>(
        alignment: Int, _ element: (inout BusReader) throws(BusError) -> Element
    ) throws(BusError) -> [Element] {
        let length = Int(try uint32())
        try align(alignment)
        guard length <= bytes.count - position else { throw .malformed }
        let end = position + length
        var elements: [Element] = []
        while position < end { elements.append(try element(&self)) }
        guard position == end else { throw .malformed }
        return elements
    }

    /// Skips padding; that at the end may be absent.
    package mutating func align(_ size: Int) throws(BusError) { position = (position + size - 1) / size * size }

    private mutating func number(_ size: Int) throws(BusError) -> UInt64 {
        guard bytes.count - position >= size else { throw .malformed }
        let start = bytes.startIndex + position
        position += size
        let part = bytes[start..<start + size]
        return isBigEndian
            ? part.reduce(0) { $0 << 8 | UInt64($1) } : part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func text(length: Int) throws(BusError) -> String {
        guard length < bytes.count - position else { throw .malformed }
        let start = bytes.startIndex + position
        position += length + 1
        return String(decoding: bytes[start..<start + length], as: UTF8.self)
    }
}
