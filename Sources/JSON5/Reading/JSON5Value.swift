// Decodes the values of a document.

/// What the values of a document share while they are decoded.
final class JSON5Reading {
    let document: JSON5Document
    let userInfo: [CodingUserInfoKey: Any]
    /// The keys and elements that are treated as absent, by their nodes.
    var skipped: Set<Int> = []

    init(_ document: JSON5Document, _ userInfo: [CodingUserInfoKey: Any]) {
        self.document = document
        self.userInfo = userInfo
    }

    /// The values of another kind that are decoded all the same, as false, 0 or nothing.
    var excused: Set<Int> = []

    func isSkipped(_ part: Int) -> Bool { !skipped.isEmpty && skipped.contains(part) }
}

/// An error, and the innermost value that was being decoded.
struct JSON5Trace: Error {
    let error: any Error
    /// Its node.
    let value: Int
}

/// A value of a document.
struct JSON5Value: Decoder, SingleValueDecodingContainer {
    let reading: JSON5Reading
    /// Its node.
    let index: Int

    var document: JSON5Document { reading.document }
    var node: JSON5Document.Node { document.nodes[index] }
    var codingPath: [any CodingKey] { document.keys(to: index).map(JSON5.AnyKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

    // MARK: Containers

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard node.kind == .object else { throw mismatch(type, "an object") }
        return KeyedDecodingContainer(JSON5Members(self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard node.kind == .list else { throw mismatch([Any].self, "a list") }
        return JSON5Elements(self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Decodes a part of this value, or throws a `JSON5Trace`.
    func read<Result>(_ index: Int, _ read: (JSON5Value) throws -> Result) throws -> Result {
        do {
            return try read(JSON5Value(reading: reading, index: index))
        } catch let trace as JSON5Trace {
            throw trace
        } catch {
            throw JSON5Trace(error: error, value: index)
        }
    }

    // MARK: Single values

    func decodeNil() -> Bool { node.kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch node.kind {
        case .yes: true
        case .no: false
        default: try excuse(false, "true or false")
        }
    }

    func decode(_ type: String.Type) throws -> String {
        guard node.kind == .string || node.kind == .escaped else { return try excuse("", "a string") }
        return document.text(index)
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard node.kind == .number else { return try excuse(0, "a number") }
        if let plain = document.plainNumber(index) { return plain.value }
        guard document.misfit(index) == nil, let value = Double(document.text(index)) else {
            return try excuse(0, "a number")
        }
        return value
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
        guard node.kind == .number else { return try excuse(0, "a whole number") }
        if let whole = document.plainNumber(index)?.whole, let value = T(exactly: whole) { return value }
        guard document.misfit(index) == nil else { return try excuse(0, "a whole number") }
        if let value = JSON5Text.integer(document.text(index), type) { return value }
        // Nobody means the ends of wider types.
        let range = T.bitWidth > 32 ? (T.min == 0 ? " of at least 0" : "") : " from \(T.min) to \(T.max)"
        return try excuse(0, "a whole number\(range)")
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try T(from: self)
        } catch DecodingError.dataCorrupted(let context) {
            // The standard library names Swift's type, not its values.
            guard let names = Self.names(of: type), let text = try? decode(String.self), !names.contains(text) else {
                throw DecodingError.dataCorrupted(context)
            }
            throw corrupted("\"\(text)\" is not one of \(names.joined(separator: ", "))")
        }
    }

    /// The texts of an enumeration.
    private static func names<T>(of type: T.Type) -> [String]? {
        func names<Choice: CaseIterable>(_ type: Choice.Type) -> [String] {
            type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        }
        guard let type = type as? any CaseIterable.Type else { return nil }
        let names = names(type)
        return names.isEmpty ? nil : names
    }

    // MARK: Mistakes

    private func corrupted(_ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
    }

    /// Throws for a value of another kind, unless that is known.
    private func excuse<T>(_ value: T, _ expected: String) throws -> T {
        guard reading.excused.contains(index) else { throw mismatch(T.self, expected) }
        return value
    }

    func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "expected \(expected), found \(found)"))
    }

    /// What there is, for messages; long texts are shortened.
    private var found: String {
        switch node.kind {
        case .null: return "null"
        case .yes: return "true"
        case .no: return "false"
        case .list: return "a list"
        case .object: return "an object"
        case .number: return document.text(index)
        case .string, .escaped:
            let text = document.text(index)
            return text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
        }
    }
}
