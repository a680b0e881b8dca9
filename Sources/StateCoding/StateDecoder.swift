// Decodes values from bytes.

/// Decodes the output of `StateEncoder`. Fields are looked up by name: optional fields may be absent, as in the state
/// of an older server, and unknown fields are skipped.
///
/// The input is not trusted: invalid bytes throw, and nothing is read beyond the end.
package enum StateDecoder {
    /// - Throws: `DecodingError`.
    package static func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        let input = StateInput(bytes)
        let value = StateValue(input: input, start: 0, end: bytes.count)
        guard try input.end(of: 0, before: bytes.count) == bytes.count else {
            throw StateInput.damaged("unexpected bytes after the value")
        }
        return try value.decode(type)
    }
}

/// The input.
private final class StateInput {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func damaged(_ what: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: what))
    }

    func tag(at start: Int, before end: Int) throws -> StateTag {
        guard start < end, let tag = StateTag(rawValue: bytes[start]) else { throw Self.damaged("expected a value") }
        return tag
    }

    /// Reads a variable-length number with seven bits per byte.
    /// - Parameter place: advanced past the number.
    func number(at place: inout Int, before end: Int) throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard place < end else { break }
            let byte = bytes[place]
            place += 1
            guard shift < 63 || byte <= 1 else { break }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        throw Self.damaged("unterminated number")
    }

    /// Reads a length at `place`, and returns the range of that many bytes.
    func span(at place: inout Int, before end: Int) throws -> Range<Int> {
        let length = try number(at: &place, before: end)
        guard length <= UInt64(end - place) else { throw Self.damaged("a length exceeds the input") }
        return place..<place + Int(length)
    }

    /// The range of the contents of the list or record at `start`.
    func contents(at start: Int, before end: Int) throws -> Range<Int> {
        guard end - start >= 5 else { throw Self.damaged("truncated length") }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[start + 1 + $1]) << (8 * $1) }
        guard length <= end - start - 5 else { throw Self.damaged("a length exceeds the input") }
        return start + 5..<start + 5 + length
    }

    /// The end of the value at `start`.
    func end(of start: Int, before end: Int) throws -> Int {
        var place = start + 1
        switch try tag(at: start, before: end) {
        case .null, .no, .yes: return place
        case .number, .negative:
            _ = try number(at: &place, before: end)
            return place
        case .real:
            guard end - place >= 8 else { throw Self.damaged("truncated number") }
            return place + 8
        case .text, .data: return try span(at: &place, before: end).upperBound
        case .list, .record: return try contents(at: start, before: end).upperBound
        }
    }

    /// Adds the key of a field or an element to the path of decoding errors.
    static func at<Result>(_ key: @autoclosure () -> any CodingKey, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as DecodingError {
            func inside(_ context: DecodingError.Context) -> DecodingError.Context {
                DecodingError.Context(
                    codingPath: [key()] + context.codingPath, debugDescription: context.debugDescription)
            }
            switch error {
            case .dataCorrupted(let context): throw DecodingError.dataCorrupted(inside(context))
            case .keyNotFound(let missing, let context): throw DecodingError.keyNotFound(missing, inside(context))
            case .typeMismatch(let type, let context): throw DecodingError.typeMismatch(type, inside(context))
            case .valueNotFound(let type, let context): throw DecodingError.valueNotFound(type, inside(context))
            @unknown default: throw error
            }
        }
    }

    func text(_ span: Range<Int>) throws -> String {
        guard let text = String(validating: bytes[span], as: UTF8.self) else {
            throw Self.damaged("invalid UTF-8")
        }
        return text
    }
}

