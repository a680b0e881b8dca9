// Encodes requests to an X server.

/// Requests, little-endian, one after the other.
struct XWriter {
    private(set) var bytes: [UInt8] = []
    private var start = 0

    /// Begins a request.
    mutating func begin(_ opcode: UInt8, _ data: UInt8 = 0) {
        start = bytes.count
        put(opcode)
        put(data)
        put(UInt16(0))
    }

    /// Pads the request to whole words and writes its length.
    mutating func end() {
        while (bytes.count - start) % 4 != 0 { bytes.append(0) }
        let words = UInt16(truncatingIfNeeded: (bytes.count - start) / 4)
        bytes[start + 2] = UInt8(truncatingIfNeeded: words)
        bytes[start + 3] = UInt8(truncatingIfNeeded: words >> 8)
    }

    mutating func put(_ value: UInt8) { bytes.append(value) }

    mutating func put(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func put(_ value: UInt32) {
        put(UInt16(truncatingIfNeeded: value))
        put(UInt16(truncatingIfNeeded: value >> 16))
    }

    mutating func put(_ window: XWindowID) { put(window.rawValue) }

    mutating func put(_ atom: XAtom) { put(atom.rawValue) }

    mutating func put(_ values: some Sequence<UInt8>) { bytes.append(contentsOf: values) }

    /// Forgets bytes that were sent.
    mutating func removeFirst(_ count: Int) { bytes.removeFirst(min(count, bytes.count)) }

    /// Little-endian words, as properties of format 32 hold them.
    static func words(_ values: some Sequence<UInt32>) -> [UInt8] {
        var writer = XWriter()
        for value in values { writer.put(value) }
        return writer.bytes
    }
}
