// HTTP values: methods, header fields, responses.

/// The supported request methods; the server answers any other with 405.
public enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
}

/// Header fields in order; names are case-insensitive.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    public private(set) var fields: [(name: String, value: String)] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// Adds a field, even when there is already one of that name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
    }

    /// The first field of that name; setting it replaces all of that name.
    public subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue {
                fields.append((name, newValue))
            }
        }
    }

    /// Whether a request with these fields has a body.
    var announcesBody: Bool {
        self["Transfer-Encoding"] != nil || !(self["Content-Length"] ?? "0").allSatisfy { $0 == "0" }
    }

    static func same(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && a.utf8.elementsEqual(b.utf8) { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

/// A complete response.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// Fields with a line break are left out; Content-Length is added.
    public var headers: HTTPHeaders
    public var body: [UInt8]

    public init(status: Int = 200, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes a response with a plain-text body.
    public static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// HTTP's name of an error status that the server itself answers with.
    static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 413: "Content Too Large"
        default: "Service Unavailable"
        }
    }

    /// Makes an RFC 9457 problem.
    /// - Parameters:
    ///   - code: its kind, for programs.
    ///   - detail: plain text without characters that JSON would have to escape.
    static func problem(
        _ status: Int, _ code: String, _ detail: String, _ headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        let body =
            "{\"code\":\"\(code)\",\"detail\":\"\(detail)\","
            + "\"status\":\(status),\"title\":\"\(title(status))\",\"type\":\"about:blank\"}\n"
        var response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        response.headers["Content-Type"] = "application/problem+json"
        return response
    }
}
