// Decodes the elements of lists.

/// The elements of a list.
struct JSON5Elements: UnkeyedDecodingContainer {
    private let list: JSON5Value
    private var element: Int
    private(set) var currentIndex = 0

    init(_ list: JSON5Value) {
        self.list = list
        element = list.index + 1
        passSkipped()
    }

    private var nodes: [JSON5Document.Node] { list.reading.document.nodes }
    var codingPath: [any CodingKey] { list.codingPath }
    var count: Int? { Int(nodes[list.index].count) }
    var isAtEnd: Bool { element >= Int(nodes[list.index].next) }

    private mutating func passSkipped() {
        while !isAtEnd, list.reading.isSkipped(element) { pass() }
    }

    private mutating func pass() {
        element = Int(nodes[element].next)
        currentIndex += 1
    }

    private mutating func read<Result>(_ read: (JSON5Value) throws -> Result) throws -> Result {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Result.self, .init(codingPath: codingPath, debugDescription: "the list needs more elements"))
        }
        let result = try list.read(element, read)
        pass()
        passSkipped()
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, nodes[element].kind == .null else { return false }
        return try read { $0.decodeNil() }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try read { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try read { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try read { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try read { try $0.decode(type) } }
    mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        try read { try $0.decode(type) }
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try read { try $0.decode(type) } }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try read { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try read { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try read { $0 } }
}
