// An admitted request of a known route.

import DisplayServer
import EventLoop
import JSON5
import MullionSystem

/// The request, the values of its path's placeholders, and strict readers for query and body.
struct ControlRequest {
    let http: HTTPRequest
    let parameters: [String: String]
    let admission: Admission
    /// The rights of the sender; empty for a route that requires none.
    let rights: Rights
    let policy: PeerPolicy
    /// What is reported about the request to readers of events; nil if there are none.
    let report: RequestReport?

    /// What its answer may say.
    var disclosure: Disclosure { Disclosure(rights) }

    /// Checks rights that only a part of the route's requests needs.
    /// - Throws: 403 without one.
    func require(_ needed: Rights, to name: @autoclosure () -> String) throws(Problem) {
        report?.note(needed: needed)
        guard !rights.isSuperset(of: needed) else { return }
        try admission.admit(http, to: name(), needing: needed, by: policy)
    }

    /// The value of a placeholder of the route's pattern.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// A query item that is `true` or `false`; false when it is absent.
    func flag(_ name: String) throws(Problem) -> Bool {
        guard let value = http.queryItem(name) else { return false }
        return try WordReader.flag(name, value)
    }

    /// A number in a range; `fallback` when it is absent.
    func number(_ name: String, in range: ClosedRange<Double>, default fallback: Double) throws(Problem) -> Double {
        guard let text = http.queryItem(name) else { return fallback }
        return try WordReader.number(name, text, in: range)
    }

    /// A whole number in a range; `fallback` when it is absent.
    func wholeNumber(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws(Problem) -> Int {
        guard let value = http.queryItem(name) else { return fallback }
        return try WordReader.wholeNumber(name, value, in: range)
    }

    /// The body; unknown fields, nulls and missing values are errors.
    func body<T: StrictlyDecodable>(_ type: T.Type) throws -> T {
        guard !http.body.isEmpty else { throw Problem(.emptyBody, "the request needs a JSON body") }
        return try decode(Strict<T>.self).value
    }

    func decode<T: Decodable>(_ type: T.Type) throws(Problem) -> T { try Self.decode(type, from: http.body) }

    static func decode<T: Decodable>(_ type: T.Type, from body: [UInt8]) throws(Problem) -> T {
        do throws(JSON5Mistake) {
            return try JSON5Document(body, .json).decode(type)
        } catch {
            throw Problem(error)
        }
    }
}

/// A body whose fields are all known.
protocol StrictlyDecodable: Decodable {
    associatedtype Keys: CodingKey & CaseIterable
}

/// Decodes a value; unknown and null fields are errors.
struct Strict<Value: StrictlyDecodable>: Decodable {
    let value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, Value.Keys.self)
        let container = try decoder.container(keyedBy: Value.Keys.self)
        for key in container.allKeys where try container.decodeNil(forKey: key) {
            throw JSON5.refusal(key, "null is not a value; omit the field", decoder.codingPath)
        }
        value = try Value(from: decoder)
    }
}

extension HTTPResponse {
    static var jsonHeaders: HTTPHeaders { ["Content-Type": "application/json", "Cache-Control": "no-store"] }

    /// A JSON document that ends with a newline.
    static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let bytes = (try? JSONWriter.encode(value, end: "\n")) ?? Array("{}\n".utf8)
        return HTTPResponse(status: status, headers: jsonHeaders, body: bytes)
    }
}

extension ControlRequest {
    /// The user that sent it; nil for a holder of the token.
    var user: UInt32? {
        guard case .credentials = admission, let peer = http.peerDescriptor else { return nil }
        return Credentials(ofPeerOf: peer).uid
    }
}
