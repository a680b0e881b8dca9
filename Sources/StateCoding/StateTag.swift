// How values lie in the state that a server leaves.

/// The first byte of a value, which says what follows.
package enum StateTag: UInt8 {
    case null
    case no
    case yes
    /// A number from 0, seven bits a byte, the lowest first; the last byte is below 128.
    case number
    /// -1 - n, n likewise.
    case negative
    /// Eight bytes of IEEE 754, the lowest first, whatever number they are.
    case real
    /// A length as a number is, and so many bytes of UTF-8.
    case text
    /// A length, and so many bytes.
    case data
    /// Four bytes with the length of the rest, the lowest first, and values.
    case list
    /// Four bytes with the length of the rest, and fields: a length, the name in so many bytes of UTF-8, and a value.
    case record
}
