// The binary format of a server's state.

/// The first byte of a value: its type, which determines the rest.
package enum StateTag: UInt8 {
    case null
    case no
    case yes
    /// A number ≥ 0 in seven bits per byte, lowest first; the last byte is below 128.
    case number
    /// -1 - n, with n encoded like `number`.
    case negative
    /// Eight bytes of IEEE 754, little-endian; any value.
    case real
    /// A length, encoded like `number`, and that many bytes of UTF-8.
    case text
    /// A length and that many bytes.
    case data
    /// The length of the contents in four bytes, little-endian, and the values.
    case list
    /// The length of the contents in four bytes, little-endian, and the fields: each a name, encoded like `text` without
    /// its tag, and a value.
    case record
}
