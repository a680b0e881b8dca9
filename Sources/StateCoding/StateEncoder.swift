// Encodes values as bytes.

/// Encodes values as bytes, with the names of fields, for `StateDecoder`.
///
/// A server's state has some hundred values for each client, and no client is served while it is encoded and decoded:
/// JSON took most of the time of a hand-over. Numbers are exact, including infinities. Restriction: a value requests
/// only one container from its encoder, and finishes a nested container before it continues.
package enum StateEncoder {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let output = StateOutput()
        try output.put(value, at: 0)
        output.close(to: 0)
        guard output.bytes.count <= UInt32.max else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "\(output.bytes.count) bytes exceed the limit"))
        }
        return output.bytes
    }
}

/// The output. Lists and records only grow at their end: appending to one closes those nested in it.
private final class StateOutput {
    var bytes: [UInt8] = []
    /// The positions of the lengths of open containers, outermost first.
    private var open: [Int] = []

    /// Begins a list or a record in the container at `depth`.
    /// - Returns: the new container's depth.
    func begin(_ tag: StateTag, at depth: Int) -> Int {
        close(to: depth)
        put(tag)
        open.append(bytes.count)
        bytes.append(contentsOf: [0, 0, 0, 0])
        return open.count
    }

    /// Closes the containers nested deeper than `depth`.
    func close(to depth: Int) {
        while open.count > depth {
            let place = open.removeLast()
            let length = UInt32(truncatingIfNeeded: bytes.count - place - 4)
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index))) }
        }
    }

    func put(_ tag: StateTag) { bytes.append(tag.rawValue) }

    func put(length: UInt64) {
        var rest = length
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    func put(name: String, at depth: Int) {
        close(to: depth)
        put(length: UInt64(name.utf8.count))
        bytes.append(contentsOf: name.utf8)
    }

    func put(_ value: some FixedWidthInteger) {
        if value >= 0 {
            put(.number)
            put(length: UInt64(value))
        } else {
            put(.negative)
            put(length: UInt64(-1 - value))
        }
    }

    func put(_ value: Bool) { put(value ? .yes : .no) }

    func put(_ value: Double) {
        put(.real)
        unsafe withUnsafeBytes(of: value.bitPattern.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    func put(_ value: String) {
        put(.text)
        put(length: UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// Appends a value to the container at `depth`.
    func put<T: Encodable>(_ value: T, at depth: Int) throws {
        if T.self == StateBytes.self, let data = value as? StateBytes {
            put(.data)
            put(length: UInt64(data.bytes.count))
            bytes.append(contentsOf: data.bytes)
            return
        }
        let start = bytes.count
        try value.encode(to: StateValueEncoder(output: self, depth: depth))
        // The value encoded nothing.
        if bytes.count == start { put(.null) }
    }
}

/// Encodes one value.
private struct StateValueEncoder: Encoder, SingleValueEncodingContainer {
    let output: StateOutput
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(StateKeyedEncodingContainer(output: output, depth: output.begin(.record, at: depth)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        StateListEncoder(output: output, depth: output.begin(.list, at: depth))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { output.put(.null) }
    func encode(_ value: Bool) { output.put(value) }
    func encode(_ value: String) { output.put(value) }
    func encode(_ value: Double) { output.put(value) }
    func encode(_ value: Float) { output.put(Double(value)) }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) { output.put(value) }
    func encode<T: Encodable>(_ value: T) throws { try output.put(value, at: depth) }
}

private struct StateListEncoder: UnkeyedEncodingContainer {
    let output: StateOutput
    let depth: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(output: StateOutput, depth: Int) {
        self.output = output
        self.depth = depth
    }

    private mutating func next() -> StateOutput {
        count += 1
        output.close(to: depth)
        return output
    }

    mutating func encodeNil() { next().put(.null) }
    mutating func encode(_ value: Bool) { next().put(value) }
    mutating func encode(_ value: String) { next().put(value) }
    mutating func encode(_ value: Double) { next().put(value) }
    mutating func encode(_ value: Float) { next().put(Double(value)) }
    mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) { next().put(value) }
    mutating func encode<T: Encodable>(_ value: T) throws { try next().put(value, at: depth) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        StateValueEncoder(output: next(), depth: depth).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        StateValueEncoder(output: next(), depth: depth).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { StateValueEncoder(output: next(), depth: depth) }
}

private struct StateKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: StateOutput
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    private func field(_ key: Key) -> StateOutput {
        output.put(name: key.stringValue, at: depth)
        return output
    }

    func encodeNil(forKey key: Key) { field(key).put(.null) }
    func encode(_ value: Bool, forKey key: Key) { field(key).put(value) }
    func encode(_ value: String, forKey key: Key) { field(key).put(value) }
    func encode(_ value: Double, forKey key: Key) { field(key).put(value) }
    func encode(_ value: Float, forKey key: Key) { field(key).put(Double(value)) }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) { field(key).put(value) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try field(key).put(value, at: depth) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        StateValueEncoder(output: field(key), depth: depth).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        StateValueEncoder(output: field(key), depth: depth).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        output.put(name: "super", at: depth)
        return StateValueEncoder(output: output, depth: depth)
    }

    func superEncoder(forKey key: Key) -> any Encoder { StateValueEncoder(output: field(key), depth: depth) }
}
