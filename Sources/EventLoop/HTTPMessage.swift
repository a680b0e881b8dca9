// The values of HTTP: methods, header fields, responses.

/// The methods that a request can have; a server answers 405 to others by itself.
public enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
}

/// Header fields in their order; names compare without case.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    public private(set) var fields: [(name: String, value: String)] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// Adds a field, also when there is one of that name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// The first field of that name; setting replaces all of that name.
    public subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue {
                fields.append((name, newValue))
            }
        }
    }

    /// Whether a request with these has a body.
    var announcesBody: Bool {
        self["Transfer-Encoding"] != nil || !(self["Content-Length"] ?? "0").allSatisfy { $0 == "0" }
    }

    static func same(_ a: String, _ b: String) -> Bool {
        a.utf8.elementsEqual(b.utf8) { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

/// A whole response.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// A field with a line break in it is left out; Content-Length is added.
    public var headers: HTTPHeaders
    public var body: [UInt8]

    public init(status: Int = 200, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a body of plain text.
    public static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// A refusal as RFC 9457 has it.
    /// - Parameter title, detail: plain words, without anything that JSON would have to escape.
    static func problem(
        _ status: Int, _ title: String, _ detail: String, _ headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        let body = "{\"detail\":\"\(detail)\",\"status\":\(status),\"title\":\"\(title)\",\"type\":\"about:blank\"}\n"
        var response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }
}
