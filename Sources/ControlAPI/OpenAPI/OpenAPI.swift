// Generates the description of the control API from its routes.

import DisplayServer
import EventLoop
import JSON5

/// OpenAPI 3: paths, methods, rights and query items come from the routes, their descriptions from `Operation.all`.
struct OpenAPI {
    let routes: [Route]

    var document: JSON {
        .object([
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string("Mullion control API"), "version": .string(DisplayServer.version),
                "description": .string(
                    "On the control socket, rights depend on the peer's user, over TCP on a token. x-rights lists the "
                        + "rights that a route requires. A refused request has no effect; 409 "
                        + "with an input report means that events were injected that no client received."),
            ]),
            "paths": .object(paths),
            "components": .object([
                "schemas": .object(Self.schemas),
                "responses": .object(["Problem": Self.refusal]),
                "securitySchemes": .object([
                    "token": .object(["type": .string("http"), "scheme": .string("bearer")])
                ]),
            ]),
        ])
    }

    private var paths: [String: JSON] {
        var paths: [String: JSON] = [:]
        for route in routes {
            var methods = paths[route.path] ?? .object([:])
            methods[route.method.rawValue.lowercased()] = operation(route)
            paths[route.path] = methods
        }
        return paths
    }

    private func operation(_ route: Route) -> JSON {
        let operation = Operation.all.first { $0.name == route.name } ?? Operation(route.name, route.name)
        var responses: [String: JSON] = [:]
        for status in operation.statuses(rights: route.rights) {
            responses["\(status)"] =
                operation.problems[status].map(Self.problem) ?? Schema.reference("responses", "Problem")
        }
        for answer in operation.answers { responses["\(answer.status)"] = answer.document }
        var fields: [String: JSON] = [
            "summary": .string(operation.summary), "operationId": .string(Self.identifier(route)),
            "x-rights": .array(route.rights.names.map { .string($0) }),
            "parameters": .array(Self.placeholders(route) + Self.query(route, operation)),
            "responses": .object(responses),
        ]
        if !route.rights.isEmpty { fields["security"] = .array([.object(["token": .array([])])]) }
        fields["requestBody"] = operation.body?.document
        return .object(fields)
    }

    private static func placeholders(_ route: Route) -> [JSON] {
        route.pattern.filter { $0.hasPrefix("{") }.map { part in
            let name = String(part.dropFirst().dropLast())
            let (type, meaning, example) = Operation.placeholders[name] ?? ("string", name, name)
            return .object([
                "name": .string(name), "in": .string("path"), "required": .bool(true),
                "description": .string(meaning), "schema": Schema.type(type), "example": .string(example),
            ])
        }
    }

    private static func query(_ route: Route, _ operation: Operation) -> [JSON] {
        route.query.map { name in
            let (type, meaning) = operation.query[name] ?? Operation.query[name] ?? ("string", name)
            return .object([
                "name": .string(name), "in": .string("query"), "description": .string(meaning),
                "schema": Schema.type(type),
            ])
        }
    }

    /// "GET /v1/screens/{screen}" becomes get-screens-screen.
    private static func identifier(_ route: Route) -> String {
        ([route.method.rawValue.lowercased()]
            + route.pattern.dropFirst().map { String($0.filter { $0 != "{" && $0 != "}" }) }).joined(separator: "-")
    }

    private static let refusal = problem("Why the request was refused, and what is allowed; the request has no effect.")

    /// RFC 9457.
    private static func problem(_ description: String) -> JSON {
        .object([
            "description": .string(description),
            "content": .object(["application/problem+json": .object(["schema": Schema.type("Problem")])]),
        ])
    }
}
