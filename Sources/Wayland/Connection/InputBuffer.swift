// Holds received bytes while they are parsed. All connections of a process share one.

import MullionSystem

/// A fixed, word-aligned buffer. Messages are multiples of four bytes, so every message in it is aligned.
@safe public final class InputBuffer {
    /// The most bytes read from a socket at once; bounds how long one busy client can delay the others.
    public static let size = 16 * 1024
    let words: UnsafeMutablePointer<UInt32>
    let scratch: UnsafeMutablePointer<Int32>

    /// Includes room for an incomplete message left from an earlier read.
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
