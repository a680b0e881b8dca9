// Encodes messages of D-Bus.

/// Little-endian values, aligned as D-Bus requires.
struct BusWriter {
    /// The header fields that a call has.
    enum Field: UInt8 {
        case path = 1
        case interface = 2
        case member = 3
        case errorName = 4
        case replySerial = 5
        case destination = 6
        case sender = 7
        case signature = 8
    }

    private(set) var bytes: [UInt8] = []

    mutating func align(_ size: Int) {
        while bytes.count % size != 0 { bytes.append(0) }
    }

    mutating func put(_ value: UInt8) { bytes.append(value) }

    mutating func put(_ value: UInt32) {
        align(4)
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func put(_ values: [UInt8]) { bytes += values }

    /// A string or an object's path. D-Bus allows no NUL in it.
    mutating func put(_ text: String) {
        let text = text.utf8.filter { $0 != 0 }
        put(UInt32(truncatingIfNeeded: text.count))
        bytes += text
        bytes.append(0)
    }

    /// A header field with a string of the type.
    mutating func putField(_ field: Field, _ type: Character, _ text: String) {
        begin(field, type)
        put(text)
    }

    mutating func putSignature(_ signature: String) {
        begin(.signature, "g")
        bytes.append(UInt8(truncatingIfNeeded: signature.utf8.count))
        bytes += signature.utf8
        bytes.append(0)
    }

    private mutating func begin(_ field: Field, _ type: Character) {
        align(8)
        bytes += [field.rawValue, 1, type.asciiValue ?? 0, 0]
    }
}
