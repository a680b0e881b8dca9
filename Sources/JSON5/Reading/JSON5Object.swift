// Objects with many optional members.

/// The names that the members of an object can have, at most 64. Each is known by its index.
package struct JSON5Names: Sendable {
    package let texts: [String]
    /// The first eight bytes of each name.
    private let beginnings: [UInt64]

    package init(_ texts: [String]) {
        self.texts = texts
        beginnings = texts.map { Self.beginning(of: Array($0.utf8)[...]) }
    }

    fileprivate func index(of name: ArraySlice<UInt8>) -> Int? {
        let beginning = Self.beginning(of: name)
        for index in beginnings.indices where beginnings[index] == beginning {
            if texts[index].utf8.count == name.count, name.count <= 8 || name.elementsEqual(texts[index].utf8) {
                return index
            }
        }
        return nil
    }

    private static func beginning(of name: ArraySlice<UInt8>) -> UInt64 {
        var beginning: UInt64 = 0
        for position in name.startIndex..<min(name.startIndex + 8, name.endIndex) {
            beginning = beginning << 8 | UInt64(name[position])
        }
        return beginning
    }
}

/// An object of a document, for a type that looks for many members of which most are absent: it finds all members once.
package struct JSON5Object {
    private struct Member {
        /// The index of its name; nil if that is unknown.
        let name: Int?
        /// The node of its key.
        let key: Int
    }

    package let names: JSON5Names
    private let value: JSON5Value
    private var members: [Member] = []
    /// A bit for each name that a member has.
    private var present: UInt64 = 0

    /// - Throws: when it is no object, or of no document.
    package init(_ decoder: any Decoder, _ names: JSON5Names) throws {
        guard let value = decoder as? JSON5Value else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "the value is not part of a JSON5 document"))
        }
        self.value = value
        self.names = names
        let document = value.reading.document
        let node = document.nodes[value.index]
        guard node.kind == .object else { throw value.mismatch([String: Any].self, "an object") }
        members.reserveCapacity(Int(node.count))
        var key = value.index + 1
        while key < Int(node.next) {
            if !value.reading.isSkipped(key) { add(key, document) }
            key = Int(document.nodes[key + 1].next)
        }
    }

    private mutating func add(_ key: Int, _ document: JSON5Document) {
        let node = document.nodes[key]
        let name =
            node.kind == .escaped
            ? names.index(of: Array(document.text(key).utf8)[...])
            : names.index(of: document.bytes[Int(node.start)..<Int(node.end)])
        if let name { present |= 1 << UInt64(name) }
        members.append(Member(name: name, key: key))
    }

    package var codingPath: [any CodingKey] { value.codingPath }

    // MARK: Refusals

    /// Refuses unknown members and nulls; reports the first.
    /// - Parameters:
    ///   - allowed: a bit for the index of each name that a member can have.
    ///   - owner: the object's kind.
    package func refuseOthers(_ allowed: UInt64, of owner: String) throws {
        for member in members {
            let document = value.reading.document
            guard let name = member.name, allowed >> UInt64(name) & 1 == 1 else {
                let known = names.texts.indices.filter { allowed >> UInt64($0) & 1 == 1 }.map { names.texts[$0] }
                throw JSON5.unknownKey(document.text(member.key), among: known, of: owner, codingPath)
            }
            guard document.nodes[member.key + 1].kind != .null else {
                throw JSON5.refusal(
                    JSON5.AnyKey(.member(names.texts[name])), "null is not a value; omit the field", codingPath)
            }
        }
    }

    // MARK: Values

    /// Whether it has the member, even if that is null.
    package func contains(_ name: Int) -> Bool { present >> UInt64(name) & 1 == 1 }

    /// The value of a member; nil if it is absent or null.
    package func find<T: Decodable>(_ type: T.Type, _ name: Int) throws -> T? { try find(name) { try $0.decode(type) } }
    package func find(_ type: Double.Type, _ name: Int) throws -> Double? { try find(name) { try $0.decode(type) } }
    package func find(_ type: String.Type, _ name: Int) throws -> String? { try find(name) { try $0.decode(type) } }
    package func find(_ type: Bool.Type, _ name: Int) throws -> Bool? { try find(name) { try $0.decode(type) } }
    package func find<T: FixedWidthInteger & Decodable>(_ type: T.Type, _ name: Int) throws -> T? {
        try find(name) { try $0.decode(type) }
    }

    private func find<Result>(_ name: Int, _ read: (JSON5Value) throws -> Result) throws -> Result? {
        guard let key = key(name), value.reading.document.nodes[key + 1].kind != .null else { return nil }
        return try value.read(key + 1, read)
    }

    /// The value of a member.
    /// - Throws: when it is absent, too.
    package func need<T: Decodable>(_ type: T.Type, _ name: Int) throws -> T {
        guard let key = key(name) else {
            let text = names.texts[name]
            throw DecodingError.keyNotFound(
                JSON5.AnyKey(.member(text)),
                .init(codingPath: codingPath, debugDescription: "the key \"\(text)\" is missing"))
        }
        return try value.read(key + 1) { try $0.decode(type) }
    }

    private func key(_ name: Int) -> Int? {
        guard contains(name) else { return nil }
        return members.first { $0.name == name }?.key
    }
}