/// A value in the input.
private struct StateValue: Decoder, SingleValueDecodingContainer {
    let input: StateInput
    let start: Int
    /// The end of the value or of its container.
    let end: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(StateKeyedDecodingContainer(input, try contents(.record)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { StateListDecoder(input, try contents(.list)) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func contents(_ tag: StateTag) throws -> Range<Int> {
        guard try input.tag(at: start, before: end) == tag else { throw other("a \(tag)") }
        return try input.contents(at: start, before: end)
    }

    private func other(_ wanted: String) -> DecodingError { StateInput.damaged("expected \(wanted)") }

    func decodeNil() -> Bool { start < end && input.bytes[start] == StateTag.null.rawValue }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch try input.tag(at: start, before: end) {
        case .no: false
        case .yes: true
        default: throw other("a boolean")
        }
    }

    func decode(_ type: String.Type) throws -> String {
        guard try input.tag(at: start, before: end) == .text else { throw other("a string") }
        var place = start + 1
        return try input.text(input.span(at: &place, before: end))
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard try input.tag(at: start, before: end) == .real, end - start >= 9 else { throw other("a real number") }
        let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(input.bytes[start + 1 + $1]) << (8 * UInt64($1)) }
        return Double(bitPattern: bits)
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        var place = start + 1
        let number: T? =
            switch try input.tag(at: start, before: end) {
            case .number: T(exactly: try input.number(at: &place, before: end))
            case .negative:
                Int64(exactly: try input.number(at: &place, before: end)).flatMap { T(exactly: -1 - $0) }
            default: throw other("an integer")
            }
        guard let number else { throw other("an integer from \(T.min) to \(T.max)") }
        return number
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type == StateBytes.self, try input.tag(at: start, before: end) == .data {
            var place = start + 1
            let bytes = Array(input.bytes[try input.span(at: &place, before: end)])
            if let value = StateBytes(bytes) as? T { return value }
        }
        return try T(from: self)
    }
}

private struct StateListDecoder: UnkeyedDecodingContainer {
    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { "Index \(intValue ?? 0)" }

        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    private let input: StateInput
    private let end: Int
    private var place: Int
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var isAtEnd: Bool { place >= end }

    init(_ input: StateInput, _ contents: Range<Int>) {
        self.input = input
        place = contents.lowerBound
        end = contents.upperBound
    }

    private mutating func next() throws -> StateValue {
        let start = place
        place = try input.end(of: start, before: end)
        currentIndex += 1
        return StateValue(input: input, start: start, end: place)
    }

    mutating func decodeNil() throws -> Bool {
        guard try input.tag(at: place, before: end) == .null else { return false }
        _ = try next()
        return true
    }

    private mutating func read<Result>(_ read: (StateValue) throws -> Result) throws -> Result {
        let index = currentIndex
        return try StateInput.at(Index(intValue: index)) { try read(next()) }
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
    mutating func superDecoder() throws -> any Decoder { try next() }
}

/// The name of a damaged field, for errors.
private struct FieldName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ input: StateInput, _ name: Range<Int>) { stringValue = (try? input.text(name)) ?? "a field" }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// Fields are usually read in the order in which they were written, so a search begins at the field found last.
private final class StateKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let input: StateInput
    private let contents: Range<Int>
    /// The start of the field found last.
    private var last: Int
    var codingPath: [any CodingKey] { [] }

    init(_ input: StateInput, _ contents: Range<Int>) {
        self.input = input
        self.contents = contents
        last = contents.lowerBound
    }

    /// The name and the value of the field at `place`.
    private func field(at place: Int) throws -> (name: Range<Int>, value: StateValue) {
        var start = place
        let name = try input.span(at: &start, before: contents.upperBound)
        let end = try StateInput.at(FieldName(input, name)) {
            try input.end(of: name.upperBound, before: contents.upperBound)
        }
        return (name, StateValue(input: input, start: name.upperBound, end: end))
    }

    private func find(_ name: String) throws -> StateValue? {
        let wanted = name.utf8
        func search(_ range: Range<Int>) throws -> StateValue? {
            var place = range.lowerBound
            while place < range.upperBound {
                let field = try field(at: place)
                if field.name.count == wanted.count, input.bytes[field.name].elementsEqual(wanted) {
                    last = place
                    return field.value
                }
                place = field.value.end
            }
            return nil
        }
        let start = last
        return try search(start..<contents.upperBound) ?? search(contents.lowerBound..<start)
    }

    private func value(_ key: some CodingKey) throws -> StateValue {
        guard let value = try find(key.stringValue) else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: [], debugDescription: "missing field \(key.stringValue)"))
        }
        return value
    }

    private func read<Result>(_ key: Key, _ read: (StateValue) throws -> Result) throws -> Result {
        let value = try value(key)
        return try StateInput.at(key) { try read(value) }
    }

    /// The keys before the first invalid field.
    var allKeys: [Key] {
        var keys: [Key] = []
        var place = contents.lowerBound
        while place < contents.upperBound, let field = try? field(at: place) {
            if let key = (try? input.text(field.name)).flatMap({ Key(stringValue: $0) }) { keys.append(key) }
            place = field.value.end
        }
        return keys
    }

    /// True for an invalid field, so that decoding it throws.
    func contains(_ key: Key) -> Bool {
        do {
            return try find(key.stringValue) != nil
        } catch {
            return true
        }
    }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
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

    func superDecoder() throws -> any Decoder {
        guard let value = try find("super") else { throw StateInput.damaged("missing field super") }
        return value
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}
