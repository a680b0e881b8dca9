// Decodes the arguments of one message. Every read is bounds-checked; untrusted bytes never trap.

import MullionSystem

/// Reads arguments, word by word, from a complete message. Valid only while the message is handled.
@safe public struct MessageReader {
    @usableFromInline var words: UnsafeBufferPointer<UInt32>
    @usableFromInline var position = 0
    @usableFromInline let descriptors: DescriptorQueue

    /// `words` is the message without its header and must outlive the reader.
    @inlinable
    public init(words: UnsafeBufferPointer<UInt32>, descriptors: DescriptorQueue) {
        unsafe self.words = words
        self.descriptors = descriptors
    }

    /// Continues with another message, which costs less than another reader.
    mutating func begin(_ words: UnsafeBufferPointer<UInt32>) {
        unsafe self.words = words
        position = 0
    }

    @inlinable
    public mutating func uint() throws(WireError) -> UInt32 {
        guard unsafe position < words.count else { throw .truncated }
        let value = unsafe words[position]
        position += 1
        return value
    }

    @inlinable public mutating func int() throws(WireError) -> Int32 { Int32(bitPattern: try uint()) }
    @inlinable public mutating func fixed() throws(WireError) -> Fixed { Fixed(rawValue: try int()) }

    @inlinable
    public mutating func object() throws(WireError) -> ObjectID {
        let value = try uint()
        guard value != 0 else { throw .unexpectedNull }
        return ObjectID(value)
    }

    @inlinable
    public mutating func optionalObject() throws(WireError) -> ObjectID? {
        let value = try uint()
        return value == 0 ? nil : ObjectID(value)
    }

    public mutating func anyNewID() throws(WireError) -> AnyNewID {
        AnyNewID(interface: try string(), version: try uint(), id: try object())
    }

    public mutating func string() throws(WireError) -> String {
        guard let value = try optionalString() else { throw .unexpectedNull }
        return value
    }

    /// A length with the terminating NUL, the bytes, and padding to a whole word; length 0 means null.
    ///
    /// As with libwayland, a string may be in any encoding, and ends at its first NUL. What is not UTF-8 is replaced by
    /// U+FFFD, so that a program with a title in Latin-1 is not disconnected.
    public mutating func optionalString() throws(WireError) -> String? {
        let length = Int(try uint())
        guard length > 0 else { return nil }
        let bytes = try unsafe take(length)
        guard unsafe bytes[length - 1] == 0 else { throw .invalidString }
        let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(length - 1)])
        if unsafe !text.contains(0), let valid = try? unsafe UTF8Span(validating: text.bindMemory(to: UInt8.self).span)
        {
            return String(copying: valid)
        }
        return unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }

    public mutating func array() throws(WireError) -> [UInt8] {
        let length = Int(try uint())
        return try unsafe Array(take(length))
    }

    @inlinable
    public mutating func descriptor() throws(WireError) -> OwnedDescriptor {
        guard let descriptor = descriptors.popFirst() else { throw .missingDescriptor }
        return descriptor
    }

    /// Throws when arguments are left over.
    @inlinable
    public func finish() throws(WireError) {
        guard unsafe position == words.count else { throw .trailingBytes }
    }

    private mutating func take(_ length: Int) throws(WireError) -> UnsafeRawBufferPointer {
        let needed = (length + 3) / 4
        guard unsafe needed <= words.count - position else { throw .truncated }
        let start = position * 4
        position += needed
        return unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(words)[start..<(start + length)])
    }
}
