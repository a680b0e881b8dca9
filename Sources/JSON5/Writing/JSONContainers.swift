// The containers through which values write JSON.

/// A value.
struct JSONValueEncoder: Encoder, SingleValueEncodingContainer {
    private let writer: JSONWriter
    private let place: JSONWriter.Place

    init(_ writer: JSONWriter, _ place: JSONWriter.Place) { (self.writer, self.place) = (writer, place) }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.begin(.object, at: place)
        return KeyedEncodingContainer(JSONObjectEncoder(writer, place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.begin(.list, at: place)
        return JSONListEncoder(writer, place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { try writer.write(at: place) { $0.append("null") } }
    func encode(_ value: Bool) throws { try writer.write(at: place) { $0.append(value ? "true" : "false") } }
    func encode(_ value: String) throws { try writer.write(at: place) { $0.append(text: value) } }
    func encode(_ value: Double) throws { try writer.write(at: place) { $0.append(number: value) } }
    func encode(_ value: Float) throws { try writer.write(at: place) { $0.append(number: value) } }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
        try writer.write(at: place) { $0.append(number: value) }
    }
    func encode(_ value: some Encodable) throws { try value.encode(to: self) }
}

/// A list.
struct JSONListEncoder: UnkeyedEncodingContainer {
    private let writer: JSONWriter
    private let list: JSONWriter.Place
    private(set) var count = 0

    init(_ writer: JSONWriter, _ list: JSONWriter.Place) { (self.writer, self.list) = (writer, list) }

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() throws { try add { $0.append("null") } }
    mutating func encode(_ value: Bool) throws { try add { $0.append(value ? "true" : "false") } }
    mutating func encode(_ value: String) throws { try add { $0.append(text: value) } }
    mutating func encode(_ value: Double) throws { try add { $0.append(number: value) } }
    mutating func encode(_ value: Float) throws { try add { $0.append(number: value) } }
    mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
        try add { $0.append(number: value) }
    }
    mutating func encode(_ value: some Encodable) throws {
        count += 1
        try writer.element(of: list, value)
    }

    private mutating func add(_ write: (inout JSONBytes) -> Void) throws {
        count += 1
        try writer.element(of: list, write)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        element().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { element() }

    private mutating func element() -> JSONValueEncoder {
        count += 1
        return writer.element(of: list)
    }
}

/// An object.
struct JSONObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let writer: JSONWriter
    private let object: JSONWriter.Place

    init(_ writer: JSONWriter, _ object: JSONWriter.Place) { (self.writer, self.object) = (writer, object) }

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { try writer.member(key.stringValue, of: object) { $0.append("null") } }
    func encode(_ value: Bool, forKey key: Key) throws {
        try writer.member(key.stringValue, of: object) { $0.append(value ? "true" : "false") }
    }
    func encode(_ value: String, forKey key: Key) throws {
        try writer.member(key.stringValue, of: object) { $0.append(text: value) }
    }
    func encode(_ value: Double, forKey key: Key) throws {
        try writer.member(key.stringValue, of: object) { $0.append(number: value) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try writer.member(key.stringValue, of: object) { $0.append(number: value) }
    }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws {
        try writer.member(key.stringValue, of: object) { $0.append(number: value) }
    }
    func encode(_ value: some Encodable, forKey key: Key) throws {
        try writer.member(key.stringValue, of: object, value)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { writer.member(key.stringValue, of: object).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        writer.member(key.stringValue, of: object).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { writer.member("super", of: object) }
    func superEncoder(forKey key: Key) -> any Encoder { writer.member(key.stringValue, of: object) }
}
