// The answer to a refused request: RFC 9457 problem details.

import Compositor
import ControlProtocol
import DisplayServer
import EventLoop
import JSON5
import WindowModel

/// Describes why a request is refused: a code for programs, a message for people, and the rule that it violates, if any.
struct Problem: Error, Equatable {
    var code: API.Code
    /// For people: the error, and what is allowed.
    var detail: String
    var rule: Rule?
    /// The index of the event in a list, counted from 0.
    var index: Int?
    /// For 409: the event that no client received.
    var input: API.InputReport?
    /// The mistakes of the body, in its order.
    var errors: [API.Mistake]?
    /// For 404: the routes that exist.
    var routes: [String]?
    /// When the server's time stopped, in microseconds.
    var now: UInt64?
    /// For 408: how long was waited, in milliseconds of real time, and what does not hold.
    var waited: Double?
    var unmet: [API.Unmet]?
    /// What keeps the server from being settled or idle.
    var unfinished: [API.Unfinished]?
    /// The names of the missing rights.
    var rights: [String]?
    /// For 405: the methods of the path.
    var allow: [HTTPMethod] = []

    init(_ code: API.Code, _ detail: String, rule: Rule? = nil) {
        self.code = code
        self.detail = detail
        self.rule = rule
    }

    /// A refusal by the model: 422 for an invalid value, 409 for a request that conflicts with the current state.
    init(_ error: ModelError) {
        let conflicts = error.kind == .notAllowed || error.kind == .role
        self.init(conflicts ? .notAllowed : .invalidValue, error.message, rule: error.rule)
    }

    /// Any error of a handler.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as ModelError: self.init(error)
        case let error as JSON5Mistake: self.init(error)
        case let error as DecodingError: self.init(API.Code(error.kind), JSON5.explain(error))
        case let error as PNGLibraryError: self.init(.unavailable, error.description)
        default: self.init(.internalError, "\(error)")
        }
    }

    /// A mistake of a body: 400, unless the value's type says otherwise.
    init(_ mistake: JSON5Mistake) {
        self = mistake.cause.map { Self($0) } ?? Problem(API.Code(mistake.kind), "")
        let message = mistake.cause == nil ? mistake.text : JSON5Mistake.text(mistake.keys, detail)
        // Any other error of a value's type is the sender's mistake as well.
        if code == .internalError { code = .invalidField }
        self.init(self, at: mistake, message)
    }

    /// The same refusal, because of a mistake at this place.
    init(_ problem: Problem, at place: JSON5Mistake, _ detail: String) {
        self = problem
        errors = [
            API.Mistake(
                code: code, detail: detail, pointer: place.pointer, line: place.line, column: place.column,
                allowed: place.allowed)
        ]
        self.detail = "line \(place.line), column \(place.column): \(detail)"
    }

    /// All mistakes of a body; the first one determines the status. At least one is needed.
    init(all problems: [Problem]) {
        self = problems.first ?? Problem(.invalidField, "")
        detail = problems.map(\.detail).joined(separator: "\n")
        errors = problems.flatMap { $0.errors ?? [] }
    }

    /// Work that is not done: of programs only its amount is told to those who may not view them.
    /// - Parameter what: how it went on without that.
    init(_ code: API.Code, _ what: String, _ unfinished: [Unfinished], _ disclosure: Disclosure) {
        self.init(code, "\(what): \(disclosure.sentence(about: unfinished))")
        self.unfinished = disclosure.ofWindows(unfinished.map { API.Unfinished($0) })
    }

    init(missing rights: Rights, _ detail: String) {
        self.init(.forbidden, detail)
        self.rights = rights.names
    }

    /// The error after the rule: "S1 (screen properties): 65 is not a scale".
    var cited: String { (rule.map { "\($0): " } ?? "") + detail }

    var status: Int { code.status }

    var response: HTTPResponse {
        let body = API.Problem(
            type: rule.map { "urn:mullion:rule:\($0.rawValue)" } ?? "about:blank", title: Self.title(status),
            status: status, code: code, detail: detail, rule: rule?.rawValue, index: index, input: input,
            errors: errors,
            routes: routes, now: now, waited: waited, unmet: unmet, unfinished: unfinished, rights: rights)
        var response = HTTPResponse.json(body, status: status)
        response.headers["Content-Type"] = "application/problem+json"
        if status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
        if !allow.isEmpty { response.headers["Allow"] = allow.map(\.rawValue).joined(separator: ", ") }
        return response
    }

    private static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 422: "Unprocessable Content"
        case 503: "Service Unavailable"
        default: "Internal Server Error"
        }
    }
}

extension API.Code {
    /// That of a mistake in a body.
    fileprivate init(_ kind: JSON5Mistake.Kind) {
        self =
            switch kind {
            case .syntax: .malformed
            case .unknownKey: .unknownField
            case .missingKey: .missingField
            case .wrongType: .wrongType
            case .other: .invalidField
            }
    }
}
