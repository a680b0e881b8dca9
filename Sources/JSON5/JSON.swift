// JSON values of any shape.

/// A JSON value.
package enum JSON: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Parses JSON.
    /// - Throws: the first syntax error.
    package init(_ text: [UInt8]) throws(JSON5Mistake) {
        self = try JSON5Document(text, .json).decode(JSON.self)
    }

    /// Only the decoder of this module can decode a value of any shape.
    package init(from decoder: any Decoder) throws {
        guard let value = decoder as? JSON5Value else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "only JSON has values of any shape"))
        }
        self = try value.tree()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The value as one line of JSON.
    package var encoded: String { String(decoding: bytesOfText, as: UTF8.self) }

    /// The value as lines of JSON.
    package var indented: String { String(decoding: JSONText.indented(bytesOfText), as: UTF8.self) }

    private var bytesOfText: [UInt8] { (try? JSONWriter.encode(self)) ?? Array("null".utf8) }

    /// The bytes of a base64 string; nil for other values.
    package var bytes: [UInt8]? { if case .string(let text) = self { Base64.decode(text) } else { nil } }
}

extension JSON5Value {
    /// The value with all its parts.
    fileprivate func tree() throws -> JSON {
        switch node.kind {
        case .null: .null
        case .yes: .bool(true)
        case .no: .bool(false)
        case .number: .number(try decode(Double.self))
        case .string, .escaped: .string(document.text(index))
        case .list: .array(try elements())
        case .object: .object(try members())
        }
    }

    private func elements() throws -> [JSON] {
        try document.parts(of: index).filter { !reading.isSkipped($0) }.map { try read($0) { try $0.tree() } }
    }

    private func members() throws -> [String: JSON] {
        var members: [String: JSON] = [:]
        members.reserveCapacity(Int(node.count))
        for key in document.parts(of: index) where !reading.isSkipped(key) {
            members[document.text(key)] = try read(key + 1) { try $0.tree() }
        }
        return members
    }
}
