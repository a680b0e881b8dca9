// Where received bytes lie while they are parsed. One buffer serves all connections of a process.

import System

/// A fixed, word-aligned buffer. Messages are multiples of four bytes, so every message in it is aligned.
@safe public final class InputBuffer {
    /// Bytes read from a socket at once; bounds how long one busy client can hold up the others.
    public static let size = 16 * 1024
    let words: UnsafeMutablePointer<UInt32>
    let scratch: UnsafeMutablePointer<Int32>

    /// Room for an unfinished message of an earlier read before the new bytes.
    static let capacity = size + 0x10000

    public init() {
        unsafe words = .allocate(capacity: Self.capacity / 4)
        unsafe scratch = .allocate(capacity: UnixSocket.kernelMaximumDescriptors)
    }

    deinit {
        unsafe words.deallocate()
        unsafe scratch.deallocate()
    }
}
