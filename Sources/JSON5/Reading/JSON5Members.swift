// Decodes the members of objects.

/// The members of an object.
struct JSON5Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSON5Value
    /// The keys' nodes by name, in an object with many members.
    private let table: [String: Int]?
    /// Objects with more members are searched by a table.
    private static var fewMembers: Int { 16 }

    init(_ object: JSON5Value) {
        self.object = object
        let document = object.reading.document
        table =
            document.nodes[object.index].count <= Self.fewMembers
            ? nil
            : Dictionary(
                document.parts(of: object.index).map { (document.text($0), $0) },
                uniquingKeysWith: { first, _ in first })
    }

    private var document: JSON5Document { object.reading.document }
    var codingPath: [any CodingKey] { object.codingPath }
    var allKeys: [Key] {
        document.parts(of: object.index).filter { !object.reading.isSkipped($0) }
            .compactMap { Key(stringValue: document.text($0)) }
    }

    private func find(_ key: some CodingKey) -> Int? {
        let name = key.stringValue
        let found = table.map { $0[name] } ?? document.key(name, in: object.index)
        return found.flatMap { object.reading.isSkipped($0) ? nil : $0 }
    }

    private func read<Result>(_ key: Key, _ read: (JSON5Value) throws -> Result) throws -> Result {
        guard let found = find(key) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "the key \"\(key.stringValue)\" is missing"))
        }
        return try object.read(found + 1, read)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try read(key) { $0.decodeNil() } }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) { try $0.decode(type) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) { try $0.decode(type) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) { try $0.decode(type) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) { try $0.decode(type) } }
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try read(key) { try $0.decode(type) }
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try read(key) { try $0.decode(type) } }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try read(key) { try $0.container(keyedBy: type) } }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try read(key) { try $0.unkeyedContainer() }
    }

    func superDecoder() throws -> any Decoder { object }
    func superDecoder(forKey key: Key) throws -> any Decoder { try read(key) { $0 } }
}
