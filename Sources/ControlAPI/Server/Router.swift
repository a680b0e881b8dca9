// Finds the handler for a method and path.

import ControlProtocol
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
    /// The names of the placeholders in the pattern, and their positions.
    private let placeholders: [(name: String, position: Int)]
    /// The rights it requires.
    let rights: Rights
    /// The query items it accepts.
    let query: [String]
    /// The query items that can be repeated.
    let repeatable: [String]
    /// The largest body it accepts.
    let bodyBytes: Int
    let handler: Handler

    init(_ operation: API.Operation, bodyBytes: Int = 1 << 20, _ handler: @escaping Handler) {
        method = HTTPMethod(rawValue: operation.method) ?? .get
        rights = Rights(names: operation.rights)
        query = operation.query
        repeatable = operation.repeatable
        self.bodyBytes = bodyBytes
        self.handler = handler
        pattern = operation.path.split(separator: "/").map(String.init)
        placeholders = pattern.enumerated().compactMap { position, part in
            Self.isPlaceholder(part) ? (String(part.dropFirst().dropLast()), position) : nil
        }
    }

    fileprivate static func isPlaceholder(_ part: String) -> Bool { part.utf8.first == UInt8(ascii: "{") }

    var path: String { "/" + pattern.joined(separator: "/") }

    /// For messages: "GET /v1/status".
    var name: String { "\(method.rawValue) \(path)" }

    /// - Throws: 413 for a larger body than it accepts.
    func check(bodyBytes count: Int) throws(Problem) {
        guard count > bodyBytes else { return }
        throw Problem(.bodyTooLarge, "\(name) takes a body of at most \(bodyBytes) bytes, not \(count)")
    }

    /// The values of the placeholders; nil when the path does not match.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == pattern.count else { return nil }
        for (part, segment) in zip(pattern, path) where part != segment && !Self.isPlaceholder(part) { return nil }
        return values(in: path)
    }

    /// The values of the placeholders in a path that matches.
    fileprivate func values(in path: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for (name, position) in placeholders { values[name] = path[position] }
        return values
    }
}

extension Rights {
    /// - Parameter names: those of the contract.
    fileprivate init(names: [String]) {
        self = Rights.names.reduce(into: []) { if names.contains($1.key) { $0.insert($1.value) } }
    }
}

/// All routes. Unknown paths, methods and query items are refused, with a list of the valid ones.
struct Router {
    let routes: [Route]
    private let root = Branch()

    /// Everything below a path.
    private final class Branch {
        var branches: [(segment: String, branch: Branch)] = []
        /// What is below a placeholder.
        var any: Branch?
        /// The routes of this path, by their indices.
        var routes: [Int] = []

        func branch(_ part: String) -> Branch {
            if Route.isPlaceholder(part) {
                let branch = any ?? Branch()
                any = branch
                return branch
            }
            if let known = branches.first(where: { $0.segment == part }) { return known.branch }
            branches.append((part, Branch()))
            return branches[branches.count - 1].branch
        }
    }

    init(routes: [Route]) {
        self.routes = routes
        for (index, route) in routes.enumerated() {
            route.pattern.reduce(root) { $0.branch($1) }.routes.append(index)
        }
    }

    /// - Throws: 404, 405 or, for an unknown or repeated query item, 400.
    func find(
        _ method: HTTPMethod, _ path: [String], query: [String]
    ) throws(Problem) -> (route: Route, parameters: [String: String]) {
        // HEAD is handled like GET; evhttp omits the body.
        guard let index = first(method == .head ? .get : method, path[...], root) else {
            throw refusal(method, path)
        }
        let route = routes[index]
        try check(query, route)
        return (route, route.values(in: path))
    }

    /// The first route for the rest of a path.
    private func first(_ method: HTTPMethod, _ rest: ArraySlice<String>, _ branch: Branch) -> Int? {
        guard let segment = rest.first else { return branch.routes.first { routes[$0].method == method } }
        let named = branch.branches.first { $0.segment == segment }
            .flatMap { first(method, rest.dropFirst(), $0.branch) }
        guard let any = branch.any.flatMap({ first(method, rest.dropFirst(), $0) }) else { return named }
        return min(named ?? any, any)
    }

    private func refusal(_ method: HTTPMethod, _ path: [String]) -> Problem {
        let matches = routes.filter { $0.match(path) != nil }
        guard !matches.isEmpty else {
            var problem = Problem(.noRoute, "/\(path.joined(separator: "/")) is not a route")
            problem.routes = routes.map(\.name)
            return problem
        }
        let methods = matches.map(\.method)
        var problem = Problem(.methodNotAllowed, "\(matches[0].path) does not support \(method.rawValue)")
        problem.allow = methods.contains(.get) ? methods + [.head] : methods
        return problem
    }

    private func check(_ query: [String], _ route: Route) throws(Problem) {
        guard !query.isEmpty else { return }
        var seen: Set<String> = []
        for name in query {
            guard route.query.contains(name) else {
                let known = route.query.isEmpty ? "it has none" : "use one of \(route.query.joined(separator: ", "))"
                throw Problem(.unknownParameter, "\"\(name)\" is not a query item of \(route.path); \(known)")
            }
            guard seen.insert(name).inserted || route.repeatable.contains(name) else {
                throw Problem(.repeatedParameter, "the query item \"\(name)\" is repeated")
            }
        }
    }
}
