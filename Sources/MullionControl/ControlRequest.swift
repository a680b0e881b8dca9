// Requests of the control API, as values.

import ControlProtocol
import JSON5

/// A request, and how its answer is read. Functions that make them are generated from the contract.
package struct ControlRequest<Answer> {
    package let method: String
    /// The path and the query.
    package let target: String
    package let body: ControlClient.Body?
    private let read: ([UInt8]) throws(JSON5Mistake) -> Answer

    init(_ method: String, _ target: String, _ read: @escaping ([UInt8]) throws(JSON5Mistake) -> Answer) {
        (self.method, self.target, self.body, self.read) = (method, target, nil, read)
    }

    init(
        _ method: String, _ target: String, json: (some Encodable)?,
        _ read: @escaping ([UInt8]) throws(JSON5Mistake) -> Answer
    ) {
        (self.method, self.target, self.read) = (method, target, read)
        body = json.map { ControlClient.Body(type: "application/json", bytes: (try? JSONWriter.encode($0)) ?? []) }
    }

    init(
        _ method: String, _ target: String, png: [UInt8],
        _ read: @escaping ([UInt8]) throws(JSON5Mistake) -> Answer
    ) {
        (self.method, self.target, self.read) = (method, target, read)
        body = ControlClient.Body(type: "image/png", bytes: png)
    }

    /// The same request, whose answer may have no body: it is about what the sender may not view.
    package var optional: ControlRequest<Answer?> {
        let read = read
        return ControlRequest<Answer?>(method, target, body) { (bytes) throws(JSON5Mistake) in
            bytes.isEmpty ? nil : try read(bytes)
        }
    }

    /// The same request, whose answer is read as another type.
    package func reading<Value: Decodable & Sendable>(_ type: Value.Type) -> ControlRequest<Value> {
        ControlRequest<Value>(method, target, body, ControlRequest<Value>.json)
    }

    private init(
        _ method: String, _ target: String, _ body: ControlClient.Body?,
        _ read: @escaping ([UInt8]) throws(JSON5Mistake) -> Answer
    ) {
        (self.method, self.target, self.body, self.read) = (method, target, body, read)
    }

    /// Reads an answer that is no refusal.
    package func value(of answer: ControlClient.Answer) throws(CommandError) -> Answer {
        do throws(JSON5Mistake) {
            return try read(answer.body)
        } catch {
            throw .refused("the server's answer cannot be read: \(error.text)")
        }
    }

    /// Reads JSON.
    static func json(_ bytes: [UInt8]) throws(JSON5Mistake) -> Answer where Answer: Decodable {
        try JSON5Document(bytes, .json).decode(Answer.self)
    }

    /// Reads JSON of this type.
    package static func read<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(CommandError) -> Value {
        do throws(JSON5Mistake) {
            return try JSON5Document(bytes, .json).decode(type)
        } catch {
            throw .refused("the server's answer cannot be read: \(error.text)")
        }
    }
}

/// Writes the targets of requests.
package enum ControlTarget {
    /// Percent-encodes a path segment, or a part of a query.
    package static func escape(_ segment: String) -> String {
        segment.utf8.map { byte in
            let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            if isPlain || byte == 45 || byte == 95 || byte == 126 { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// A query with its question mark; nothing without items.
    package static func text(_ query: [(name: String, value: String)]) -> String {
        query.isEmpty ? "" : "?" + query.map { "\($0.name)=\(escape($0.value))" }.joined(separator: "&")
    }

    /// The same without the items that have no value.
    static func text(_ query: [(name: String, value: String?)]) -> String {
        text(query.compactMap { item in item.value.map { (name: item.name, value: $0) } })
    }
}
