// Finds the handler for a method and path.

import DisplayServer
import EventLoop

/// What a handler did with its request.
enum Answer {
    case reply(HTTPResponse)
    /// The handler keeps the request and answers it later.
    case later
}

/// One method of one path.
struct Route {
    typealias Handler = (ControlRequest) throws -> Answer

    let method: HTTPMethod
    /// Segments; `{name}` matches any one.
    let pattern: [String]
    /// The rights it requires.
    let rights: Rights
    /// The query items it accepts.
    let query: [String]
    /// The query items that can be repeated.
    let repeatable: [String]
    /// The largest body it accepts.
    let bodyBytes: Int
    let handler: Handler

    /// - Parameter rights: the rights it requires; by default `view` for reading and `administer` for anything else.
    init(
        _ method: HTTPMethod, _ path: String, rights: Rights? = nil, query: [String] = [], repeatable: [String] = [],
        bodyBytes: Int = 1 << 20, _ handler: @escaping Handler
    ) {
        self.method = method
        self.rights = rights ?? (method == .get ? .view : .administer)
        self.query = query
        self.repeatable = repeatable
        self.bodyBytes = bodyBytes
        self.handler = handler
        pattern = path.split(separator: "/").map(String.init)
    }

    var path: String { "/" + pattern.joined(separator: "/") }

    /// For messages: "GET /v1/status".
    var name: String { "\(method.rawValue) \(path)" }

    /// - Throws: 413 for a larger body than it accepts.
    func check(bodyBytes count: Int) throws(Problem) {
        guard count > bodyBytes else { return }
        throw Problem(413, "\(name) takes a body of at most \(bodyBytes) bytes, not \(count)")
    }

    /// The values of the placeholders; nil when the path does not match.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == pattern.count else { return nil }
        var values: [String: String] = [:]
        for (part, segment) in zip(pattern, path) {
            if part.hasPrefix("{") {
                values[String(part.dropFirst().dropLast())] = segment
            } else if part != segment {
                return nil
            }
        }
        return values
    }
}

/// All routes. Unknown paths, methods and query items are refused, with a list of the valid ones.
struct Router {
    let routes: [Route]

    /// - Throws: 404, 405 or, for an unknown or repeated query item, 400.
    func find(
        _ method: HTTPMethod, _ path: [String], query: [String]
    ) throws(Problem) -> (route: Route, parameters: [String: String]) {
        let matches = routes.compactMap { route in route.match(path).map { (route: route, parameters: $0) } }
        guard !matches.isEmpty else {
            var problem = Problem(404, "/\(path.joined(separator: "/")) is not a route")
            problem.routes = routes.map(\.name)
            throw problem
        }
        // HEAD is handled like GET; evhttp omits the body.
        let wanted = method == .head ? .get : method
        guard let match = matches.first(where: { $0.route.method == wanted }) else {
            let methods = matches.map(\.route.method)
            var problem = Problem(405, "\(matches[0].route.path) does not support \(method.rawValue)")
            problem.allow = methods.contains(.get) ? methods + [.head] : methods
            throw problem
        }
        try check(query, match.route)
        return match
    }

    private func check(_ query: [String], _ route: Route) throws(Problem) {
        var seen: Set<String> = []
        for name in query {
            guard route.query.contains(name) else {
                let known = route.query.isEmpty ? "it has none" : "use one of \(route.query.joined(separator: ", "))"
                throw Problem(400, "\"\(name)\" is not a query item of \(route.path); \(known)")
            }
            guard seen.insert(name).inserted || route.repeatable.contains(name) else {
                throw Problem(400, "the query item \"\(name)\" is repeated")
            }
        }
    }
}
