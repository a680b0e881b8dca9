// The secret that authenticates clients over TCP.

import DisplayServer

/// A token for one run of the server, and its rights. It never appears in messages or logs.
public struct ControlToken {
    /// 64 hexadecimal digits.
    public let text: String
    public let rights: Rights

    /// A new token, of 256 random bits.
    public init(rights: Rights) {
        var random = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef")
        text = String((0..<64).map { _ in digits[Int(random.next() & 15)] })
        self.rights = rights
    }

    /// Takes the same time for all wrong tokens of the right length, so that they cannot be guessed digit by digit.
    func matches(_ given: Substring) -> Bool {
        let (own, other) = (text.utf8, given.utf8)
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }
}
