// The description of the control API matches its routes.

import EventLoop
import FoundationEssentials
import TestSupport
import Testing

@testable import ControlAPI
@testable import DisplayServer

@Suite struct OpenAPITests {
    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture(screens: ["80x60"])
        control = try TestControl(fixture)
    }

    private var routes: [Route] { control.control.router.routes }

    @Test("exactly the existing routes are described, each once, with its query items and placeholders")
    func routesAndWords() {
        #expect(Operation.all.map(\.name).sorted() == routes.map(\.name).sorted())
        let items = Set(routes.flatMap(\.query))
        #expect(items.subtracting(Operation.query.keys) == [], "query items without a description")
        let placeholders = Set(routes.flatMap(\.pattern).filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() })
        #expect(placeholders == Set(Operation.placeholders.keys.map { $0[...] }))
    }

    @Test("the document has paths, methods, query items and rights of the routes, and every reference is valid")
    func document() throws {
        let answer = try control.send("GET", "/v1/openapi.json")
        #expect(answer.status == 200)
        // It is made once, not per request.
        #expect(Array(answer.body.utf8) == control.control.openAPI.body)
        let document = OpenAPI(routes: routes).document
        let sent = try JSONDecoder().decode([String: Ignored].self, from: Data(answer.body.utf8))
        #expect(Set(sent.keys) == document.keys)
        let paths = try #require(document["paths"])
        #expect(paths.keys == Set(routes.map(\.path)))
        for route in routes {
            let operation = try #require(paths[route.path]?[route.method.rawValue.lowercased()], "\(route.name)")
            guard case .array(let parameters)? = operation["parameters"] else { continue }
            let query = parameters.filter { $0["in"] == .string("query") }.compactMap { $0["name"] }
            #expect(query == route.query.map { .string($0) }, "\(route.name)")
            #expect(operation["x-rights"] == .array(route.rights.names.map { .string($0) }), "\(route.name)")
        }
        for reference in references(in: document) {
            var value: JSONValue? = document
            for part in reference.split(separator: "/").dropFirst() { value = value?[String(part)] }
            #expect(value != nil, "\(reference)")
        }
    }

    private func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let fields):
            fields.flatMap { name, value in
                if name == "$ref", case .string(let text) = value { return [text] }
                return references(in: value)
            }
        case .array(let values): values.flatMap { references(in: $0) }
        default: []
        }
    }

    @Test("the described bodies have all fields that are decoded")
    func bodies() throws {
        func check<T: StrictlyDecodable>(_ name: String, _ type: T.Type) {
            #expect(fields(name) == Set(T.Keys.allCases.map(\.stringValue)), "\(name)")
        }
        check("Empty", EmptyPayload.self)
        check("Plug", PlugPayload.self)
        check("ScreenPatch", ScreenPatch.self)
        check("WindowPatch", WindowPatch.self)
        check("ClockPatch", ClockPatch.self)
        check("Conversion", ConversionRequest.self)
        check("KeyboardPatch", KeyboardPatch.self)
        check("PointBody", PointPayload.self)
        check("RectBody", RectPayload.self)
        #expect(fields("Space") == Set(SpaceReference.Keys.allCases.map(\.stringValue)))
        #expect(fields("InputEvent") == Set(InputReader.Keys.allCases.map(\.stringValue)))
    }

    private func fields(_ name: String) -> Set<String> { OpenAPI.schemas[name]?["properties"]?.keys ?? [] }

    @Test("the example bodies are accepted, except for a step of real time")
    func examples() throws {
        let application = fixture.model.addApplication(name: "test")
        let window = try fixture.model.createWindow(application: application)
        try fixture.model.setHidden(false, of: window)
        for operation in Operation.all {
            guard case .json(let name)? = operation.body else { continue }
            let example = try #require(OpenAPI.examples[name], "\(name)")
            let words = operation.name.split(separator: " ")
            let target = String(words[1]).replacing("{screen}", with: "1").replacing("{id}", with: "\(window)")
            let body = String(decoding: try ControlJSON.encode(example), as: UTF8.self)
            let answer = try control.send(String(words[0]), target, body)
            #expect(answer.status < 300 || (answer.status == 409 && name == "ClockPatch"), "\(name): \(answer.body)")
        }
        let scenario = String(decoding: try ControlJSON.encode(OpenAPI.examples["Scenario"]), as: UTF8.self)
        let answer = try control.send("POST", "/v1/scenarios", scenario)
        #expect(answer.status == 200 && answer.body.contains("event: done"), "\(answer.body)")
    }

    @Test(
        "all responses are described: the status, and every field of the JSON",
        arguments: [
            ("GET", "/v1/status", "", 200), ("GET", "/v1/metrics", "", 200), ("GET", "/v1/openapi.json", "", 200),
            ("GET", "/v1/displays", "", 200), ("GET", "/v1/applications", "", 200), ("GET", "/v1/seats", "", 200),
            ("GET", "/v1/screens", "", 200), ("GET", "/v1/screens/1", "", 200), ("GET", "/v1/screens/9", "", 404),
            ("POST", "/v1/screens", #"{"model":"80x60","name":"B"}"#, 201), ("POST", "/v1/screens", "{", 400),
            ("POST", "/v1/screens", #"{"model":"x"}"#, 422), ("PATCH", "/v1/screens/1", #"{"scale":2}"#, 200),
            ("PATCH", "/v1/screens/1", #"{"scale":-1}"#, 422), ("PATCH", "/v1/screens/9", "{}", 404),
            ("DELETE", "/v1/screens/1", "", 204), ("DELETE", "/v1/screens/9", "", 404),
            ("GET", "/v1/screens/1/screenshot.png", "", 200), ("GET", "/v1/screenshot.png?cursor=no", "", 400),
            ("GET", "/v1/capture", "", 200), ("GET", "/v1/capture?screen=9", "", 404),
            ("POST", "/v1/compare", "x", 400),
            ("GET", "/v1/windows", "", 200), ("GET", "/v1/windows/1", "", 200), ("GET", "/v1/windows/x", "", 404),
            ("PATCH", "/v1/windows/1", #"{"level":5}"#, 200), ("PATCH", "/v1/windows/1", #"{"alpha":5}"#, 422),
            ("PATCH", "/v1/windows/1", #"{"nothing":5}"#, 400), ("DELETE", "/v1/windows/1", "", 202),
            ("DELETE", "/v1/windows/1?force=true", "", 204), ("GET", "/v1/tree", "", 200),
            ("POST", "/v1/convert", #"{"points":[],"from":"layout","to":{"window":1}}"#, 200),
            ("POST", "/v1/convert", #"{"points":[],"from":"layout"}"#, 400),
            ("POST", "/v1/convert", #"{"points":[],"from":"layout","to":{"window":9}}"#, 422),
            ("POST", "/v1/input", #"{"type":"tap","x":1,"y":1}"#, 200), ("POST", "/v1/input", "[]", 200),
            ("POST", "/v1/input", #"{"type":"tap","x":1,"y":1,"screen":"9"}"#, 422), ("GET", "/v1/clock", "", 200),
            ("PATCH", "/v1/clock", #"{"step":1}"#, 409), ("POST", "/v1/settle", "", 200),
            ("POST", "/v1/scenarios", "{name: 'x', steps: []}", 200), ("POST", "/v1/scenarios", "{", 400),
            ("GET", "/v1/keyboard", "", 200), ("PATCH", "/v1/keyboard", #"{"layout":"de"}"#, 200),
            ("PATCH", "/v1/keyboard", #"{"layout":"nowhere"}"#, 422),
        ] as [(String, String, String, Int)])
    func answers(method: String, target: String, body: String, status: Int) throws {
        let application = fixture.model.addApplication(name: "test")
        let window = try fixture.model.createWindow(application: application)
        try fixture.model.setHidden(false, of: window)
        let answer = try control.send(method, target, body)
        #expect(answer.status == status, "\(answer.body)")
        let path = target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        let found = control.control.router.routes.first { $0.method.rawValue == method && $0.match(path) != nil }
        let route = try #require(found)
        let response = try #require(
            OpenAPI(routes: routes).document["paths"]?[route.path]?[method.lowercased()]?["responses"]?["\(status)"])
        guard let schema = response["content"]?["application/json"]?["schema"] else { return }
        let named = references(in: schema).first.flatMap {
            OpenAPI.schemas[$0.split(separator: "/").last.map(String.init) ?? ""]
        }
        guard let described = named?["properties"]?.keys else { return }
        let sent = try JSONDecoder().decode([String: Ignored].self, from: Data(answer.body.utf8))
        #expect(Set(sent.keys).subtracting(described) == [], "fields without a description")
    }
}

/// Any value.
private struct Ignored: Decodable {
    init(from decoder: any Decoder) throws {}
}
