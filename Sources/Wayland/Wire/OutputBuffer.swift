// Outgoing messages of a connection: a growing array of words, and the descriptors that go with them.

import MullionSystem

/// Collects encoded messages. The owner sends `pendingBytes` and `descriptors`, then calls `didSend`.
///
/// The state is accessed several times per message, without run-time exclusivity checks: nothing here calls out, so
/// accesses cannot overlap.
@safe public final class OutputBuffer {
    /// In words.
    public static let initialCapacity = 256
    @exclusivity(unchecked) @usableFromInline var words: UnsafeMutablePointer<UInt32>
    @safe @exclusivity(unchecked) @usableFromInline var capacity: Int
    /// Words in the buffer.
    @safe @exclusivity(unchecked) @usableFromInline var count = 0
    @safe @exclusivity(unchecked) @usableFromInline var messageStart = 0
    /// Bytes of those words already sent.
    @safe @exclusivity(unchecked) var sent = 0
    @safe @exclusivity(unchecked) public internal(set) var descriptors: [OwnedDescriptor] = []

    public init(capacity: Int = initialCapacity) {
        self.capacity = max(capacity, 16)
        unsafe words = .allocate(capacity: self.capacity)
    }

    deinit { unsafe words.deallocate() }

    /// Bytes not sent yet.
    public var pendingBytes: Int { count * 4 - sent }
    @inlinable public var isEmpty: Bool { count == 0 }

    @inlinable
    public func begin(_ object: ObjectID, opcode: UInt16) {
        messageStart = count
        reserve(2)
        unsafe words[count] = object.rawValue
        unsafe words[count + 1] = UInt32(opcode)
        count += 2
    }

    /// Fills in the size. A message that exceeds 16 bits is dropped: the caller broke one of its own limits.
    @inlinable
    public func end() {
        let size = (count - messageStart) * 4
        guard size <= 0xffff else {
            count = messageStart
            return
        }
        unsafe words[messageStart + 1] |= UInt32(size) << 16
    }

    @inlinable
    public func put(_ value: UInt32) {
        reserve(1)
        unsafe words[count] = value
        count += 1
    }

    @inlinable public func put(_ value: Int32) { put(UInt32(bitPattern: value)) }
    @inlinable public func put(_ value: Fixed) { put(value.rawValue) }
    @inlinable public func put(_ value: ObjectID) { put(value.rawValue) }
    @inlinable public func put(_ value: ObjectID?) { put(value?.rawValue ?? 0) }
    @inlinable public func put(_ value: OwnedDescriptor) { append(value) }

    public func put(_ value: AnyNewID) {
        put(value.interface)
        put(value.version)
        put(value.id)
    }

    public func put(_ value: String?) {
        guard var value else { return put(UInt32(0)) }
        value.withUTF8 { text in unsafe put(bytes: UnsafeRawBufferPointer(text), terminated: true) }
    }

    public func put(_ value: [UInt8]) {
        unsafe value.withUnsafeBytes { unsafe put(bytes: $0, terminated: false) }
    }

    /// Appends bytes that need not form a message, rounded down to whole words; for tests of the receiving side.
    public func put(raw bytes: [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: 4) {
            var word: UInt32 = 0
            for index in start..<min(start + 4, bytes.count) {
                word |= UInt32(bytes[index]) << UInt32((index - start) * 8)
            }
            put(word)
        }
    }

    @usableFromInline
    func append(_ descriptor: OwnedDescriptor) { descriptors.append(descriptor) }

    private func put(bytes: UnsafeRawBufferPointer, terminated: Bool) {
        let length = bytes.count + (terminated ? 1 : 0)
        let needed = (length + 3) / 4
        put(UInt32(length))
        guard needed > 0 else { return }
        reserve(needed)
        unsafe words[count + needed - 1] = 0
        unsafe UnsafeMutableRawBufferPointer(start: words + count, count: bytes.count).copyMemory(from: bytes)
        count += needed
    }

    @inlinable
    func reserve(_ more: Int) {
        if count + more > capacity { grow(to: count + more) }
    }

    @usableFromInline
    func grow(to needed: Int) {
        let next = max(needed, capacity * 2)
        let bigger = UnsafeMutablePointer<UInt32>.allocate(capacity: next)
        unsafe bigger.update(from: words, count: count)
        unsafe words.deallocate()
        unsafe words = bigger
        capacity = next
    }

    /// The bytes not sent yet.
    func withPending<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe body(UnsafeRawBufferPointer(start: UnsafeRawPointer(words) + sent, count: pendingBytes))
    }

    /// Records what was sent; must not be called within a message. Once most of the buffer is sent, moves the rest to
    /// the front, which moves no more bytes than were sent. Otherwise a peer that never quite catches up would make the
    /// buffer grow without bound.
    func didSend(_ bytes: Int) {
        sent += bytes
        let words = sent / 4
        guard words >= count - words else { return }
        unsafe self.words.update(from: self.words + words, count: count - words)
        count -= words
        sent %= 4
    }

    /// Resets the buffer for reuse, and frees the memory of a burst.
    func reset() {
        count = 0
        sent = 0
        descriptors.removeAll(keepingCapacity: false)
        if capacity > 4 * Self.initialCapacity {
            unsafe words.deallocate()
            capacity = Self.initialCapacity
            unsafe words = .allocate(capacity: capacity)
        }
    }

    /// Words written so far, and one of them by index.
    var wordCount: Int { count }
    func word(at index: Int) -> UInt32 { unsafe words[index] }

    /// All words written so far; for tests and fuzzers.
    public var contents: [UInt32] { unsafe Array(UnsafeBufferPointer(start: words, count: count)) }
}
